import * as z from 'zod/mini'
import { song } from './catalogue.ts'
import {
  endpoint,
  forCurators,
  id,
  moment,
  nothing,
  optionalId,
  page,
  pagination,
  search,
  seenVersion,
  whole,
} from './endpoint.ts'

/** Lists that curators put together, spotlights and monthly top 20: what is in them, when they are shown, what is suggested. */

/** Both are a title, a cover and songs in an order, shown from one moment to another. */
export const KINDS = ['spotlight', 'top20'] as const
export type Kind = (typeof KINDS)[number]

export const LIST_STATES = ['draft', 'scheduled', 'published', 'ended', 'withdrawn'] as const
export type ListState = (typeof LIST_STATES)[number]

/** A top 20 has this many songs before it is published. */
export const TOP20_LENGTH = 20
/** As many as a spotlight holds. */
export const SPOTLIGHT_SONGS = 200
export const LISTS_A_PAGE = 24
export const LARGEST_COVER_MB = 10

const kind = z.enum(KINDS, { error: 'kind must be spotlight or top20.' })
const coverSeed = whole(0, 999_999_999_999_999, 'cover_seed must be a whole number.')
const entityIds = z
  .array(id('entity_ids'))
  .check(z.maxLength(SPOTLIGHT_SONGS, `A list has at most ${SPOTLIGHT_SONGS} songs.`))
const title = z
  .string()
  .check(z.trim(), z.minLength(1, 'Give it a title.'), z.maxLength(120, 'A title has at most 120 characters.'))

const staffList = z.object({
  kind,
  list_id: z.number(),
  title: z.string(),
  state: z.enum(LIST_STATES),
  /** Null for a draft. */
  published_at: z.nullable(z.string()),
  /** From when on it is no longer shown; null for good. */
  ended_at: z.nullable(z.string()),
  withdrawn_at: z.nullable(z.string()),
  /** True once members could have seen it: it is withdrawn from then on, not thrown away. */
  was_shown: z.boolean(),
  /** The cover: an address, or the picture itself (`data:`) where members do not see it yet. */
  image: z.string(),
  cover_seed: z.number(),
  /** The uploaded cover; null for the drawn one. */
  artwork_id: z.nullable(z.number()),
  song_count: z.number(),
  /** Songs in it that members do not see. */
  withdrawn_songs: z.number(),
  changed_at: z.string(),
  version: z.number(),
  /** The rest is of spotlights alone. */
  created_by: z.string(),
  curated_genre_id: z.nullable(z.number()),
  suggested: z.boolean(),
  suggested_from: z.nullable(z.string()),
})
export type StaffList = z.output<typeof staffList>

const wholeList = z.extend(staffList, { entity_ids: z.array(z.number()) })
export type WholeList = z.output<typeof wholeList>

export const getLists = endpoint({
  ...forCurators,
  path: 'staff/lists.json',
  summary: 'Spotlights or top 20 in every state: drafts first, then those that come last, then the newest.',
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
      withdrawn: z.number(),
    }),
    pagination,
  }),
})

export const getList = endpoint({
  ...forCurators,
  path: 'staff/list.json',
  summary: 'One spotlight or top 20 with its songs, by id and in order.',
  input: z.object({ kind, list_id: id('list_id') }),
  reply: z.object({ list: wholeList }),
  refusals: ['unknown_list'],
})

export const saveList = endpoint({
  ...forCurators,
  path: 'staff/save-list.json',
  summary:
    'Writes a spotlight or top 20 with its songs in this order. It is published now, at a moment, or stays a draft; times that are not said stay as they are.',
  input: z.object({
    kind,
    list_id: z.optional(id('list_id')),
    /** Of the one that is changed, as it was read. */
    version: z.optional(seenVersion),
    title,
    created_by: z._default(z.string().check(z.trim(), z.maxLength(80, 'Who made it has at most 80 characters.')), ''),
    curated_genre_id: z._default(z.nullable(id('curated_genre_id')), null),
    cover_seed: z._default(coverSeed, 0),
    artwork_id: z._default(z.nullable(id('artwork_id')), null),
    entity_ids: entityIds,
    /** What becomes of it: `at` takes published_at. */
    publication: z._default(z.enum(['unchanged', 'draft', 'now', 'at']), 'unchanged'),
    published_at: z.optional(moment),
    /** Null for good. */
    ended_at: z.optional(z.nullable(moment)),
  }),
  reply: z.object({ list: wholeList }),
  refusals: [
    'unknown_list',
    'unknown_song',
    'unknown_genre',
    'unknown_cover',
    'song_twice',
    'songs_missing',
    'was_published',
    'ends_before_it_begins',
    'changed_meanwhile',
  ],
})

export const withdrawList = endpoint({
  ...forCurators,
  path: 'staff/withdraw-list.json',
  summary: 'Takes a list off the site; one that is scheduled becomes a draft again.',
  input: z.object({ kind, list_id: id('list_id'), version: seenVersion }),
  reply: z.object({ list: wholeList }),
  refusals: ['unknown_list', 'changed_meanwhile', 'not_published'],
})

export const removeList = endpoint({
  ...forCurators,
  path: 'staff/remove-list.json',
  summary: 'Throws a list away that members have never seen.',
  input: z.object({ kind, list_id: id('list_id'), version: seenVersion }),
  reply: nothing,
  refusals: ['unknown_list', 'changed_meanwhile', 'was_published'],
})

export const uploadCover = endpoint({
  ...forCurators,
  path: 'staff/list-cover.json',
  body: 'multipart',
  summary: `Keeps a picture for the cover of a list, as a square: the field \`picture\` (JPEG, PNG, WebP, AVIF or GIF, ${LARGEST_COVER_MB} MB). It is shown once a list is saved with it.`,
  input: nothing,
  reply: z.object({ artwork_id: z.number(), image: z.string() }),
  refusals: ['no_file', 'too_large', 'not_a_picture'],
})

export const drawCover = endpoint({
  ...forCurators,
  path: 'staff/draw-cover.json',
  summary: 'The cover a list with this title and seed has, as a picture (`data:`).',
  input: z.object({
    title: z.string().check(z.maxLength(120)),
    cover_seed: coverSeed,
  }),
  reply: z.object({ image: z.string() }),
})

export const getSongs = endpoint({
  ...forCurators,
  path: 'staff/composer-songs.json',
  summary: 'Songs by id, as a list is composed of them; also which of them are withdrawn, and which there are not.',
  input: z.object({ entity_ids: entityIds }),
  reply: z.object({
    songs: z.array(song),
    withdrawn: z.array(z.object({ entity_id: z.number(), title: z.string(), artist: z.string() })),
    unknown: z.array(z.number()),
  }),
})

const placedSong = z.extend(song, { rank: z.optional(z.number()), downloads: z.optional(z.number()) })

export const previewList = endpoint({
  ...forCurators,
  path: 'staff/preview-list.json',
  summary: 'A page of a list of these songs as members would read it, whether it is saved or not.',
  input: z.object({ kind, entity_ids: entityIds, page }),
  reply: z.object({ songs: z.array(placedSong), pagination }),
})

export const getMonthChart = endpoint({
  ...forCurators,
  path: 'staff/month-chart.json',
  summary: 'The twenty songs most downloaded in a month of the calendar (UTC), to start a top 20 from.',
  input: z.object({
    month: z.string().check(z.regex(/^20\d\d-(0[1-9]|1[0-2])$/, 'A month is written as 2026-11.')),
  }),
  reply: z.object({ songs: z.array(z.extend(song, { rank: z.number(), downloads: z.number() })) }),
})

export const getSuggested = endpoint({
  ...forCurators,
  path: 'staff/suggested.json',
  summary: 'The suggested collection: the lists it shows now, first to last, and those that come next.',
  input: nothing,
  reply: z.object({
    now: z.array(staffList),
    /** Each from the moment it is shown, or null while it is a draft or withdrawn. */
    next: z.array(z.extend(staffList, { comes_at: z.nullable(z.string()) })),
  }),
})

export const suggestList = endpoint({
  ...forCurators,
  path: 'staff/suggest-list.json',
  summary: 'Puts a spotlight into the suggested collection, from a moment or with its publication, or takes it out.',
  input: z.object({
    list_id: id('list_id'),
    version: seenVersion,
    suggested: z.boolean(),
    /** Null: as soon as it is published. */
    suggested_from: z._default(z.nullable(moment), null),
  }),
  reply: z.object({ list: wholeList }),
  refusals: ['unknown_list', 'changed_meanwhile'],
})

export const AHEAD = ['begins', 'ends', 'suggested', 'unpinned'] as const

export const getSchedule = endpoint({
  ...forCurators,
  path: 'staff/programme-ahead.json',
  summary: 'What comes and goes by itself from now on, the nearest first.',
  input: nothing,
  reply: z.object({
    ahead: z.array(
      z.object({
        at: z.string(),
        what: z.enum(AHEAD),
        /** `trending` for a pin, whose id is its song’s. */
        of: z.enum([...KINDS, 'trending']),
        id: z.number(),
        title: z.string(),
      }),
    ),
  }),
})
