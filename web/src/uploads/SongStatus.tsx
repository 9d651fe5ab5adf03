import type { uploadedSongs } from '@dubplate/contract'
import css from './SongStatus.module.css'
import * as texts from './texts.ts'

/** The names of the states. */
export const STATE_NAMES: Record<uploadedSongs.SongState, string> = {
  draft: texts.draft,
  analysing: texts.analysingState,
  in_review: texts.inReview,
  published: texts.published,
  declined: texts.declined,
  expired: texts.expired,
}

type Song = Pick<uploadedSongs.UploadedSong, 'status' | 'reason' | 'is_listed' | 'faults'>

/** What a state means, if its name does not say it all. */
export const statusExplanation = ({ status, reason, is_listed, faults }: Song): string => {
  if (status === 'declined') return reason
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

/** The state of a song, and the reason for it. */
export function SongStatus({ song }: { song: Song }) {
  const tooltip = statusExplanation(song)
  return (
    <p className={css.standing}>
      <StateMark status={song.status} />
      {tooltip && <span>{tooltip}</span>}
    </p>
  )
}
