import type { review, uploadedSongs } from '@dubplate/contract'
import { plural } from '../platform/format.ts'

type State = uploadedSongs.SongState

/** In the order of the queue: what staff can do something about comes first. */
export const STATES = ['in_review', 'analysing', 'draft', 'published', 'refused', 'expired'] as const satisfies State[]

export const STATE_NAMES: Record<State, string> = {
  in_review: 'In review',
  analysing: 'Analysing',
  draft: 'Draft',
  published: 'Published',
  refused: 'Declined',
  expired: 'Expired',
}

export const EMPTY: Record<State, { title: string; text: string }> = {
  in_review: {
    title: 'No songs to review',
    text: 'Every song has been reviewed. New uploads appear here once they’ve been analysed.',
  },
  analysing: {
    title: 'No songs being analysed',
    text: 'Uploads appear here while their files are analysed.',
  },
  draft: { title: 'No drafts', text: 'Songs without a publishable version appear here.' },
  published: { title: 'No published uploads', text: 'Published member uploads appear here.' },
  refused: { title: 'No declined uploads', text: 'Declined uploads appear here with the reason.' },
  expired: { title: 'No expired uploads', text: 'Expired uploads appear here.' },
}

export type Decision = 'publish' | 'refuse'

/** What was refused can be published after all. */
const DECISIONS: Partial<Record<State, readonly Decision[]>> = {
  in_review: ['publish', 'refuse'],
  analysing: ['refuse'],
  draft: ['refuse'],
  refused: ['publish'],
}

/** What staff can decide about a song of a state. */
export const decisionsOn = (state: State): readonly Decision[] => DECISIONS[state] ?? []

/** What is said most often; a start to write on from. */
export const REASONS = [
  'The file is damaged. Please export it again and re-upload it.',
  'This looks like a low-bitrate file converted to a higher bitrate. Please upload the original.',
  'This song is already in our catalogue.',
  'The title, artist or version name is incorrect. Please fix it and submit again.',
  'We don’t have the rights to distribute this recording.',
]

const SECTIONS: Record<number, string> = { 1: 'Songs', 2: 'Kuts' }
export const SECTION_CHOICES = [1, 2] as const
export const sectionName = (section: number): string => SECTIONS[section] ?? String(section)

const DONE: Record<Decision, { one: string; many: string }> = {
  publish: { one: 'published. We’ve emailed the uploader.', many: 'published. We’ve emailed the uploaders.' },
  refuse: {
    one: 'declined. We’ve emailed the uploader the reason.',
    many: 'declined. We’ve emailed the uploaders the reason.',
  },
}

/** What came of a decision about several songs, in one sentence; '' where nothing was done. */
export function outcomeOf(decision: Decision, done: readonly { title: string }[], left: number): string {
  const words = DONE[decision]
  const [first] = done
  if (!first) return ''
  const said = done.length === 1 ? `“${first.title}” ${words.one}` : `${plural(done.length, 'song')} ${words.many}`
  return left ? `${said} ${plural(left, 'song')} couldn’t be updated. Check the messages below.` : said
}

export const DECIDED: Record<review.ReviewedSong['history'][number]['decision'], string> = {
  published: 'Published',
  refused: 'Declined',
  edited: 'Edited',
}

type Twin = Pick<review.Twin, 'similarity'>

/** How near a recording of the pool is. */
export const nearness = ({ similarity }: Twin): string =>
  similarity === 1 ? 'identical file to' : `same recording (${Math.floor(similarity * 100)} %) as`
