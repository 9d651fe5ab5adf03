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
import { type MouseEvent, memo, useRef } from 'react'
import { formatBpmRange, formatExactDate, formatShortDate } from '../format/format.ts'
import { format } from '../format/message.ts'
import { toggleCrate, toggleFavourite, useLibrary } from '../library/library.ts'
import { preferredVersion } from '../library/preferredVersion.ts'
import { imageAt } from '../platform/media.ts'
import { isSignedIn } from '../platform/session.ts'
import { currentEntry, playerActions, usePlayer } from '../player/store.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { Equaliser } from './Equaliser.tsx'
import { KeyBadge } from './KeyBadge.tsx'
import type { ListOwner } from './listOwner.ts'
import { MiniWave } from './MiniWave.tsx'
import { keyMatches, tempoMatches } from './mixing.ts'
import { isRanked, Rank, rankText } from './Rank.tsx'
import { isSelectedIn, useRowSelection } from './rowSelection.ts'
import css from './SongRow.module.css'
import { type ListedSong, TEMPO_MARKS } from './searchCloseness.ts'
import { loadSongMenu, openSongMenu } from './songMenu.ts'
import * as texts from './texts.ts'
import { VersionChip } from './VersionChip.tsx'

/** Long enough to be intentional, short enough that the audio is ready when the button is clicked. */
const HOVER_MS = 150

/** Rows below this one are off the first screen: their covers load lazily. */
const FIRST_SCREEN_ROWS = 9

/** Visitors hear a clip of this length, in seconds; members hear the whole song. */
const CLIP_SECONDS = 30

const audibleSeconds = ({ duration_seconds }: catalogue.Version) =>
  isSignedIn() ? duration_seconds : Math.min(CLIP_SECONDS, duration_seconds)

export type PlayInList = (song: catalogue.Song, version: catalogue.Version, positionSeconds?: number) => void

type Props = {
  song: ListedSong
  /** Shown in the # column. */
  number: number
  play: PlayInList
  /** The id of the list the row belongs to. */
  list: string
  owner?: ListOwner | undefined
  /** A tag next to the title: how the song matched. */
  tag?: string | undefined
}

/** The playback state of this row. */
function usePlayingHere(song: catalogue.Song) {
  const playing = usePlayer(currentEntry)
  const playingSong = playing?.song
  const isCurrent = playingSong?.entity_id === song.entity_id
  const isPlaying = usePlayer((player) => isCurrent && player.playing)
  const otherSong = isCurrent ? undefined : playingSong
  return {
    isCurrent,
    isPlaying,
    /** The version of this song that is loaded in the player. */
    playingVersion: isCurrent ? playing?.version : undefined,
    keyMixes: !!otherSong && keyMatches(otherSong, song),
    tempoMixes: !!otherSong && tempoMatches(otherSong, song),
  }
}

/** Preloads the start of a song, and the code of its menu, after the pointer has rested on its row. */
function usePreloadOnHover(song: catalogue.Song, version: catalogue.Version | undefined) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const preload = () => {
    // The error is shown if the menu is opened and its code still can't be loaded.
    loadSongMenu().catch(() => undefined)
    if (version) playerActions.preload({ song, version })
  }
  return {
    onPointerEnter: () => {
      timer.current = setTimeout(preload, HOVER_MS)
    },
    onPointerLeave: () => clearTimeout(timer.current),
  }
}

const isOnControl = (event: MouseEvent) => !!(event.target as Element).closest('button, a, input')

/** Opens the menu at the pointer; opened by keyboard, under the focused element. */
function openMenuOf(song: catalogue.Song, event: MouseEvent<HTMLElement>, owner: ListOwner | undefined) {
  event.preventDefault()
  const row = event.currentTarget
  const focused = row.contains(document.activeElement) ? (document.activeElement as HTMLElement) : undefined
  const opener = focused ?? row.querySelector<HTMLElement>('[data-row-play]') ?? row
  const { left, bottom } = opener.getBoundingClientRect()
  const isByMouse = event.button === 2
  const point = isByMouse ? { x: event.clientX, y: event.clientY } : { x: left, y: bottom }
  openSongMenu(song, opener, { point, owner })
}

/** Touch screens have no hover, and a draggable row could not be scrolled by touch. */
const canDrag = matchMedia('(hover: hover) and (pointer: fine)').matches

export const SongRow = memo(function SongRow({ song, number, play, list, owner, tag }: Props) {
  const { isCurrent, isPlaying, playingVersion, keyMixes, tempoMixes } = usePlayingHere(song)
  const isSelected = useRowSelection(isSelectedIn(list, song.entity_id))
  const first = preferredVersion(song)
  const hover = usePreloadOnHover(song, first)
  const toggle = () => {
    if (isCurrent) playerActions.toggle()
    else if (first) play(song, first)
  }
  return (
    <div
      role="row"
      className={css.row}
      tabIndex={-1}
      aria-selected={isSelected}
      data-row
      data-song={song.entity_id}
      data-current={isCurrent || undefined}
      data-playing-row={isCurrent || undefined}
      data-testid="song-row"
      onDoubleClick={(event) => isOnControl(event) || toggle()}
      onContextMenu={(event) => openMenuOf(song, event, owner)}
      {...hover}
    >
      {owner?.Handle && (
        <div role="cell" className={css.lead}>
          <owner.Handle song={song} />
        </div>
      )}
      <div role="cell" className={`${css.number} num`} title={isRanked(song) ? rankText(song) : undefined}>
        <span>{isPlaying ? <Equaliser /> : isRanked(song) ? <Rank {...song} /> : number}</span>
        <input
          type="checkbox"
          data-select
          tabIndex={-1}
          aria-label={format(texts.select, { title: song.title })}
          title={texts.selectX}
          checked={isSelected}
          readOnly
        />
      </div>
      <div role="cell" className={css.cover} draggable={canDrag}>
        <img
          src={imageAt(song.image, 96)}
          alt=""
          width={44}
          height={44}
          draggable={false}
          loading={number > FIRST_SCREEN_ROWS ? 'lazy' : undefined}
          decoding="async"
        />
        <button
          type="button"
          data-row-play
          className={css.play}
          disabled={!first}
          aria-label={format(isPlaying ? texts.pauseSong : texts.playSong, { title: song.title, artist: song.artist })}
          title={isPlaying ? texts.pauseSpace : texts.play}
          onClick={toggle}
        >
          {isPlaying ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
        </button>
      </div>
      <SongTitle song={song} tag={tag} />
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
            const version = playingVersion ?? first
            if (version) play(song, version, fraction * audibleSeconds(version))
          }}
        />
      </div>
      <div role="cell" className={css.genre}>
        {song.genres[0]?.name}
      </div>
      <div role="cell" className={`${css.bpm} num`} data-mixes={tempoMixes || undefined}>
        <TempoMark found={song.found} />
        {formatBpmRange(song.min_bpm, song.max_bpm)}
        {tempoMixes && <span className="sr"> {texts.withinTempoRange}</span>}
      </div>
      <div role="cell" className={css.key}>
        <KeyBadge songKey={song.song_key} mixes={keyMixes} />
      </div>
      <div role="cell" className={`${css.date} num`}>
        <time dateTime={song.created_at} title={formatExactDate(song.created_at)}>
          {formatShortDate(song.created_at)}
        </time>
      </div>
      <Actions song={song} owner={owner} />
    </div>
  )
})

/** Marks a song whose tempo is double or half of the one searched for. */
function TempoMark({ found: match }: Pick<ListedSong, 'found'>) {
  if (!match || match.tempo === 'same') return null
  const { sign, meaning } = TEMPO_MARKS[match.tempo]
  return (
    <span className={css.tempo} title={meaning}>
      <span aria-hidden>{sign}</span>
      <span className="sr">{meaning}, </span>
    </span>
  )
}

function SongTitle({ song, tag }: { song: catalogue.Song; tag: string | undefined }) {
  return (
    <div role="cell" className={css.title} draggable={canDrag} data-tagged={tag && ''}>
      <Link
        to="/song/$entityId"
        params={{ entityId: song.entity_id }}
        className={css.name}
        title={song.title}
        data-testid="song-title"
      >
        {song.title}
      </Link>
      {tag && <small className={css.tag}>{tag}</small>}
      <Link to="/search/result/{-$term}" search={{ artist: song.artist }} className={css.artist} title={song.artist}>
        {song.artist}
      </Link>
    </div>
  )
}

function Actions({ song, owner }: Pick<Props, 'song' | 'owner'>) {
  const favourite = useLibrary(({ favourites }) => favourites.has(song.entity_id))
  const inCrate = useLibrary(({ crateSongs }) => crateSongs.has(song.entity_id))
  return (
    <div role="cell" className={css.actions}>
      <IconButton
        label={
          favourite
            ? format(texts.removeFromFavouritesLabel, { title: song.title })
            : format(texts.addToFavouritesLabel, { title: song.title })
        }
        data-active={favourite || undefined}
        className={css.action}
        onClick={() => void toggleFavourite(song.entity_id)}
      >
        {favourite ? <IconHeartFilled size={17} /> : <IconHeart size={17} />}
      </IconButton>
      <IconButton
        label={
          inCrate
            ? format(texts.removeFromCrateLabel, { title: song.title })
            : format(texts.addToCrateLabel, { title: song.title })
        }
        data-active={inCrate || undefined}
        className={css.action}
        onClick={() => void toggleCrate(song)}
      >
        {inCrate ? <IconCheck size={17} stroke={2.4} /> : <IconPlus size={17} />}
      </IconButton>
      <IconButton
        label={format(texts.moreOptionsFor, { title: song.title })}
        aria-haspopup="menu"
        className={css.more}
        onClick={(event) => openSongMenu(song, event.currentTarget, { owner })}
      >
        <IconDots size={17} />
      </IconButton>
    </div>
  )
}
