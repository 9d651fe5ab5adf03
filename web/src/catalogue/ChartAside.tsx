import type { charts } from '@dubplate/contract'
import { type CSSProperties, useState } from 'react'
import { formatBpmRange } from '../format/format.ts'
import { format } from '../format/message.ts'
import { InlineError } from '../platform/InlineError.tsx'
import css from '../site/Sidebar.module.css'
import { SectionHead } from '../ui/SectionHead.tsx'
import { useStableWhileInUse } from '../ui/useStableWhileInUse.ts'
import { KeyBadge } from './KeyBadge.tsx'
import { SongLine } from './SongLine.tsx'
import * as texts from './texts.ts'

/** The rows shown before “Show all”. */
const FIRST_ROWS = 6

type Props = {
  title: string
  queryResult: { data: { songs: charts.RankedSong[] } | undefined; error: Error | null; refetch: () => unknown }
  /** Shown when there is nothing to rank; without it, an empty chart is hidden. */
  empty?: string
}

/** A ranked list in the right column; reserves its space while loading. */
export function ChartAside({ title, queryResult: { data, error, refetch }, empty }: Props) {
  const { value: songs, holdHandlers } = useStableWhileInUse(data?.songs, title)
  const [isExpanded, setExpanded] = useState(false)
  const targetCount = isExpanded ? (songs?.length ?? 0) : FIRST_ROWS
  const visibleSongs = songs?.slice(0, targetCount)
  const rest = (songs?.length ?? 0) - FIRST_ROWS
  if (error && !songs)
    return <InlineError error={error} title={format(texts.couldntLoadList, { title })} retry={() => void refetch()} />
  if (songs?.length === 0 && !empty) return null
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
        className={css.chart}
        style={{ '--n': songs ? Math.min(targetCount, songs.length) : FIRST_ROWS } as CSSProperties}
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
