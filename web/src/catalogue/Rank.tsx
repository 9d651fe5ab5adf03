import { format } from '../format/message.ts'
import { movementOf } from './movement.ts'
import css from './Rank.module.css'
import * as texts from './texts.ts'

/** A chart entry: the rank, the rank in the previous period (if compared), and the number of downloads. */
export type Ranked = { rank: number; rank_before?: number | null; downloads: number }

const movement = ({ rank, rank_before }: Ranked) =>
  rank_before === undefined ? undefined : movementOf(rank, rank_before)

/** The tooltip: '42 downloads, up 3 places'; empty when downloads are not counted. */
const rankText = (song: Ranked) =>
  [song.downloads > 0 && format(texts.downloadCount, { count: song.downloads }), movement(song)?.words]
    .filter(Boolean)
    .join(' · ') || undefined

/** A rank on a chart, with its movement below it. */
export function Rank(song: Ranked) {
  const movementInfo = movement(song)
  return (
    <span className={css.rank} title={rankText(song)}>
      {song.rank}
      {movementInfo && (
        <span className={css.moved} data-way={movementInfo.direction}>
          <span aria-hidden>{movementInfo.sign}</span>
          <span className="sr"> {movementInfo.words}</span>
        </span>
      )}
    </span>
  )
}
