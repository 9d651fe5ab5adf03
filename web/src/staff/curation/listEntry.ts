import { curation, type InputOf } from '@dubplate/contract'
import { format } from '../../platform/message.ts'
import { isoOf, localOf, momentInWords } from '../moments.ts'
import * as texts from './texts.ts'

export type Kind = curation.Kind
type StaffList = curation.StaffList
export type Publication = 'unchanged' | 'draft' | 'now' | 'at'

/** A list being edited. Times are local; '' for none. */
export type ListEntry = {
  title: string
  created_by: string
  curated_genre_id: number | null
  cover_seed: number
  /** An uploaded cover. */
  artwork: { artwork_id: number; image: string } | null
  entity_ids: number[]
  publication: Publication
  /** Used with `at`. */
  from: string
  until: string
  /** Version of the list being edited, as loaded. */
  version: number | undefined
}

export const anySeed = () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 1

export const newEntry = (createdBy: string): ListEntry => ({
  title: '',
  created_by: createdBy,
  curated_genre_id: null,
  cover_seed: anySeed(),
  artwork: null,
  entity_ids: [],
  publication: 'unchanged',
  from: '',
  until: '',
  version: undefined,
})

export const entryOf = (list: curation.ListDetails): ListEntry => ({
  title: list.title,
  created_by: list.created_by,
  curated_genre_id: list.curated_genre_id,
  cover_seed: list.cover_seed,
  artwork: list.artwork_id === null ? null : { artwork_id: list.artwork_id, image: list.image },
  entity_ids: list.entity_ids,
  publication: 'unchanged',
  from: '',
  until: localOf(list.ended_at),
  version: list.version,
})

/** The input of the API call. An unchanged end is left out and keeps its seconds. */
export function wishOf(
  kind: Kind,
  entry: ListEntry,
  of: curation.ListDetails | undefined,
): InputOf<typeof curation.saveList> {
  const { artwork, from, until, version, ...said } = entry
  const isSameEnd = of !== undefined && until === localOf(of.ended_at)
  const published_at = entry.publication === 'at' ? isoOf(from) : null
  return {
    kind,
    ...said,
    ...(of && version !== undefined ? { list_id: of.list_id, version } : {}),
    artwork_id: artwork?.artwork_id ?? null,
    ...(published_at ? { published_at } : {}),
    ...(isSameEnd ? {} : { ended_at: isoOf(until) }),
  }
}

export const limitOf = (kind: Kind): number => (kind === 'top20' ? curation.TOP20_LENGTH : curation.SPOTLIGHT_SONGS)

/** Errors that prevent saving, by field; empty when there are none. */
export function wrongEntry(kind: Kind, entry: ListEntry, of: StaffList | undefined, now = new Date()) {
  const wrong: { title?: string; from?: string; until?: string; songs?: string } = {}
  if (entry.title.trim() === '') wrong.title = texts.enterATitle
  const from = isoOf(entry.from)
  if (entry.publication === 'at' && !from) wrong.from = texts.chooseAPublicationDate
  const until = isoOf(entry.until)
  const begin = entry.publication === 'at' ? from : entry.publication === 'now' ? now.toISOString() : of?.published_at
  if (until && begin && until <= begin && entry.publication !== 'draft') wrong.until = texts.theEndMustBeAfter
  const missing = missingSongs(kind, entry)
  const goesOut = entry.publication === 'now' || entry.publication === 'at'
  const isOut = entry.publication === 'unchanged' && of !== undefined && of.published_at !== null
  if (missing > 0 && (goesOut || isOut)) wrong.songs = missingWords(kind, missing)
  return wrong
}

export const missingSongs = (kind: Kind, { entity_ids }: Pick<ListEntry, 'entity_ids'>): number =>
  Math.max(0, (kind === 'top20' ? curation.TOP20_LENGTH : 1) - entity_ids.length)

export const missingWords = (kind: Kind, missing: number): string =>
  kind === 'top20' ? format(texts.addMoreSongsToPublish, { missing }) : texts.addAtLeastOneSong

export const KIND_WORDS = {
  spotlight: {
    create: texts.newSpotlight,
    status: texts.statusOfSpotlights,
    search: texts.searchSpotlightsByTitle,
    noMatches: texts.noMatchingSpotlights,
    none: texts.noSpotlightsYet,
    many: texts.spotlightsInSentence,
    one: texts.thisSpotlight,
  },
  top20: {
    create: texts.newTop20,
    status: texts.statusOfTop20s,
    search: texts.searchTop20sByTitle,
    noMatches: texts.noMatchingTop20s,
    none: texts.noTop20sYet,
    many: texts.top20s,
    one: texts.thisTop20,
  },
} as const satisfies Record<Kind, object>

export const STATE_NAMES: Record<curation.ListState, string> = {
  draft: texts.draft,
  scheduled: texts.scheduled,
  published: texts.published,
  ended: texts.ended,
  unpublished: texts.unpublished,
}

/** The state of a list, with its times. */
export function standingInWords(list: StaffList): string {
  const [from, until] = [list.published_at, list.ended_at].map((at) => at && momentInWords(at))
  if (list.state === 'unpublished') return momentInWords(list.unpublished_at ?? '')
  if (list.state === 'ended') return until ?? ''
  if (list.state === 'draft') return format(texts.lastEdited, { changed_at: momentInWords(list.changed_at) })
  const isScheduled = list.state === 'scheduled'
  return until
    ? format(isScheduled ? texts.fromUntil : texts.sinceUntil, { from: from ?? '', until })
    : format(isScheduled ? texts.fromStart : texts.since, { from: from ?? '' })
}

/** The name of the state, with its times. */
export const stateInWords = (list: StaffList): string =>
  format(texts.stateAndTimes, { state: STATE_NAMES[list.state], times: standingInWords(list) })

/** The states a list can be given. */
export function publicationsOf(list: StaffList | undefined): (readonly [Publication, string])[] {
  const now = ['now', texts.publishNow] as const
  const at = ['at', texts.scheduleMenuItem] as const
  if (!list || list.state === 'draft') return [['unchanged', texts.draft], now, at]
  const as = ['unchanged', stateInWords(list)] as const
  if (list.state === 'published') return [as, ['at', texts.reschedule]]
  if (list.was_published) return [as, now, at]
  return [as, now, ['at', texts.reschedule], ['draft', texts.moveToDrafts]]
}
