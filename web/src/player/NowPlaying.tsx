import { IconCheck, IconDots, IconHeart, IconHeartFilled, IconPlus } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { artistLink } from '../catalogue/addresses.ts'
import { KeyBadge } from '../catalogue/KeyBadge.tsx'
import { loadSongMenu, openSongMenu } from '../catalogue/songMenu.ts'
import { tempoOf } from '../catalogue/versionTempo.ts'
import { formatBpmRange } from '../format/format.ts'
import { toggleCrate, toggleFavourite, useLibrary } from '../library/library.ts'
import { IconButton } from '../ui/IconButton.tsx'
import css from './NowPlaying.module.css'
import type { Entry } from './queue.ts'
import * as texts from './texts.ts'

type LinksProps = { entry: Entry; onFollow?: () => void }

/** The title links to the song, the artist to all their songs. */
export const SongLinks = ({ entry: { song }, onFollow }: LinksProps) => (
  <>
    <Link
      to="/song/$entityId"
      params={{ entityId: song.entity_id }}
      className={css.title}
      title={song.title}
      onClick={onFollow}
    >
      {song.title}
    </Link>
    <Link {...artistLink(song.artist)} className={css.artist} title={song.artist} data-artist onClick={onFollow}>
      {song.artist}
    </Link>
  </>
)

/** Version, BPM and key. */
export function SongFacts({ entry: { song, version } }: { entry: Entry }) {
  const { min_bpm, max_bpm, song_key } = tempoOf(song, version)
  return (
    <span className={css.facts}>
      <b title={version.version_label}>{version.version_label}</b>
      <span className="num" title={texts.bpm}>
        {formatBpmRange(min_bpm, max_bpm)}
      </span>
      <KeyBadge songKey={song_key} />
    </span>
  )
}

const ignore = () => undefined

/** Opens the menu of a song. The phone's player sheet covers everything, so it closes first. */
function openMenu(song: Entry['song'], button: HTMLElement) {
  button.closest('dialog')?.close()
  openSongMenu(song, button)
}

/** Buttons for the current song: favourite, crate and its menu. */
export function KeepButtons({ entry: { song } }: { entry: Entry }) {
  const isFavourite = useLibrary(({ favourites }) => favourites.has(song.entity_id))
  const isInCrate = useLibrary(({ crateSongs }) => crateSongs.has(song.entity_id))
  return (
    <>
      <IconButton
        label={isFavourite ? texts.removeFromFavourites : texts.addToFavourites}
        shortcut="L"
        data-active={isFavourite || undefined}
        onClick={() => toggleFavourite(song.entity_id, song.title)}
      >
        {isFavourite ? <IconHeartFilled size={18} /> : <IconHeart size={18} />}
      </IconButton>
      <IconButton
        label={isInCrate ? texts.removeFromCrate : texts.addToCrate}
        shortcut="C"
        data-active={isInCrate || undefined}
        onClick={() => toggleCrate(song)}
      >
        {isInCrate ? <IconCheck size={18} /> : <IconPlus size={18} />}
      </IconButton>
      <IconButton
        label={texts.moreOptionsForTheCurrent}
        aria-haspopup="menu"
        onPointerEnter={() => void loadSongMenu().catch(ignore)}
        onClick={(event) => openMenu(song, event.currentTarget)}
      >
        <IconDots size={18} />
      </IconButton>
    </>
  )
}
