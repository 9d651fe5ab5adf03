import type { charts } from '@dubplate/contract'
import { type CSSProperties, useState } from 'react'
import { bpmRange, plural } from '../platform/format.ts'
import { format } from '../platform/message.ts'
import { TroubleLine } from '../platform/TroubleLine.tsx'
import { useGrowing } from '../ui/growing.ts'
import { SectionHead } from '../ui/SectionHead.tsx'
import { useStill } from '../ui/still.ts'
import css from './ChartAside.module.css'
import { KeyBadge } from './KeyBadge.tsx'
import { SongLine } from './SongLine.tsx'
import * as texts from './texts.ts'

/** Below the first screen on a phone: a few rows at a time. */
const ROWS_DRAWN = { first: 2, step: 2 }

type Props = {
  title: string
  asked: { data: { songs: charts.RankedSong[] } | undefined; error: Error | null; refetch: () => unknown }
  /** How many rows are shown before the rest is asked for. */
  first: number
  /** Said when there is nothing to rank. */
  empty: string
}

/** A ranked list beside the page, with the room it needs while it is on its way. */
export function ChartAside({ title, asked: { data, error, refetch }, first, empty }: Props) {
  const { shown: songs, hold } = useStill(data?.songs, title)
  const [isWhole, setWhole] = useState(false)
  const wanted = isWhole ? (songs?.length ?? 0) : first
  const drawn = useGrowing(wanted, ROWS_DRAWN)
  const shown = songs?.slice(0, drawn)
  const rest = (songs?.length ?? 0) - first
  if (error && !songs) return <TroubleLine error={error} what={`“${title}”`} retry={() => void refetch()} />
  return (
    <section {...hold}>
      <SectionHead title={title}>
        {rest > 0 && !isWhole && (
          <button type="button" onClick={() => setWhole(true)}>
            {format(texts.showAll, { length: songs?.length ?? 0 })}
          </button>
        )}
      </SectionHead>
      <ol
        className={css.list}
        style={{ '--n': songs ? Math.min(wanted, songs.length) : first } as CSSProperties}
        aria-busy={!songs}
      >
        {shown?.map((song) => (
          <SongLine key={song.entity_id} song={song} list={songs ?? []} lead={<Place song={song} />}>
            <span className={`${css.bpm} num`}>{bpmRange(song.min_bpm, song.max_bpm)}</span>
            <KeyBadge songKey={song.song_key} />
          </SongLine>
        ))}
      </ol>
      {songs?.length === 0 && <p className={css.empty}>{empty}</p>}
    </section>
  )
}

const Place = ({ song: { rank, downloads } }: { song: charts.RankedSong }) => (
  <span className={`${css.rank} num`} title={downloads ? plural(downloads, 'download') : undefined}>
    {rank}
  </span>
)
