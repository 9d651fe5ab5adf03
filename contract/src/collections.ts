import * as z from 'zod/mini'
import { genreName, ORDERS, orderOf, section, song } from './catalogue.ts'
import { CHART_TYPES } from './charts.ts'
import { endpoint, integerBetween, optionalId, page, pagination } from './endpoint.ts'

/** What genres, spotlights, top 20s, charts, artists and labels have in common: facts for the header and all songs. */

export const COLLECTION_TYPES = ['genre', 'spotlight', 'top20', 'chart', 'artist', 'label'] as const
export type CollectionType = (typeof COLLECTION_TYPES)[number]

/** What Play all, Add all and Download all use of a longer collection. */
export const COLLECTION_LIMIT = 500
export const COLLECTION_PAGE_SIZE = 100

const name = z._default(z.string().check(z.trim(), z.maxLength(300, 'Use at most 300 characters.')), '')

/** Which collection: the others of these fields are ignored. */
export const reference = {
  type: z.enum(COLLECTION_TYPES, { error: `type must be one of ${COLLECTION_TYPES.join(', ')}.` }),
  /** Of a genre, spotlight or top 20; for a chart, the genre it is limited to. */
  id: optionalId('id'),
  /** Of an artist or label. */
  name,
  chart_type: z._default(z.enum(CHART_TYPES, { error: 'chart_type must be daily, weekly or monthly.' }), 'daily'),
  song_section_id: section,
}

const collection = z.object({
  title: z.string(),
  /** Plain text; empty for charts, artists and labels. */
  description: z.string(),
  /** URLs of its own 320 px picture, or of the covers of its first songs. */
  images: z.array(z.string()),
  /** The curator; null for a collection without one. */
  created_by: z.nullable(z.string()),
  song_count: z.number(),
  /** The total length of one version of each song; null for a genre and for more than 1,000 songs. */
  duration_seconds: z.nullable(z.number()),
  /** The number of songs added in the last 7 days; null for lists, and from 1,000 on. */
  new_count: z.nullable(z.number()),
  updated_at: z.nullable(z.string()),
})
export type Collection = z.output<typeof collection>

export const COLLECTION_ERRORS = [
  'unknown_genre',
  'unknown_list',
  'unknown_artist',
  'unknown_label',
  'section_disabled',
] as const

export const getCollection = endpoint({
  path: 'collection/get.json',
  access: 'browse',
  shared: true,
  summary:
    'Get the facts of a genre, spotlight, top 20, chart, artist or label: picture, curator, number of songs, length.',
  input: z.object(reference),
  reply: z.object({ collection }),
  errors: COLLECTION_ERRORS,
})

export const getCollectionSongs = endpoint({
  path: 'collection/songs.json',
  access: 'browse',
  shared: true,
  summary: `List the first ${COLLECTION_LIMIT} songs of a collection in its own order, ${COLLECTION_PAGE_SIZE} at a time, to play or download all of them.`,
  input: z.object({
    ...reference,
    page: z._default(integerBetween(1, COLLECTION_LIMIT / COLLECTION_PAGE_SIZE, 'page must be between 1 and 5.'), 1),
  }),
  reply: z.object({ songs: z.array(song), pagination }),
  errors: COLLECTION_ERRORS,
})

const creditedName = z.object({ name: z.string(), song_count: z.number() })
export type CreditedName = z.output<typeof creditedName>

const nameInput = z.object({ name, song_section_id: section })
const songsInput = z.object({
  name,
  page,
  order: orderOf(ORDERS, 'entity_id'),
  orderDir: z._default(z.enum(['ASC', 'DESC'], { error: 'orderDir must be ASC or DESC.' }), 'DESC'),
  song_section_id: section,
})
const songsReply = z.object({ songs: z.array(song), pagination })

const creditedPage = z.object({
  collection,
  /** The most downloaded songs, at most five. */
  top_songs: z.array(song),
  /** Artists of the same songs; of a label, its artists. */
  artists: z.array(creditedName),
  labels: z.array(creditedName),
  genres: z.array(genreName),
})
export type CreditedPage = z.output<typeof creditedPage>

export const getArtist = endpoint({
  path: 'artist/get.json',
  access: 'browse',
  shared: true,
  summary:
    'Get an artist by name: most downloaded songs, artists of joint songs, labels and genres. A name such as “A feat. B” covers the songs of both together.',
  input: nameInput,
  reply: creditedPage,
  errors: ['unknown_artist', 'section_disabled'],
})

export const getArtistSongs = endpoint({
  path: 'artist/songs.json',
  access: 'browse',
  shared: true,
  summary: 'List the songs of an artist, paginated.',
  input: songsInput,
  reply: songsReply,
  errors: ['unknown_artist', 'section_disabled'],
})

export const getLabel = endpoint({
  path: 'label/get.json',
  access: 'browse',
  shared: true,
  summary: 'Get a label by name: most downloaded songs, artists and genres.',
  input: nameInput,
  reply: creditedPage,
  errors: ['unknown_label', 'section_disabled'],
})

export const getLabelSongs = endpoint({
  path: 'label/songs.json',
  access: 'browse',
  shared: true,
  summary: 'List the songs of a label, paginated.',
  input: songsInput,
  reply: songsReply,
  errors: ['unknown_label', 'section_disabled'],
})
