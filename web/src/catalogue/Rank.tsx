import { plural } from '../platform/format.ts'
import { movementOf } from './movement.ts'
import css from './Rank.module.css'

/** What a chart says of a song: its place, the one it had in the period before (where it compares), its downloads. */
type Ranked = { rank: number; rank_before?: number | null; downloads: number }

export const isRanked = (song: object): song is Ranked => 'rank' in song

const movement = ({ rank, rank_before }: Ranked) =>
  rank_before === undefined ? undefined : movementOf(rank, rank_before)

/** For the tooltip: '42 downloads, up 3 places'; nothing where nothing is counted. */
export const rankText = (song: Ranked) =>
  [song.downloads > 0 && plural(song.downloads, 'download'), movement(song)?.words].filter(Boolean).join(', ') ||
  undefined

/** A place on a chart, and below it how it moved. */
export function Rank(song: Ranked) {
  const movementInfo = movement(song)
  return (
    <span className={css.rank}>
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
