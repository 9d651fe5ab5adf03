import { curation, type InputOf } from '@dubplate/contract'
import { formatExactDate } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { isoOf, localOf } from '../../format/moments.ts'
import * as texts from './texts.ts'

export type Kind = curation.Kind
type StaffList = curation.StaffList
export type Publication = 'unchanged' | 'draft' | 'now' | 'at'

/** A list in its form. Times are local; '' for none. */
export type ListValues = {
  title: string
  description: string
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
  version?: number
}

export const randomSeed = () => crypto.getRandomValues(new Uint32Array(1))[0] ?? 1

export const newList = (createdBy: string): ListValues => ({
  title: '',
  description: '',
  created_by: createdBy,
  curated_genre_id: null,
  cover_seed: randomSeed(),
  artwork: null,
  entity_ids: [],
  publication: 'unchanged',
  from: '',
  until: '',
})

export const valuesOf = (list: curation.ListDetails): ListValues => ({
  title: list.title,
  description: list.description,
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
export function inputOf(
  kind: Kind,
  values: ListValues,
  stored: curation.ListDetails | undefined,
): InputOf<typeof curation.saveList> {
  const { artwork, from, until, version, ...rest } = values
  const isSameEnd = stored !== undefined && until === localOf(stored.ended_at)
  const published_at = values.publication === 'at' ? isoOf(from) : null
  return {
    kind,
    ...rest,
    ...(stored && version !== undefined ? { list_id: stored.list_id, version } : {}),
    artwork_id: artwork?.artwork_id ?? null,
    ...(published_at ? { published_at } : {}),
    ...(isSameEnd ? {} : { ended_at: isoOf(until) }),
  }
}

export const limitOf = (kind: Kind): number => (kind === 'top20' ? curation.TOP20_LENGTH : curation.SPOTLIGHT_SONGS)

/** Errors that the contract's schema cannot find, by field. */
export function validateList(kind: Kind, values: ListValues, stored: StaffList | undefined, now = new Date()) {
  const errors: { from?: string; until?: string; entity_ids?: string } = {}
  const from = isoOf(values.from)
  if (values.publication === 'at' && !from) errors.from = texts.chooseAPublicationDate
  const until = isoOf(values.until)
  const begin = { at: from, now: now.toISOString(), unchanged: stored?.published_at, draft: null }[values.publication]
  if (until && begin && until <= begin) errors.until = texts.theEndMustBeAfter
  const missing = missingSongs(kind, values)
  const isPublished = values.publication === 'now' || values.publication === 'at'
  const staysPublished = values.publication === 'unchanged' && stored !== undefined && stored.published_at !== null
  if (missing > 0 && (isPublished || staysPublished)) errors.entity_ids = describeMissing(kind, missing)
  return errors
}

export const missingSongs = (kind: Kind, { entity_ids }: Pick<ListValues, 'entity_ids'>): number =>
  Math.max(0, (kind === 'top20' ? curation.TOP20_LENGTH : 1) - entity_ids.length)

export const describeMissing = (kind: Kind, missing: number): string =>
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
export function describeTimes(list: StaffList): string {
  const [from, until] = [list.published_at, list.ended_at].map((at) => at && formatExactDate(at))
  if (list.state === 'unpublished') return formatExactDate(list.unpublished_at ?? '')
  if (list.state === 'ended') return until ?? ''
  if (list.state === 'draft') return format(texts.lastEdited, { changed_at: formatExactDate(list.changed_at) })
  const isScheduled = list.state === 'scheduled'
  return until
    ? format(isScheduled ? texts.fromUntil : texts.sinceUntil, { from: from ?? '', until })
    : format(isScheduled ? texts.fromStart : texts.since, { from: from ?? '' })
}

/** The name of the state, with its times. */
export const describeState = (list: StaffList): string =>
  format(texts.stateAndTimes, { state: STATE_NAMES[list.state], times: describeTimes(list) })

/** The states a list can be given. */
export function publicationsOf(list: StaffList | undefined): (readonly [Publication, string])[] {
  const now = ['now', texts.publishNow] as const
  const at = ['at', texts.scheduleMenuItem] as const
  if (!list || list.state === 'draft') return [['unchanged', texts.draft], now, at]
  const as = ['unchanged', describeState(list)] as const
  if (list.state === 'published') return [as, ['at', texts.reschedule]]
  if (list.was_published) return [as, now, at]
  return [as, now, ['at', texts.reschedule], ['draft', texts.moveToDrafts]]
}
