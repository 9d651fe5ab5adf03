// biome-ignore-all lint/a11y/useSemanticElements: a real table cannot be laid out as these rows are
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus goes to the controls inside

import type { catalogue } from '@dubplate/contract'
import { type CSSProperties, Fragment, type ReactNode, useCallback, useId, useMemo } from 'react'
import { preferredVersion } from '../library/preferredVersion.ts'
import { playerActions } from '../player/store.ts'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import { useLatest } from '../ui/useLatest.ts'
import { useProgressiveCount } from '../ui/useProgressiveCount.ts'
import { ColumnChoice } from './ColumnChoice.tsx'
import { useColumns } from './columnChoice.ts'
import type { ListOwner } from './listOwner.ts'
import { isRanked } from './Rank.tsx'
import { RowSkeleton } from './RowSkeleton.tsx'
import { useRowSelection } from './rowSelection.ts'
import css from './SongList.module.css'
import { type PlayInList, SongRow } from './SongRow.tsx'
import { type Order, SortHeader, type Sorting } from './SortHeader.tsx'
import { closenessTag, dividersOf, type ListedSong, newBadge } from './searchCloseness.ts'
import * as texts from './texts.ts'
import { useRowGestures } from './useRowGestures.ts'

const RowSelectionBar = lazyOnDemand(() => import('./RowSelectionBar.tsx').then((code) => code.RowSelectionBar))

/** The number of rows on the first screen, and how many are rendered per step after that. */
const ROWS_DRAWN = { initialCount: innerWidth < 768 ? 3 : 8, step: 2 }
const ROWS_BELOW = { ...ROWS_DRAWN, initialCount: 0 }
const COLUMNS = 10

type Props = {
  songs: ListedSong[]
  label: string
  /** The number of the first song: 25 on the second page. */
  from?: number
  /** How the list can be sorted; without it the headings are plain text. */
  sorting?: Sorting
  /** True while the next page is loading and the previous one is still shown. */
  isStale?: boolean
  /** The playlist these songs belong to. */
  owner?: ListOwner | undefined
  /** Songs added after this time are marked as new. */
  newSince?: string | undefined
  /** The list is below the first screen: its rows are rendered when the browser is idle. */
  isBelowFold?: boolean
}

/** Plays a song, with the rest of the list after it. */
function usePlayInList(songs: catalogue.Song[], playlist_id: number | undefined): PlayInList {
  const songsRef = useLatest(songs)
  return useCallback(
    (song, version, at) => {
      const entries = songsRef.current.flatMap((each) => {
        if (each.entity_id === song.entity_id) return { song, version, playlist_id }
        const first = preferredVersion(each)
        return first ? { song: each, version: first, playlist_id } : []
      })
      playerActions.play({ song, version, playlist_id }, { list: entries, at })
    },
    [songsRef, playlist_id],
  )
}

export function SongList({
  songs,
  label,
  from = 1,
  sorting,
  isStale = false,
  owner,
  newSince,
  isBelowFold = false,
}: Props) {
  const play = usePlayInList(songs, owner?.playlist_id)
  const id = useId()
  const gestures = useRowGestures(useMemo(() => ({ id, songs, owner }), [id, songs, owner]))
  const isSelecting = useRowSelection(({ list }) => list?.id === id)
  const hidden = useColumns((columns) => columns.hidden)
  const shown = songs.slice(0, useProgressiveCount(songs.length, isBelowFold ? ROWS_BELOW : ROWS_DRAWN))
  // Sorted by a heading, exact and similar results are mixed: each similar one then has a tag instead.
  const isSortedByUser = sorting?.sort.order !== undefined
  const dividers = isSortedByUser ? undefined : dividersOf(songs)
  return (
    <div
      className={css.list}
      role="table"
      aria-label={label}
      aria-rowcount={songs.length + (dividers?.size ?? 0) + 1}
      aria-busy={isStale || undefined}
      data-hide={hidden.join(' ')}
      data-lead={owner?.Handle && ''}
      data-ranked={songs.some(isRanked) || undefined}
    >
      <ColumnHeaders sorting={sorting} hasLeadColumn={!!owner?.Handle} />
      <div
        role="rowgroup"
        className={css.rows}
        style={{ '--n': songs.length } as CSSProperties}
        data-testid="songs"
        {...gestures}
      >
        {shown.map((song, i) => (
          <Fragment key={song.entity_id}>
            {dividers?.has(song.entity_id) && <Divider>{dividers.get(song.entity_id)}</Divider>}
            <SongRow
              song={song}
              number={from + i}
              play={play}
              list={id}
              owner={owner}
              tag={newBadge(song, newSince) ?? (isSortedByUser ? closenessTag(song) : undefined)}
            />
          </Fragment>
        ))}
      </div>
      {isSelecting && <RowSelectionBar />}
    </div>
  )
}

function ColumnHeaders({ sorting, hasLeadColumn }: { sorting: Sorting | undefined; hasLeadColumn: boolean }) {
  const sortableHeader = (order: Order, text: string, className = '') => (
    <SortHeader order={order} text={text} className={className} sorting={sorting} />
  )
  return (
    <div role="rowgroup" className={css.heads}>
      <div role="row" className={css.head}>
        {hasLeadColumn && <ColumnHeader area="lead" text={texts.move} hidden />}
        <ColumnHeader area="number" text="#" />
        <ColumnHeader area="cover" text={texts.cover} hidden />
        {sortableHeader('title', texts.title)}
        <ColumnHeader area="versions" text={texts.versions} />
        <ColumnHeader area="wave" text={texts.waveform} hidden />
        <ColumnHeader area="genre" text={texts.genre} />
        {sortableHeader('min_bpm', texts.bpmLabel, css.bpm)}
        {sortableHeader('song_key', texts.key, css.key)}
        {sortableHeader('created_at', texts.columnAdded, css.date)}
        <div role="columnheader" className={css.actions}>
          <span className="sr">{texts.actions}</span>
          <ColumnChoice />
        </div>
      </div>
    </div>
  )
}

const ColumnHeader = ({ area, text, hidden = false }: { area: string; text: string; hidden?: boolean }) => (
  <div role="columnheader" className={css[area]}>
    {hidden ? <span className="sr">{text}</span> : text}
  </div>
)

/** The divider above songs that match in another way than those before. */
const Divider = ({ children }: { children: ReactNode }) => (
  <div role="row" className={css.divider}>
    <div role="cell" aria-colspan={COLUMNS}>
      {children}
    </div>
  </div>
)

/** Placeholder at the height of the list while its songs load, so that nothing moves. */
export function SongListSkeleton({ rows = 24 }: { rows?: number }) {
  return (
    <div className={css.list}>
      <div className={css.heads}>
        <div className={css.head} />
      </div>
      <div className={css.rows} aria-busy style={{ '--n': rows } as CSSProperties}>
        <span className="sr">{texts.loadingSongs}</span>
        {Array.from({ length: rows }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
          <RowSkeleton key={i} number={i} />
        ))}
      </div>
    </div>
  )
}
