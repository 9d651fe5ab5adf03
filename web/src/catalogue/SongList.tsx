// biome-ignore-all lint/a11y/useSemanticElements: a real table cannot be laid out as these rows are
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus goes to the controls inside
import type { catalogue } from '@dubplate/contract'
import { type CSSProperties, startTransition, useCallback, useEffect, useRef, useState } from 'react'
import { playerActions } from '../player/store.ts'
import css from './SongList.module.css'
import { type PlayInList, RowSkeleton, SongRow } from './SongRow.tsx'
import { type Order, SortHeader, type Sorting } from './SortHeader.tsx'

/** What fills the first screen; the rest is drawn in a transition that a click may interrupt. */
const FIRST_ROWS = 8

type Props = {
  songs: catalogue.Song[]
  label: string
  /** The number of the first song: 25 on the second page. */
  from?: number
  /** Where the list can be sorted; without it the headings are plain words. */
  sorting?: Sorting
  /** The next page is on its way; this is still the one before. */
  stale?: boolean
}

/** Plays a song with the whole list as what comes after it. */
function usePlayInList(songs: catalogue.Song[]): PlayInList {
  const list = useRef(songs)
  list.current = songs
  return useCallback((song, version, at) => {
    const entries = list.current.flatMap((each) => {
      if (each.entity_id === song.entity_id) return { song, version }
      const first = each.version.find(({ available }) => available)
      return first ? { song: each, version: first } : []
    })
    playerActions.play({ song, version }, { list: entries, at })
  }, [])
}

export function SongList({ songs, label, from = 1, sorting, stale = false }: Props) {
  const play = usePlayInList(songs)
  const [isWhole, setWhole] = useState(false)
  useEffect(() => startTransition(() => setWhole(true)), [])
  const shown = isWhole ? songs : songs.slice(0, FIRST_ROWS)
  return (
    <div
      className={css.list}
      role="table"
      aria-label={label}
      aria-rowcount={songs.length + 1}
      aria-busy={stale || undefined}
    >
      <Heads sorting={sorting} />
      <div role="rowgroup" className={css.rows} style={{ '--n': songs.length } as CSSProperties} data-testid="songs">
        {shown.map((song, i) => (
          <SongRow key={song.entity_id} song={song} number={from + i} play={play} />
        ))}
      </div>
    </div>
  )
}

function Heads({ sorting }: { sorting: Sorting | undefined }) {
  const sortable = (order: Order, text: string, className = '') => (
    <SortHeader order={order} text={text} className={className} sorting={sorting} />
  )
  return (
    <div role="rowgroup" className={css.heads}>
      <div role="row" className={css.head}>
        <Head area="number" text="#" />
        <Head area="cover" text="Cover" hidden />
        {sortable('title', 'Title', css.title)}
        <Head area="versions" text="Versions" />
        <Head area="wave" text="Waveform" hidden />
        <Head area="genre" text="Genre" />
        {sortable('min_bpm', 'BPM', css.bpm)}
        {sortable('song_key', 'Key', css.key)}
        {sortable('created_at', 'Added', css.date)}
        <Head area="actions" text="Actions" hidden />
      </div>
    </div>
  )
}

const Head = ({ area, text, hidden = false }: { area: string; text: string; hidden?: boolean }) => (
  <div role="columnheader" className={css[area]}>
    {hidden ? <span className="sr">{text}</span> : text}
  </div>
)

/** The list while its songs are on their way: the same height, nothing jumps when they arrive. */
export function SongListSkeleton({ rows = 24 }: { rows?: number }) {
  return (
    <div className={css.list} aria-busy>
      <div className={css.heads}>
        <div className={css.head} />
      </div>
      <div className={css.rows} style={{ '--n': rows } as CSSProperties}>
        <span className="sr">Loading songs…</span>
        {Array.from({ length: rows }, (_, i) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
          <RowSkeleton key={i} number={i} />
        ))}
      </div>
    </div>
  )
}
