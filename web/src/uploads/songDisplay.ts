import type { uploadedSongs } from '@dubplate/contract'
import { formatShortDate } from '../format/format.ts'
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
  return faults.some(({ blocks }) => blocks) ? texts.oneVersionIsDamagedReplace : texts.thisSongHasNoValid
}

/** About as much as fits in a row; the rest is shown on request. */
const MAX_PREVIEW_LENGTH = 90
/** Hiding less than this is not worthwhile. */
const MIN_HIDDEN_LENGTH = 30

/**
 * The beginning of a long text, up to the end of a word: 'The intro has no beat…'. A text that is only slightly longer
 * is returned unchanged.
 */
export function truncate(text: string): string {
  if (text.length <= MAX_PREVIEW_LENGTH + MIN_HIDDEN_LENGTH) return text
  const head = text.slice(0, MAX_PREVIEW_LENGTH)
  const end = head.lastIndexOf(' ')
  return `${(end > 0 ? head.slice(0, end) : head).replace(/[\s.,:;–-]+$/, '')}…`
}

/** The Monday of a week, '2026-11-16' as '16 Nov'. */
export const weekName = (monday: string): string => formatShortDate(`${monday}T00:00`, new Date(`${monday}T00:00`))

/** The height of a bar: zero is a line, and a small number stays visible next to a large one. */
export const barHeight = (n: number, maxCount: number): number =>
  n === 0 ? 2 : Math.max(6, Math.round((n / maxCount) * 100))
