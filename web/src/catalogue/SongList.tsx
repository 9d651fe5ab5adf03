// biome-ignore-all lint/a11y/useSemanticElements: a real table cannot be laid out as these rows are
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus goes to the controls inside

import type { catalogue } from '@dubplate/contract'
import { type CSSProperties, Fragment, useCallback, useId, useMemo, useRef, useState } from 'react'
import { preferredVersion } from '../library/preferredVersion.ts'
import { formatTimeAgo } from '../platform/timeAgo.ts'
import { playerActions } from '../player/store.ts'
import { lazyOnDemand, lazyOptional } from '../ui/lazyOnDemand.tsx'
import type { Point } from '../ui/Menu.tsx'
import { useLatest } from '../ui/useLatest.ts'
import { useProgressiveCount } from '../ui/useProgressiveCount.ts'
import { useListLayout } from './listLayout.ts'
import type { ListOwner } from './listOwner.ts'
import { COLUMN_NAMES, type Column, useListView } from './listView.ts'
import { useRowSelection } from './rowSelection.ts'
import css from './SongList.module.css'
import { isRanked, type PlayInList, SongRow } from './SongRow.tsx'
import { type Order, SortHeader, type Sorting } from './SortHeader.tsx'
import type { ListedSong, SearchMarks } from './searchCloseness.ts'
import { openSongMenu } from './songMenu.ts'
import * as texts from './texts.ts'
import { useRowGestures, withSelection } from './useRowGestures.ts'

const ColumnChoice = lazyOptional(() => import('./ColumnChoice.tsx').then((code) => code.ColumnChoice))
const RowSelectionBar = lazyOnDemand(() => import('./RowSelectionBar.tsx').then((code) => code.RowSelectionBar))

/** The number of rows on the first screen, and how many are rendered per step after that. */
const ROWS_DRAWN = { initialCount: innerWidth < 768 ? 5 : 8, step: 2 }
const ROWS_BELOW = { ...ROWS_DRAWN, initialCount: 0 }

type Props = {
  songs: ListedSong[]
  label: string
  /** The name of the list in the queue, if its label says more: “House”, not “Songs in House”. */
  playedFrom?: string | undefined
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
  /** A column that says nothing here: the genre on the page of a genre. */
  hiddenColumn?: Column | undefined
  /** How the songs of search results are marked. */
  marks?: SearchMarks | undefined
  /** Whether the columns have headings; the home page has none. */
  hasHeadings?: boolean
}

/** Plays a song, with the rest of the list after it. */
function usePlayInList(songs: catalogue.Song[], source: string, playlist_id: number | undefined): PlayInList {
  const songsRef = useLatest(songs)
  return useCallback(
    (song, version, at) => {
      const entries = songsRef.current.flatMap((each) => {
        if (each.entity_id === song.entity_id) return { song, version, playlist_id }
        const first = preferredVersion(each)
        return first ? { song: each, version: first, playlist_id } : []
      })
      playerActions.play({ song, version, playlist_id }, { list: entries, source, at })
    },
    [songsRef, source, playlist_id],
  )
}

export function SongList({
  songs,
  label,
  playedFrom = label,
  from = 1,
  sorting,
  isStale = false,
  owner,
  newSince,
  isBelowFold = false,
  hiddenColumn,
  marks,
  hasHeadings = true,
}: Props) {
  const play = usePlayInList(songs, playedFrom, owner?.playlist_id)
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  const { template, columns, versionsWidth, density } = useListLayout(list, !!owner?.Handle, hiddenColumn)
  const visibleList = useMemo(() => ({ id, songs, owner }), [id, songs, owner])
  const openMenu = useCallback(
    (song: catalogue.Song, opener: HTMLElement, point?: Point) =>
      openSongMenu(song, opener, {
        point,
        owner,
        onPlay: (version) => play(song, version),
        onSelect: () => withSelection(({ toggleRow }) => toggleRow(visibleList, song.entity_id)),
      }),
    [visibleList, owner, play],
  )
  const gestures = useRowGestures(visibleList, openMenu, list)
  const isSelecting = useRowSelection(({ list }) => list?.id === id)
  const [focusedId, setFocusedId] = useState<number>()
  const tabStop = songs.some(({ entity_id }) => entity_id === focusedId) ? focusedId : songs[0]?.entity_id
  const shown = songs.slice(0, useProgressiveCount(songs.length, isBelowFold ? ROWS_BELOW : ROWS_DRAWN))
  // Sorted by a heading, exact and similar results are mixed: each similar one then has a tag instead.
  const isSortedByUser = sorting?.sort.order !== undefined
  const dividers = isSortedByUser ? undefined : marks?.dividersOf(songs)
  const columnCount = columns.length + (owner?.Handle ? 8 : 7)
  const columnsKey = columns.join()
  // A new array would render every row again.
  const stableColumns = useMemo(() => columnsKey.split(',').filter(Boolean) as Column[], [columnsKey])
  return (
    <div
      ref={list}
      className={css.list}
      role="table"
      aria-label={label}
      aria-rowcount={songs.length + (dividers?.size ?? 0) + 1}
      aria-busy={isStale || undefined}
      data-density={density}
      data-lead={owner?.Handle && ''}
      data-ranked={songs.some(isRanked) || undefined}
      style={{ '--song-columns': template } as CSSProperties}
    >
      {hasHeadings && versionsWidth > 0 && (
        <ColumnHeaders sorting={sorting} hasLeadColumn={!!owner?.Handle} columns={stableColumns} />
      )}
      <div
        role="rowgroup"
        className={css.rows}
        style={{ '--n': songs.length } as CSSProperties}
        data-testid="songs"
        onFocus={({ target }) => {
          const row = target.closest<HTMLElement>('[data-song]')
          if (row) setFocusedId(Number(row.dataset.song))
        }}
        {...gestures}
      >
        {shown.map((song, i) => (
          <Fragment key={song.entity_id}>
            {dividers?.has(song.entity_id) && (
              <div role="row" className={css.divider}>
                <div role="cell" aria-colspan={columnCount}>
                  {dividers.get(song.entity_id)}
                </div>
              </div>
            )}
            <SongRow
              song={song}
              number={from + i}
              play={play}
              openMenu={openMenu}
              list={id}
              columns={stableColumns}
              versionsWidth={versionsWidth}
              isTabStop={song.entity_id === tabStop}
              owner={owner}
              tag={
                song.played_at
                  ? formatTimeAgo(song.played_at)
                  : (marks?.newBadge(song, newSince) ?? (isSortedByUser ? marks?.closenessTag(song) : undefined))
              }
              tempoMark={marks?.tempoMark(song)}
            />
          </Fragment>
        ))}
      </div>
      {isSelecting && <RowSelectionBar />}
    </div>
  )
}

type HeaderProps = { sorting: Sorting | undefined; hasLeadColumn: boolean; columns: readonly Column[] }

function ColumnHeaders({ sorting, hasLeadColumn, columns }: HeaderProps) {
  const sortableHeader = (order: Order, text: string, className = '') => (
    <SortHeader key={order} order={order} text={text} className={className} sorting={sorting} />
  )
  return (
    <div role="rowgroup" className={css.heads}>
      <div role="row" className={css.head}>
        {hasLeadColumn && <ColumnHeader text={texts.move} isHidden />}
        <ColumnHeader text="#" className={css.numberHead} />
        <ColumnHeader text={texts.cover} isHidden />
        {sortableHeader('title', texts.title)}
        <ColumnHeader text={texts.versions} />
        {columns.map((column) =>
          column === 'date' ? (
            sortableHeader('created_at', texts.columnAdded)
          ) : (
            <ColumnHeader key={column} text={COLUMN_NAMES[column]} />
          ),
        )}
        {sortableHeader('min_bpm', texts.bpmLabel, css.bpmHead)}
        {sortableHeader('song_key', texts.key)}
        <div role="columnheader" className={css.actionsHead}>
          <span className="sr">{texts.actions}</span>
          <ColumnChoice />
        </div>
      </div>
    </div>
  )
}

type ColumnHeaderProps = { text: string; className?: string | undefined; isHidden?: boolean }

const ColumnHeader = ({ text, className, isHidden = false }: ColumnHeaderProps) => (
  <div role="columnheader" className={className}>
    {isHidden ? <span className="sr">{text}</span> : text}
  </div>
)

type SkeletonProps = { rows?: number | undefined; hasHeadings?: boolean }

/** Rows at their true height while the songs load, so that nothing moves. */
export function SongListSkeleton({ rows = 12, hasHeadings = true }: SkeletonProps) {
  const density = useListView((view) => view.density)
  return (
    <div className={css.list} data-density={density}>
      {hasHeadings && (
        <div className={css.heads}>
          <div className={css.head} />
        </div>
      )}
      <div className={css.rows} aria-busy style={{ '--n': rows } as CSSProperties}>
        <span className="sr">{texts.loadingSongs}</span>
        {Array.from({ length: rows }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
          <div key={i} className={css.skeleton} aria-hidden style={{ '--delay': `${i * 40}ms` } as CSSProperties}>
            <i />
            <i />
            <i />
          </div>
        ))}
      </div>
    </div>
  )
}
