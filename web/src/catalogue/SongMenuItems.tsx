import type { catalogue } from '@dubplate/contract'
import {
  IconArrowDown,
  IconBasket,
  IconCloudUp,
  IconHeart,
  IconHeartFilled,
  IconLink,
  IconMusic,
  IconPlayerTrackNext,
  IconPlaylist,
  IconPlaylistAdd,
  IconSquareCheck,
  IconUser,
  IconVersions,
  IconVinyl,
} from '@tabler/icons-react'
import { chooseSend } from '../cloudDelivery/sendChoice.ts'
import { useSendLabel } from '../cloudDelivery/useSendLabel.ts'
import { downloadSong } from '../downloads/bundles.ts'
import { format } from '../format/message.ts'
import { toggleCrate, toggleFavourite, useLibrary } from '../library/library.ts'
import { choosePlaylist } from '../library/playlistChoice.ts'
import { preferredVersions } from '../library/preferredVersion.ts'
import { goTo } from '../platform/address.ts'
import { toQueueEntries } from '../player/queue.ts'
import { playerActions } from '../player/store.ts'
import { Menu, MenuGroup, MenuItem } from '../ui/Menu.tsx'
import type { ListOwner } from './listOwner.ts'
import { copySongLink } from './songLink.ts'
import { closeSongMenu, type OpenMenu, openVersions } from './songMenu.ts'
import * as texts from './texts.ts'

const searchForArtist = (artist: string) => goTo(`/search/result?${new URLSearchParams({ artist })}`)

/** The menu of one song, opened with “…”, a right click or the menu key in every list. */
export function SongMenuItems({ song, at, opener, owner, onPlay, onSelect }: OpenMenu) {
  return (
    <Menu
      label={format(texts.by, { title: song.title, artist: song.artist })}
      at={at}
      onClose={closeSongMenu}
      returnTo={opener}
    >
      <MenuGroup title={song.title}>
        <QueueItems song={song} owner={owner} />
        {onSelect && (
          <MenuItem icon={<IconSquareCheck size={16} />} onSelect={onSelect}>
            {texts.selectSong}
          </MenuItem>
        )}
      </MenuGroup>
      <MenuGroup>
        <SaveItems song={song} />
        <MenuItem icon={<IconVersions size={16} />} onSelect={() => openVersions(song, opener, onPlay)}>
          {format(texts.versionCount, { count: song.version.length })}
        </MenuItem>
        <MenuItem icon={<IconArrowDown size={16} />} onSelect={() => void downloadSong(song.entity_id, song.title)}>
          {texts.downloadAllVersions}
        </MenuItem>
        <SendItem song={song} />
      </MenuGroup>
      {owner?.songActions && <ListActionItems song={song} actions={owner.songActions} />}
      <MenuGroup>
        <MenuItem icon={<IconMusic size={16} />} onSelect={() => goTo(`/song/${song.entity_id}`)}>
          {texts.goToSong}
        </MenuItem>
        <MenuItem icon={<IconVinyl size={16} />} onSelect={() => goTo(`/song/${song.entity_id}#mixes`)}>
          {texts.findCompatibleSongs}
        </MenuItem>
        <MenuItem icon={<IconUser size={16} />} onSelect={() => searchForArtist(song.artist)}>
          {texts.seeMoreByThisArtist}
        </MenuItem>
        <MenuItem icon={<IconLink size={16} />} onSelect={() => void copySongLink(song)}>
          {texts.copyLink}
        </MenuItem>
      </MenuGroup>
    </Menu>
  )
}

type SongItemsProps = { song: catalogue.Song; owner?: ListOwner | undefined }

function QueueItems({ song, owner }: SongItemsProps) {
  const [entry] = toQueueEntries([song], owner?.playlist_id)
  if (!entry) return null
  return (
    <>
      <MenuItem icon={<IconPlayerTrackNext size={16} />} onSelect={() => playerActions.playNext(entry)}>
        {texts.playNext}
      </MenuItem>
      <MenuItem icon={<IconPlaylistAdd size={16} />} onSelect={() => playerActions.enqueue(entry)}>
        {texts.addToQueue}
      </MenuItem>
    </>
  )
}

/** Sends the versions that the member prefers. */
function SendItem({ song }: SongItemsProps) {
  const label = useSendLabel()
  const versions = preferredVersions(song).map(({ song_version_id }) => song_version_id)
  if (!label || versions.length === 0) return null
  const title = format(texts.by, { title: song.title, artist: song.artist })
  return (
    <MenuItem
      icon={<IconCloudUp size={16} />}
      onSelect={() => chooseSend({ title, source: { song_version_ids: versions, title: title.slice(0, 200) } })}
    >
      {label}
    </MenuItem>
  )
}

function SaveItems({ song }: SongItemsProps) {
  const favourite = useLibrary(({ favourites }) => favourites.has(song.entity_id))
  const inCrate = useLibrary(({ crateSongs }) => crateSongs.has(song.entity_id))
  return (
    <>
      <MenuItem icon={<IconBasket size={16} />} onSelect={() => void toggleCrate(song)}>
        {inCrate ? texts.removeFromCrate : texts.addToCrate}
      </MenuItem>
      <MenuItem
        icon={favourite ? <IconHeartFilled size={16} /> : <IconHeart size={16} />}
        onSelect={() => void toggleFavourite(song.entity_id, song.title)}
      >
        {favourite ? texts.removeFromFavourites : texts.addToFavourites}
      </MenuItem>
      <MenuItem icon={<IconPlaylist size={16} />} onSelect={() => choosePlaylist([song])}>
        {texts.addToPlaylist}
      </MenuItem>
    </>
  )
}

const ListActionItems = ({ song, actions }: SongItemsProps & { actions: NonNullable<ListOwner['songActions']> }) => (
  <MenuGroup>
    {actions.map(({ text, icon, run }) => (
      <MenuItem key={text} icon={icon} onSelect={() => run([song])}>
        {text}
      </MenuItem>
    ))}
  </MenuGroup>
)
