import type { review, uploadedSongs } from '@dubplate/contract'
import type { Tone } from '../../admin/cells.tsx'
import { format } from '../../format/message.ts'
import * as texts from './texts.ts'

type State = uploadedSongs.SongState

/** In the order of the queue: songs that staff can act on come first. */
export const STATES = ['in_review', 'analysing', 'draft', 'published', 'declined', 'expired'] as const satisfies State[]

export const STATE_NAMES: Record<State, string> = {
  in_review: texts.inReview,
  analysing: texts.analysing,
  draft: texts.draft,
  published: texts.published,
  declined: texts.declined,
  expired: texts.expired,
}

export const STATE_TONES: Record<State, Tone> = {
  in_review: 'warning',
  analysing: 'neutral',
  draft: 'neutral',
  published: 'ok',
  declined: 'danger',
  expired: 'neutral',
}

/** A song in the table, with the reason why the last decision on it failed. */
export type UploadRow = review.ReviewedUpload & { failure?: string | undefined }

export const EMPTY: Record<State, { title: string; text: string }> = {
  in_review: {
    title: texts.noSongsToReview,
    text: texts.everySongHasBeenReviewed,
  },
  analysing: {
    title: texts.noSongsBeingAnalysed,
    text: texts.uploadsAppearHereWhileTheir,
  },
  draft: { title: texts.noDrafts, text: texts.songsWithoutAPublishableVersion },
  published: { title: texts.noPublishedUploads, text: texts.publishedMemberUploadsAppearHere },
  declined: { title: texts.noDeclinedUploads, text: texts.declinedUploadsAppearHereWith },
  expired: { title: texts.noExpiredUploads, text: texts.expiredUploadsAppearHere },
}

export type Decision = 'publish' | 'decline'

/** A declined song can still be published. */
const DECISIONS: Partial<Record<State, readonly Decision[]>> = {
  in_review: ['publish', 'decline'],
  analysing: ['decline'],
  draft: ['decline'],
  declined: ['publish'],
}

/** Decisions that staff can make on a song in this state. */
export const decisionsOn = (state: State): readonly Decision[] => DECISIONS[state] ?? []

/** Common reasons, as a starting point. */
export const REASONS = [
  texts.theFileIsDamagedPlease,
  texts.thisLooksLikeALow,
  texts.thisSongIsAlreadyIn,
  texts.theTitleArtistOrVersion,
  texts.weDontHaveTheRights,
]

const SECTIONS: Record<number, string> = { 1: texts.songs, 2: texts.kuts }
export const SECTION_CHOICES = [1, 2] as const
export const sectionName = (section: number): string => SECTIONS[section] ?? String(section)

const DONE = {
  publish: { one: texts.publishedWeveEmailedTheUploader, many: texts.publishedWeveEmailedTheUploaders },
  decline: {
    one: texts.declinedWeveEmailedTheUploader,
    many: texts.declinedWeveEmailedTheUploaders,
  },
} as const

/** The result of a decision on several songs, in one sentence; '' when nothing was done. */
export function outcomeOf(decision: Decision, done: readonly { title: string }[], left: number): string {
  const words = DONE[decision]
  const [first] = done
  if (!first) return ''
  const said =
    done.length === 1 ? format(words.one, { title: first.title }) : format(words.many, { count: done.length })
  return left ? format(texts.songsCouldntBeUpdatedCheck, { message: said, left }) : said
}

/** An entry of a song's history, without and with a reason. */
export const DECIDED = {
  published: { plain: texts.publishedBy, because: texts.publishedByBecause },
  declined: { plain: texts.declinedBy, because: texts.declinedByBecause },
  edited: { plain: texts.editedBy, because: texts.editedByBecause },
} as const

type Twin = Pick<review.UploadDuplicate, 'similarity'>

/** How similar a recording of the pool is, in percent; undefined for an identical file. */
export const nearness = ({ similarity }: Twin): number | undefined =>
  similarity === 1 ? undefined : Math.floor(similarity * 100)
