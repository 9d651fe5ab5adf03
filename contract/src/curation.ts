import * as z from 'zod/mini'
import { song } from './catalogue.ts'
import {
  description,
  endpoint,
  forCurators,
  id,
  integerBetween,
  moment,
  nothing,
  optionalId,
  page,
  pagination,
  search,
  versionInput,
} from './endpoint.ts'

/**
 * Lists of songs curators put together, spotlights and the monthly top 20: their songs, when they are shown, and
 * suggestions.
 */

/** Both kinds have a title, a cover and ordered songs, and are shown for a period of time. */
export const KINDS = ['spotlight', 'top20'] as const
export type Kind = (typeof KINDS)[number]

export const LIST_STATES = ['draft', 'scheduled', 'published', 'ended', 'unpublished'] as const
export type ListState = (typeof LIST_STATES)[number]

/** The number of songs a top 20 needs before it can be published. */
export const TOP20_LENGTH = 20
/** The most songs in a spotlight. */
export const SPOTLIGHT_SONGS = 200
export const LISTS_PER_PAGE = 24
export const MAX_COVER_MB = 10

const kind = z.enum(KINDS, { error: 'kind must be spotlight or top20.' })
const coverSeed = integerBetween(0, 999_999_999_999_999, 'cover_seed must be an integer.')
const entityIds = z
  .array(id('entity_ids'))
  .check(z.maxLength(SPOTLIGHT_SONGS, `A list can have up to ${SPOTLIGHT_SONGS} songs.`))
const title = z
  .string()
  .check(z.trim(), z.minLength(1, 'Enter a title.'), z.maxLength(120, 'Use at most 120 characters.'))

const staffList = z.object({
  kind,
  list_id: z.number(),
  title: z.string(),
  description: z.string(),
  state: z.enum(LIST_STATES),
  /** Null for a draft. */
  published_at: z.nullable(z.string()),
  /** When it stops being shown; null for no end. */
  ended_at: z.nullable(z.string()),
  unpublished_at: z.nullable(z.string()),
  /** True once members could have seen it: from then on it can be unpublished, not deleted. */
  was_published: z.boolean(),
  /** The cover: a URL, or a `data:` URL if members cannot see the list yet. */
  image: z.string(),
  cover_seed: z.number(),
  /** The uploaded cover; null for the generated one. */
  artwork_id: z.nullable(z.number()),
  song_count: z.number(),
  /** Songs in it that members cannot see. */
  unpublished_songs: z.number(),
  changed_at: z.string(),
  version: z.number(),
  /** The following fields are for spotlights only. */
  created_by: z.string(),
  curated_genre_id: z.nullable(z.number()),
  suggested: z.boolean(),
  suggested_from: z.nullable(z.string()),
})
export type StaffList = z.output<typeof staffList>

const listDetails = z.extend(staffList, { entity_ids: z.array(z.number()) })
export type ListDetails = z.output<typeof listDetails>

export const getLists = endpoint({
  ...forCurators,
  path: 'staff/lists.json',
  summary: 'List spotlights or top 20s in every state: drafts first, then scheduled, then newest.',
  input: z.object({
    kind,
    state: z.optional(z.enum(LIST_STATES)),
    curated_genre_id: optionalId('curated_genre_id'),
    find: search,
    page,
  }),
  reply: z.object({
    lists: z.array(staffList),
    counts: z.object({
      draft: z.number(),
      scheduled: z.number(),
      published: z.number(),
      ended: z.number(),
      unpublished: z.number(),
    }),
    pagination,
  }),
})

export const getList = endpoint({
  ...forCurators,
  path: 'staff/list.json',
  summary: 'Get a spotlight or top 20 with its songs in order.',
  input: z.object({ kind, list_id: id('list_id') }),
  reply: z.object({ list: listDetails }),
  errors: ['unknown_list'],
})

export const saveList = endpoint({
  ...forCurators,
  path: 'staff/save-list.json',
  summary:
    'Create or update a spotlight or top 20 with its songs in order. Publish it now, schedule it or save it as a draft; omitted times are unchanged.',
  input: z.object({
    kind,
    list_id: z.optional(id('list_id')),
    /** Version of the list the caller read. */
    version: z.optional(versionInput),
    title,
    /** If omitted, it is unchanged. */
    description: z.optional(description),
    created_by: z._default(
      z.string().check(z.trim(), z.maxLength(80, 'Use at most 80 characters for the creator.')),
      '',
    ),
    curated_genre_id: z._default(z.nullable(id('curated_genre_id')), null),
    cover_seed: z._default(coverSeed, 0),
    artwork_id: z._default(z.nullable(id('artwork_id')), null),
    entity_ids: entityIds,
    /** How its publication changes: `at` uses published_at. */
    publication: z._default(z.enum(['unchanged', 'draft', 'now', 'at']), 'unchanged'),
    published_at: z.optional(moment),
    /** Null for no end. */
    ended_at: z.optional(z.nullable(moment)),
  }),
  reply: z.object({ list: listDetails }),
  errors: [
    'unknown_list',
    'unknown_song',
    'unknown_genre',
    'unknown_cover',
    'duplicate_song',
    'wrong_song_count',
    'already_published',
    'invalid_date_range',
    'conflict',
  ],
})

export const unpublishList = endpoint({
  ...forCurators,
  path: 'staff/unpublish-list.json',
  summary: 'Unpublish a list. A scheduled list becomes a draft.',
  input: z.object({ kind, list_id: id('list_id'), version: versionInput }),
  reply: z.object({ list: listDetails }),
  errors: ['unknown_list', 'conflict', 'not_published'],
})

export const removeList = endpoint({
  ...forCurators,
  path: 'staff/remove-list.json',
  summary: 'Delete a list that was never published.',
  input: z.object({ kind, list_id: id('list_id'), version: versionInput }),
  reply: nothing,
  errors: ['unknown_list', 'conflict', 'already_published'],
})

export const uploadCover = endpoint({
  ...forCurators,
  path: 'staff/list-cover.json',
  body: 'multipart',
  summary: `Upload a list cover (cropped to a square): the field \`picture\` (JPEG, PNG, WebP, AVIF or GIF, up to ${MAX_COVER_MB} MB). It’s used once a list is saved with it.`,
  input: nothing,
  reply: z.object({ artwork_id: z.number(), image: z.string() }),
  errors: ['file_required', 'too_large', 'invalid_image'],
})

export const drawCover = endpoint({
  ...forCurators,
  path: 'staff/draw-cover.json',
  summary: 'Get the generated cover for a title and seed as a data URL.',
  input: z.object({
    title: z.string().check(z.maxLength(120)),
    cover_seed: coverSeed,
  }),
  reply: z.object({ image: z.string() }),
})

export const getSongs = endpoint({
  ...forCurators,
  path: 'staff/composer-songs.json',
  summary: 'Get songs by ID for composing a list, including which are unpublished and which don’t exist.',
  input: z.object({ entity_ids: entityIds }),
  reply: z.object({
    songs: z.array(song),
    unpublished: z.array(z.object({ entity_id: z.number(), title: z.string(), artist: z.string() })),
    unknown: z.array(z.number()),
  }),
})

const placedSong = z.extend(song, { rank: z.optional(z.number()), downloads: z.optional(z.number()) })

export const previewList = endpoint({
  ...forCurators,
  path: 'staff/preview-list.json',
  summary: 'Preview a page of a list as members would see it, saved or not.',
  input: z.object({ kind, entity_ids: entityIds, page }),
  reply: z.object({ songs: z.array(placedSong), pagination }),
})

export const getMonthChart = endpoint({
  ...forCurators,
  path: 'staff/month-chart.json',
  summary: 'List the 20 most downloaded songs of a calendar month (UTC), as a starting point for a top 20.',
  input: z.object({
    month: z.string().check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'Enter a month such as 2026-11.')),
  }),
  reply: z.object({ songs: z.array(z.extend(song, { rank: z.number(), downloads: z.number() })) }),
})

export const getSuggested = endpoint({
  ...forCurators,
  path: 'staff/suggested.json',
  summary: 'Get the suggested collection: the current lists in order and the scheduled ones.',
  input: nothing,
  reply: z.object({
    now: z.array(staffList),
    /** `visible_from`: when it will be shown; null for a draft or an unpublished list. */
    next: z.array(z.extend(staffList, { visible_from: z.nullable(z.string()) })),
  }),
})

export const suggestList = endpoint({
  ...forCurators,
  path: 'staff/suggest-list.json',
  summary: 'Add a spotlight to the suggested collection, from a date or on publication, or remove it.',
  input: z.object({
    list_id: id('list_id'),
    version: versionInput,
    suggested: z.boolean(),
    /** Null: as soon as it is published. */
    suggested_from: z._default(z.nullable(moment), null),
  }),
  reply: z.object({ list: listDetails }),
  errors: ['unknown_list', 'conflict'],
})

export const UPCOMING_EVENTS = ['starts', 'ends', 'suggested', 'unpinned'] as const

export const getSchedule = endpoint({
  ...forCurators,
  path: 'staff/schedule.json',
  summary: 'List scheduled changes, soonest first.',
  input: nothing,
  reply: z.object({
    events: z.array(
      z.object({
        at: z.string(),
        event: z.enum(UPCOMING_EVENTS),
        /** `trending` for a pin; its id is the song’s. */
        kind: z.enum([...KINDS, 'trending']),
        id: z.number(),
        title: z.string(),
      }),
    ),
  }),
})
