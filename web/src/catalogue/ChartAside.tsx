import type { charts } from '@dubplate/contract'
import { type CSSProperties, useState } from 'react'
import { formatBpmRange } from '../format/format.ts'
import { format } from '../format/message.ts'
import { InlineError } from '../platform/InlineError.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import { useProgressiveCount } from '../ui/useProgressiveCount.ts'
import { useStableWhileInUse } from '../ui/useStableWhileInUse.ts'
import css from './ChartAside.module.css'
import { KeyBadge } from './KeyBadge.tsx'
import { SongLine } from './SongLine.tsx'
import * as texts from './texts.ts'

/** On a phone the chart is below the first screen: a few rows at a time. */
const ROWS_DRAWN = { initialCount: 2, step: 2 }

type Props = {
  title: string
  queryResult: { data: { songs: charts.RankedSong[] } | undefined; error: Error | null; refetch: () => unknown }
  /** The number of rows shown before "show more". */
  first: number
  /** Shown when there is nothing to rank. */
  empty: string
}

/** A ranked list in the sidebar; reserves its space while loading. */
export function ChartAside({ title, queryResult: { data, error, refetch }, first, empty }: Props) {
  const { value: songs, holdHandlers } = useStableWhileInUse(data?.songs, title)
  const [isExpanded, setExpanded] = useState(false)
  const targetCount = isExpanded ? (songs?.length ?? 0) : first
  const renderedCount = useProgressiveCount(targetCount, ROWS_DRAWN)
  const visibleSongs = songs?.slice(0, renderedCount)
  const rest = (songs?.length ?? 0) - first
  if (error && !songs)
    return <InlineError error={error} title={format(texts.couldntLoadList, { title })} retry={() => void refetch()} />
  return (
    <section {...holdHandlers}>
      <SectionHead title={title}>
        {rest > 0 && !isExpanded && (
          <button type="button" onClick={() => setExpanded(true)}>
            {format(texts.showAll, { count: songs?.length ?? 0 })}
          </button>
        )}
      </SectionHead>
      <ol
        className={css.list}
        style={{ '--n': songs ? Math.min(targetCount, songs.length) : first } as CSSProperties}
        aria-busy={!songs}
      >
        {visibleSongs?.map((song) => (
          <SongLine key={song.entity_id} song={song} list={songs ?? []} lead={<RankNumber song={song} />}>
            <span className={`${css.bpm} num`}>{formatBpmRange(song.min_bpm, song.max_bpm)}</span>
            <KeyBadge songKey={song.song_key} />
          </SongLine>
        ))}
      </ol>
      {songs?.length === 0 && <p className={css.empty}>{empty}</p>}
    </section>
  )
}

const RankNumber = ({ song: { rank, downloads } }: { song: charts.RankedSong }) => (
  <span className={`${css.rank} num`} title={downloads ? format(texts.downloadCount, { count: downloads }) : undefined}>
    {rank}
  </span>
)
