// biome-ignore-all lint/a11y/useSemanticElements: a real table cannot be laid out as these rows are
import type { catalogue } from '@dubplate/contract'
import {
  IconBasketFilled,
  IconChevronDown,
  IconDots,
  IconHeart,
  IconHeartFilled,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
  IconPlus,
} from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type FocusEvent, type MouseEvent, memo, type ReactNode, useRef } from 'react'
import { count, formatBpmRange, formatDuration, formatExactDate, formatShortDate } from '../format/format.ts'
import { format, rich } from '../format/message.ts'
import { toggleCrate, toggleFavourite, useLibrary } from '../library/library.ts'
import { preferredVersion } from '../library/preferredVersion.ts'
import { OwnedMark } from '../ownLibrary/OwnedMark.tsx'
import { useOwned } from '../ownLibrary/owned.ts'
import { imageAt } from '../platform/media.ts'
import { prepareOnPress } from '../player/prepareOnPress.ts'
import { currentEntry, playerActions, usePlayer } from '../player/store.ts'
import { IconButton } from '../ui/IconButton.tsx'
import { lazyOptional } from '../ui/lazyOnDemand.tsx'
import { artistLink, labelLink } from './addresses.ts'
import { Equaliser } from './Equaliser.tsx'
import { KeyBadge } from './KeyBadge.tsx'
import { visibleVersions } from './listLayout.ts'
import type { ListOwner } from './listOwner.ts'
import type { Column } from './listView.ts'
import { fittingPitch, formatPitch } from './mixing.ts'
import type { Ranked } from './Rank.tsx'
import { isSelectedIn, useRowSelection } from './rowSelection.ts'
import css from './SongRow.module.css'
import title from './SongTitle.module.css'
import type { ListedSong, TempoMark } from './searchCloseness.ts'
import { loadSongMenu, openVersions } from './songMenu.ts'
import * as texts from './texts.ts'
import { CAN_DRAG } from './useRowGestures.ts'
import chip from './VersionChip.module.css'
import { VersionChip } from './VersionChip.tsx'
import { tempoOf } from './versionTempo.ts'

const Rank = lazyOptional(() => import('./Rank.tsx').then((code) => code.Rank))
const MiniWave = lazyOptional(() => import('./MiniWave.tsx').then((code) => code.MiniWave))

/** Long enough to be intentional, short enough that the audio is ready when the button is clicked. */
const REST_MS = 150

/** Rows below this one are off the first screen: their covers load lazily. */
const FIRST_SCREEN_ROWS = 9

export const isRanked = (song: object): song is Ranked => 'rank' in song

export type PlayInList = (song: catalogue.Song, version: catalogue.Version, positionSeconds?: number) => void

type Props = {
  song: ListedSong
  /** Shown in the # column. */
  number: number
  play: PlayInList
  /** Opens the menu of the song; the row selects itself from it on touch screens. */
  openMenu: (song: catalogue.Song, opener: HTMLElement, point?: { x: number; y: number }) => void
  /** The id of the list the row belongs to. */
  list: string
  /** The columns that fit into the list, in their order. */
  columns: readonly Column[]
  versionsWidth: number
  /** True for the one row of a list whose controls are in the tab order. */
  isTabStop: boolean
  owner?: ListOwner | undefined
  /** A tag next to the title: how the song matched. */
  tag?: string | undefined
  /** Marks a song whose tempo is double or half of the one searched for. */
  tempoMark?: TempoMark | undefined
}

/** The playback state of this row. Its values change rarely, so that a row is not rendered for every other song. */
function usePlayingHere(song: catalogue.Song) {
  const playingId = usePlayer((player) => {
    const entry = currentEntry(player)
    return entry?.song.entity_id === song.entity_id ? entry.version.song_version_id : undefined
  })
  const isCurrent = playingId !== undefined
  const isPlaying = usePlayer((player) => isCurrent && player.playing)
  const pitch = usePlayer((player) => {
    const entry = currentEntry(player)
    if (!entry || entry.song.entity_id === song.entity_id) return undefined
    return fittingPitch(tempoOf(entry.song, entry.version), song)
  })
  return { playingId, isCurrent, isPlaying, pitch }
}

/** Preloads the start of a song, and the code of its menu, after the pointer or the focus has rested on its row. */
function usePreload(song: catalogue.Song, version: catalogue.Version | undefined) {
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const preload = () => {
    // The error is shown if the menu is opened and its code still can't be loaded.
    loadSongMenu().catch(ignore)
    if (version) import('../player/preload.ts').then(({ preload }) => preload({ song, version })).catch(ignore)
  }
  const preloadSoon = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(preload, REST_MS)
  }
  const stop = () => clearTimeout(timer.current)
  const onFocus = ({ target }: FocusEvent) => {
    // A button that was pressed with the mouse is focused, too.
    if (target.matches(':focus-visible')) preloadSoon()
  }
  return { onPointerEnter: preloadSoon, onPointerLeave: stop, onFocus, onBlur: stop }
}

const ignore = () => undefined

const isOnControl = (event: MouseEvent) => !!(event.target as Element).closest('button, a, input')

export const SongRow = memo(function SongRow(props: Props) {
  const { song, number, play, openMenu, list, columns, versionsWidth, isTabStop, owner, tag, tempoMark } = props
  const { playingId, isCurrent, isPlaying, pitch } = usePlayingHere(song)
  const isSelected = useRowSelection(isSelectedIn(list, song.entity_id))
  const first = preferredVersion(song)
  const preloading = usePreload(song, first)
  const tabIndex = isTabStop ? 0 : -1
  const toggle = () => {
    if (isCurrent) playerActions.toggle()
    else if (first) play(song, first)
  }
  /** Opens the menu at the pointer; opened by keyboard, under the focused element. */
  const openMenuHere = (event: MouseEvent<HTMLElement>) => {
    event.preventDefault()
    const row = event.currentTarget
    const opener = row.contains(document.activeElement) ? (document.activeElement as HTMLElement) : row
    openMenu(song, opener, event.button === 2 ? { x: event.clientX, y: event.clientY } : undefined)
  }
  const seek = (fraction: number) => {
    const version = song.version.find(({ song_version_id }) => song_version_id === playingId) ?? first
    if (version) play(song, version, fraction * version.duration_seconds)
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
      onContextMenu={openMenuHere}
      {...preloading}
    >
      {owner?.Handle && (
        <div role="cell">
          <owner.Handle song={song} tabIndex={tabIndex} />
        </div>
      )}
      <div role="cell" className={`${css.number} num`}>
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
      <div role="cell" className={css.cover} draggable={CAN_DRAG}>
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
          tabIndex={tabIndex}
          className={css.coverPlay}
          disabled={!first}
          aria-label={format(isPlaying ? texts.pauseSong : texts.playSong, { title: song.title, artist: song.artist })}
          title={isPlaying ? texts.pauseSpace : texts.play}
          onPointerDown={first && prepareOnPress({ song, version: first })}
          onClick={toggle}
        >
          {isPlaying ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
        </button>
      </div>
      <SongTitle
        song={song}
        tag={tag}
        tabIndex={tabIndex}
        onPlay={versionsWidth > 0 ? undefined : (version) => play(song, version)}
      />
      {versionsWidth > 0 && <Versions song={song} width={versionsWidth} play={play} tabIndex={tabIndex} />}
      {columns.map((column) => (
        <div key={column} role="cell" className={column === 'wave' ? undefined : `${css.quiet} num`}>
          {column === 'wave' ? <MiniWave wave={song.wave} onSeek={seek} /> : CELLS[column](song, tabIndex)}
        </div>
      ))}
      <div role="cell" className={`${css.bpm} num`} data-fits={pitch !== undefined || undefined}>
        <span data-range={song.min_bpm !== song.max_bpm || undefined}>
          {tempoMark && (
            <span className={css.tempo} title={tempoMark.meaning}>
              <span aria-hidden>{tempoMark.sign}</span>
              <span className="sr">{tempoMark.meaning}, </span>
            </span>
          )}
          {formatBpmRange(song.min_bpm, song.max_bpm)}
        </span>
        {pitch !== undefined && (
          <small title={texts.fitsPitch}>
            {formatPitch(pitch)}
            <span className="sr"> {texts.fitsPlaying}</span>
          </small>
        )}
      </div>
      <div role="cell">
        <KeyBadge songKey={song.song_key} mixes={pitch !== undefined} />
      </div>
      <Actions song={song} openMenu={openMenu} tabIndex={tabIndex} />
    </div>
  )
})

/** What the columns that can be chosen show. */
const CELLS: Record<Exclude<Column, 'wave'>, (song: catalogue.Song, tabIndex: number) => ReactNode> = {
  genre: ({ genres }) => genres[0]?.name,
  label: ({ label }, tabIndex) =>
    label && (
      <Link {...labelLink(label)} tabIndex={tabIndex} className={css.label} title={label}>
        {label}
      </Link>
    ),
  length: (song) => formatDuration(preferredVersion(song)?.duration_seconds ?? 0),
  plays: ({ plays }) => count(plays),
  date: ({ created_at }) => (
    <time dateTime={created_at} title={formatExactDate(created_at)}>
      {formatShortDate(created_at)}
    </time>
  ),
}

type PartProps = { song: catalogue.Song; tabIndex: number }

type TitleProps = PartProps & {
  tag: string | undefined
  /** Set in a narrow list, which has no chips: a button opens the versions. */
  onPlay: ((version: catalogue.Version) => void) | undefined
}

function SongTitle({ song, tag, tabIndex, onPlay }: TitleProps) {
  return (
    <div role="cell" className={title.title} draggable={CAN_DRAG} data-tagged={tag && ''}>
      <Link
        to="/song/$entityId"
        params={{ entityId: song.entity_id }}
        tabIndex={tabIndex}
        className={title.name}
        title={song.title}
        data-testid="song-title"
      >
        {song.title}
      </Link>
      {tag && <small className={title.tag}>{tag}</small>}
      <span className={title.byline}>
        <OwnedMark songId={song.entity_id} />
        <Link {...artistLink(song.artist)} tabIndex={tabIndex} className={title.artist} title={song.artist}>
          {song.artist}
        </Link>
        {onPlay && (
          <button
            type="button"
            tabIndex={tabIndex}
            className={title.versionCount}
            aria-haspopup="dialog"
            onClick={({ currentTarget }) => openVersions(song, currentTarget, onPlay)}
          >
            {format(texts.versionCount, { count: song.version.length })}
            <IconChevronDown size={12} aria-hidden />
          </button>
        )}
      </span>
    </div>
  )
}

const versionIds = ({ version }: catalogue.Song, isIn: (id: number) => boolean) =>
  version.flatMap(({ song_version_id: id }) => (isIn(id) ? id : [])).join()

type VersionsProps = PartProps & { width: number; play: PlayInList }

/** The chips that fit on one line, and a button for the other versions. */
function Versions({ song, width, play, tabIndex }: VersionsProps) {
  // A text, because a new array would render the row on every change of the crate.
  const inCrate = useLibrary(({ crateVersions }) => versionIds(song, (id) => crateVersions.has(id))).split(',')
  const preferred = preferredVersion(song)
  const owned = useOwned(({ versions }) => versionIds(song, (id) => versions.has(id))).split(',')
  const visible = visibleVersions(song.version, width, {
    order: (version) => (inCrate.includes(String(version.song_version_id)) ? 0 : version === preferred ? 1 : 2),
    isOwned: ({ song_version_id }) => owned.includes(String(song_version_id)),
  })
  const hidden = song.version.length - visible.length
  const onPlay = (version: catalogue.Version) => play(song, version)
  return (
    <div role="cell" className={css.versions}>
      {visible.map((version) => (
        <VersionChip key={version.song_version_id} song={song} version={version} onPlay={onPlay} tabIndex={tabIndex} />
      ))}
      {hidden > 0 && (
        <button
          type="button"
          tabIndex={tabIndex}
          className={chip.more}
          aria-haspopup="dialog"
          onClick={({ currentTarget }) => openVersions(song, currentTarget, onPlay)}
        >
          {rich(texts.moreVersions, { count: hidden, hidden: (inside) => <span className="sr">{inside}</span> })}
        </button>
      )}
    </div>
  )
}

function Actions({ song, openMenu, tabIndex }: PartProps & Pick<Props, 'openMenu'>) {
  const favourite = useLibrary(({ favourites }) => favourites.has(song.entity_id))
  const inCrate = useLibrary(({ crateSongs }) => crateSongs.has(song.entity_id))
  return (
    <div role="cell" className={css.actions}>
      <IconButton
        label={format(inCrate ? texts.removeFromCrateLabel : texts.addToCrateLabel, { title: song.title })}
        tabIndex={tabIndex}
        data-active={inCrate || undefined}
        onClick={() => void toggleCrate(song)}
      >
        {inCrate ? <IconBasketFilled size={17} /> : <IconPlus size={17} />}
      </IconButton>
      <IconButton
        label={format(favourite ? texts.removeFromFavouritesLabel : texts.addToFavouritesLabel, { title: song.title })}
        tabIndex={tabIndex}
        data-active={favourite || undefined}
        onClick={() => void toggleFavourite(song.entity_id, song.title)}
      >
        {favourite ? <IconHeartFilled size={17} /> : <IconHeart size={17} />}
      </IconButton>
      <IconButton
        label={format(texts.moreOptionsFor, { title: song.title })}
        tabIndex={tabIndex}
        aria-haspopup="menu"
        onClick={(event) => openMenu(song, event.currentTarget)}
      >
        <IconDots size={17} />
      </IconButton>
    </div>
  )
}
