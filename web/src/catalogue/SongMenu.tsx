import type { catalogue } from '@dubplate/contract'
import {
  IconArrowDown,
  IconBasket,
  IconHeart,
  IconHeartFilled,
  IconLink,
  IconPlayerTrackNext,
  IconPlaylistAdd,
  IconUser,
} from '@tabler/icons-react'
import { downloadSong } from '../downloads/download.ts'
import { toggleCrate, toggleFavourite, useLibrary } from '../library/library.ts'
import { goTo } from '../platform/address.ts'
import { playerActions } from '../player/store.ts'
import { Menu, MenuGroup, MenuItem } from '../ui/Menu.tsx'
import { toast } from '../ui/toast.ts'
import { closeSongMenu, useSongMenu } from './songMenu.ts'

async function copyLink(song: catalogue.Song) {
  const address = `${location.origin}/song/${song.entity_id}`
  try {
    await navigator.clipboard.writeText(address)
    void toast({ message: 'Link copied.' })
  } catch {
    void toast({ title: 'The browser does not let us copy', message: address, tone: 'trouble' })
  }
}

const searchForArtist = (artist: string) => goTo(`/search/result?${new URLSearchParams({ artist })}`)

/** The menu of one song: what “…” and a right click open in every list. */
export function SongMenu() {
  const open = useSongMenu((menu) => menu.open)
  if (!open) return null
  const { song, at, opener } = open
  return (
    <Menu label={`${song.title} by ${song.artist}`} at={at} onClose={closeSongMenu} returnTo={opener}>
      <MenuGroup title={song.title}>
        <QueueItems song={song} />
      </MenuGroup>
      <MenuGroup>
        <KeepItems song={song} />
        <MenuItem icon={<IconArrowDown size={16} />} onSelect={() => void downloadSong(song.entity_id)}>
          Download all versions
        </MenuItem>
      </MenuGroup>
      <MenuGroup>
        <MenuItem icon={<IconUser size={16} />} onSelect={() => searchForArtist(song.artist)}>
          More by this artist
        </MenuItem>
        <MenuItem icon={<IconLink size={16} />} onSelect={() => void copyLink(song)}>
          Copy link
        </MenuItem>
      </MenuGroup>
    </Menu>
  )
}

function QueueItems({ song }: { song: catalogue.Song }) {
  const version = song.version.find(({ available }) => available)
  if (!version) return null
  const entry = { song, version }
  return (
    <>
      <MenuItem icon={<IconPlayerTrackNext size={16} />} onSelect={() => playerActions.playNext(entry)}>
        Play next
      </MenuItem>
      <MenuItem icon={<IconPlaylistAdd size={16} />} onSelect={() => playerActions.enqueue(entry)}>
        Add to queue
      </MenuItem>
    </>
  )
}

function KeepItems({ song }: { song: catalogue.Song }) {
  const favourite = useLibrary(({ favourites }) => favourites.has(song.entity_id))
  const inCrate = useLibrary(({ crateSongs }) => crateSongs.has(song.entity_id))
  return (
    <>
      <MenuItem icon={<IconBasket size={16} />} onSelect={() => void toggleCrate(song.entity_id)}>
        {inCrate ? 'Take out of crate' : 'Put in crate'}
      </MenuItem>
      <MenuItem
        icon={favourite ? <IconHeartFilled size={16} /> : <IconHeart size={16} />}
        onSelect={() => void toggleFavourite(song.entity_id)}
      >
        {favourite ? 'Remove from favourites' : 'Add to favourites'}
      </MenuItem>
    </>
  )
}
