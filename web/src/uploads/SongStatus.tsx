import type { uploadedSongs } from '@dubplate/contract'
import css from './SongStanding.module.css'
import * as texts from './texts.ts'

/** What a state is called. */
export const STATE_NAMES: Record<uploadedSongs.SongState, string> = {
  draft: 'Draft',
  analysing: 'Analysing',
  in_review: texts.inReview,
  published: 'Published',
  refused: 'Declined',
  expired: 'Expired',
}

type Song = Pick<uploadedSongs.UploadedSong, 'status' | 'reason' | 'is_listed' | 'faults'>

/** What a state means, where its name does not say it all. */
export const statusExplanation = ({ status, reason, is_listed, faults }: Song): string => {
  if (status === 'refused') return reason
  if (status === 'in_review' && is_listed) return texts.yourChangesAreInReview
  if (status !== 'draft') return ''
  if (faults.some(({ blocks }) => blocks)) return texts.oneVersionIsDamagedReplace
  return texts.thisSongHasNoValid
}

export const StateMark = ({ status }: { status: uploadedSongs.SongState }) => (
  <span className={css.state} data-state={status}>
    {STATE_NAMES[status]}
  </span>
)

/** Where a song stands, and why. */
export function SongStatus({ song }: { song: Song }) {
  const tooltip = statusExplanation(song)
  return (
    <p className={css.standing}>
      <StateMark status={song.status} />
      {tooltip && <span>{tooltip}</span>}
    </p>
  )
}
