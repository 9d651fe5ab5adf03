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
  refused: 'Refused',
  expired: 'Expired',
}

export const EMPTY: Record<State, { title: string; text: string }> = {
  in_review: {
    title: 'Nothing waits',
    text: 'Every song has been decided. New ones come here as soon as their files have been analysed.',
  },
  analysing: {
    title: 'Nothing is being analysed',
    text: 'Songs whose files are still being measured are listed here.',
  },
  draft: { title: 'No drafts', text: 'Songs without a version that can go into the pool are listed here.' },
  published: { title: 'Nothing was published yet', text: 'Members’ songs that stand in the pool are listed here.' },
  refused: { title: 'Nothing was refused', text: 'Songs that were refused are listed here, with the reason.' },
  expired: { title: 'Nothing has expired', text: 'Songs whose time in the pool is over are listed here.' },
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
  'The file is damaged: send it again as it came out of your studio.',
  'This is a low-bitrate file saved as a better one. Send the original.',
  'The song is in the pool already.',
  'Title, artist or version are not right. Mend them and save the song again.',
  'We do not have the rights to pass this recording on.',
]

const SECTIONS: Record<number, string> = { 1: 'Songs', 2: 'Kuts' }
export const SECTION_CHOICES = [1, 2] as const
export const sectionName = (section: number): string => SECTIONS[section] ?? String(section)

const DONE: Record<Decision, { one: string; many: string }> = {
  publish: { one: 'is in the pool. A mail says so.', many: 'are in the pool. A mail for each says so.' },
  refuse: { one: 'is refused. A mail says why.', many: 'are refused. A mail for each says why.' },
}

/** What came of a decision about several songs, in one sentence; '' where nothing was done. */
export function outcomeOf(decision: Decision, done: readonly { title: string }[], left: number): string {
  const words = DONE[decision]
  const [first] = done
  if (!first) return ''
  const said = done.length === 1 ? `“${first.title}” ${words.one}` : `${plural(done.length, 'song')} ${words.many}`
  return left ? `${said} ${plural(left, 'song')} could not be decided: look at what stands there.` : said
}

export const DECIDED: Record<review.ReviewedSong['history'][number]['decision'], string> = {
  published: 'Published',
  refused: 'Refused',
  edited: 'Edited',
}

type Twin = Pick<review.Twin, 'similarity'>

/** How near a recording of the pool is. */
export const nearness = ({ similarity }: Twin): string =>
  similarity === 1 ? 'the same file as' : `the same recording (${Math.floor(similarity * 100)} %) as`
