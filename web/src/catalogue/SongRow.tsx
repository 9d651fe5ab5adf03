// biome-ignore-all lint/a11y/useSemanticElements: a real table cannot be laid out as these rows are
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus goes to the controls inside
import type { catalogue } from '@dubplate/contract'
import {
  IconCheck,
  IconDots,
  IconHeart,
  IconHeartFilled,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlus,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type CSSProperties, type MouseEvent, memo, useRef } from 'react'
import { toggleCrate, toggleFavourite, useLibrary } from '../library/library.ts'
import { bpmRange, exactDate, shortDate } from '../platform/format.ts'
import { imageAt } from '../platform/media.ts'
import { isSignedIn } from '../platform/session.ts'
import { currentEntry, playerActions, usePlayer } from '../player/store.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { KeyBadge } from './KeyBadge.tsx'
import { MiniWave } from './MiniWave.tsx'
import { keyMatches, tempoMatches } from './mixing.ts'
import css from './SongRow.module.css'
import { openSongMenu } from './songMenu.ts'
import { VersionChip } from './VersionChip.tsx'

/** Long enough to mean it, short enough that the first sound is there when the button is pressed. */
const HOVER_MS = 150

/** Rows below this one are off the first screen: their covers wait. */
const FIRST_SCREEN_ROWS = 9

/** A visitor hears a clip of this length, a member the whole song. */
const CLIP_SECONDS = 30

const audibleSeconds = ({ duration_seconds }: catalogue.Version) =>
  isSignedIn() ? duration_seconds : Math.min(CLIP_SECONDS, duration_seconds)

export type PlayInList = (song: catalogue.Song, version: catalogue.Version, at_seconds?: number) => void

type Props = { song: catalogue.Song /** What stands in the # column. */; number: number; play: PlayInList }

/** What the playing song says about this row. */
function usePlayingHere(song: catalogue.Song) {
  const playing = usePlayer(currentEntry)
  const playingSong = playing?.song
  const isCurrent = playingSong?.entity_id === song.entity_id
  const isPlaying = usePlayer((player) => isCurrent && player.playing)
  const other = isCurrent ? undefined : playingSong
  return {
    isCurrent,
    isPlaying,
    /** The version of this song that is in the player. */
    hereVersion: isCurrent ? playing?.version : undefined,
    keyMixes: !!other && keyMatches(other, song),
    tempoMixes: !!other && tempoMatches(other, song),
  }
}

/** Fetches the start of a song once the pointer has rested on its row. */
function usePreloadOnHover(song: catalogue.Song, version: catalogue.Version | undefined) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  return {
    onPointerEnter: () => {
      if (version) timer.current = setTimeout(() => playerActions.preload({ song, version }), HOVER_MS)
    },
    onPointerLeave: () => clearTimeout(timer.current),
  }
}

const isOnControl = (event: MouseEvent) => !!(event.target as Element).closest('button, a')

export const SongRow = memo(function SongRow({ song, number, play }: Props) {
  const { isCurrent, isPlaying, hereVersion, keyMixes, tempoMixes } = usePlayingHere(song)
  const first = song.version.find(({ available }) => available)
  const hover = usePreloadOnHover(song, first)
  const toggle = () => {
    if (isCurrent) playerActions.toggle()
    else if (first) play(song, first)
  }
  return (
    <div
      role="row"
      className={css.row}
      data-current={isCurrent || undefined}
      data-playing-row={isCurrent || undefined}
      data-testid="song-row"
      onDoubleClick={(event) => isOnControl(event) || toggle()}
      onContextMenu={(event) => {
        event.preventDefault()
        const button = event.currentTarget.querySelector<HTMLElement>('[data-row-play]')
        openSongMenu(song, button ?? event.currentTarget, { x: event.clientX, y: event.clientY })
      }}
      {...hover}
    >
      <div role="cell" className={`${css.number} num`}>
        {isPlaying ? <Equaliser /> : number}
      </div>
      <div role="cell" className={css.cover}>
        <img
          src={imageAt(song.image, 96)}
          alt=""
          width={44}
          height={44}
          loading={number > FIRST_SCREEN_ROWS ? 'lazy' : undefined}
          decoding="async"
        />
        <button
          type="button"
          data-row-play
          className={css.play}
          disabled={!first}
          aria-label={`${isPlaying ? 'Pause' : 'Play'} ${song.title} by ${song.artist}`}
          title={isPlaying ? 'Pause (space)' : 'Play'}
          onClick={toggle}
        >
          {isPlaying ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
        </button>
      </div>
      <Title song={song} />
      <div role="cell" className={css.versions}>
        {song.version.map((version) => (
          <VersionChip
            key={version.song_version_id}
            song={song}
            version={version}
            onPlay={(version) => play(song, version)}
          />
        ))}
      </div>
      <div role="cell" className={css.wave}>
        <MiniWave
          wave={song.wave}
          onSeek={(fraction) => {
            const version = hereVersion ?? first
            if (version) play(song, version, fraction * audibleSeconds(version))
          }}
        />
      </div>
      <div role="cell" className={css.genre}>
        {song.genres[0]?.name}
      </div>
      <div role="cell" className={`${css.bpm} num`} data-mixes={tempoMixes || undefined}>
        {bpmRange(song.min_bpm, song.max_bpm)}
        {tempoMixes && <span className="sr"> within reach of the playing tempo</span>}
      </div>
      <div role="cell" className={css.key}>
        <KeyBadge songKey={song.song_key} mixes={keyMixes} />
      </div>
      <div role="cell" className={`${css.date} num`}>
        <time dateTime={song.created_at} title={exactDate(song.created_at)}>
          {shortDate(song.created_at)}
        </time>
      </div>
      <Actions song={song} />
    </div>
  )
})

const Equaliser = () => (
  <span className={css.equaliser}>
    <span className="sr">Playing</span>
    <i />
    <i />
    <i />
  </span>
)

function Title({ song }: { song: catalogue.Song }) {
  return (
    <div role="cell" className={css.title}>
      <Link
        to="/song/$entityId"
        params={{ entityId: song.entity_id }}
        className={css.name}
        title={song.title}
        data-testid="song-title"
      >
        {song.title}
      </Link>
      <Link to="/search/result/{-$term}" search={{ artist: song.artist }} className={css.artist} title={song.artist}>
        {song.artist}
      </Link>
    </div>
  )
}

function Actions({ song }: { song: catalogue.Song }) {
  const favourite = useLibrary(({ favourites }) => favourites.has(song.entity_id))
  const inCrate = useLibrary(({ crateSongs }) => crateSongs.has(song.entity_id))
  return (
    <div role="cell" className={css.actions}>
      <IconButton
        label={`Favourite ${song.title}`}
        aria-pressed={favourite}
        className={css.action}
        onClick={() => void toggleFavourite(song.entity_id)}
      >
        {favourite ? <IconHeartFilled size={17} /> : <IconHeart size={17} />}
      </IconButton>
      <IconButton
        label={`Crate ${song.title}`}
        aria-pressed={inCrate}
        className={css.action}
        onClick={() => void toggleCrate(song.entity_id)}
      >
        {inCrate ? <IconCheck size={17} stroke={2.4} /> : <IconPlus size={17} />}
      </IconButton>
      <IconButton
        label={`More for ${song.title}`}
        aria-haspopup="menu"
        className={css.more}
        onClick={(event) => openSongMenu(song, event.currentTarget)}
      >
        <IconDots size={17} />
      </IconButton>
    </div>
  )
}

/** A row of the true height, for while the songs are on their way. */
export const RowSkeleton = ({ number }: { number: number }) => (
  <div className={css.row} aria-hidden style={{ '--delay': `${number * 40}ms` } as CSSProperties}>
    <i className={`${css.cover} ${css.bone}`} />
    <span className={`${css.title} ${css.lines}`}>
      <i className={css.bone} />
      <i className={css.bone} />
    </span>
    <i className={`${css.versions} ${css.bone} ${css.boneChips}`} />
  </div>
)
