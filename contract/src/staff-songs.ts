import * as z from 'zod/mini'
import { versionTempo } from './catalogue.ts'
import { endpoint, forCurators, id, integerBetween, optionalId, page, pagination } from './endpoint.ts'

/** The catalogue as staff see it: songs and versions, where each value came from, and what staff changed. */

/** The number of songs on a page: by default, and at most. */
export const STAFF_SONGS_PER_PAGE = 50
export const MAX_STAFF_SONGS_PER_PAGE = 1000
/** The most songs in one change. */
export const MAX_SELECTED_SONGS = 1000
export const EDITS_PER_PAGE = 20

export const STAFF_SONG_STATES = ['all', 'published', 'unpublished', 'draft'] as const
export const LACKS = ['key', 'bpm', 'art', 'genre', 'year'] as const
/** Ascending; with a “-” descending. */
export const STAFF_SONG_SORTS = [
  'title',
  '-title',
  'artist',
  '-artist',
  'bpm',
  '-bpm',
  'key',
  '-key',
  'year',
  '-year',
  'added',
  '-added',
  'changed',
  '-changed',
] as const
/** Editable fields of a song. */
export const FIELDS = [
  'title',
  'artist',
  'album',
  'label',
  'remixer',
  'isrc',
  'year',
  'bpm',
  'song_key',
  'genres',
  'song_section_id',
] as const
export type Field = (typeof FIELDS)[number]

export const ORIGINS = ['tag', 'name', 'analysis', 'uploader', 'staff'] as const
export const origin = z.enum(ORIGINS)
export type Origin = z.output<typeof origin>

const status = z.enum(['published', 'unpublished', 'draft'])

const version = z.object({
  song_version_id: z.number(),
  version_kind_id: z.number(),
  version_label: z.string(),
  start_seconds: z.number(),
  duration_seconds: z.number(),
  status,
  unpublished_at: z.nullable(z.string()),
  format: z.nullable(z.string()),
  /** `generated`: generated on demand, without a file. */
  file: z.enum(['stored', 'missing', 'generated']),
  ...versionTempo,
  bpm_source: z.nullable(origin),
  /** Of an analysis: the probability that it is right, 0 to 1. */
  bpm_confidence: z.nullable(z.number()),
  key_source: z.nullable(origin),
  /** Of an analysis: that of the version whose key it is. */
  key_confidence: z.nullable(z.number()),
  /** What the analysis of this file measured, which may differ; null without an analysis. */
  measured: z.nullable(
    z.object({
      bpm: z.nullable(z.number()),
      bpm_confidence: z.number(),
      song_key: z.nullable(z.string()),
      key_confidence: z.number(),
    }),
  ),
})
export type StaffVersion = z.output<typeof version>

export const song = z.object({
  entity_id: z.number(),
  /** Increases with each change; the caller sends the revision they read. */
  revision: z.number(),
  title: z.string(),
  artist: z.string(),
  album: z.string(),
  label: z.string(),
  remixer: z.string(),
  isrc: z.string(),
  year: z.nullable(z.number()),
  min_bpm: z.nullable(z.number()),
  max_bpm: z.nullable(z.number()),
  song_key: z.nullable(z.string()),
  genres: z.array(z.object({ genre_id: z.number(), name: z.string(), kind: z.enum(['genre', 'mood']) })),
  song_section_id: z.number(),
  status,
  unpublished_at: z.nullable(z.string()),
  image: z.string(),
  has_cover: z.boolean(),
  /** What is missing. */
  lacks: z.array(z.enum(LACKS)),
  /** Where each value came from; missing values were stored before sources were recorded. */
  origins: z.record(z.string(), origin),
  /** In order, unpublished ones last. */
  versions: z.array(version),
  created_at: z.string(),
  changed_at: z.nullable(z.string()),
})
export type StaffSong = z.output<typeof song>

const filters = z.object({
  /** Beginnings of words of artist, title, remix, album and label; an ISRC; a number (`#12`). */
  find: z._default(z.string().check(z.trim(), z.maxLength(200)), ''),
  state: z._default(z.enum(STAFF_SONG_STATES), 'all'),
  lacks: z.optional(z.nullable(z.enum(LACKS))),
  genre_id: optionalId('genre_id'),
  song_section_id: optionalId('song_section_id'),
})

export const getSongs = endpoint({
  ...forCurators,
  path: 'staff/songs.json',
  summary: 'List songs in any state, filtered and paginated.',
  input: z.extend(filters, {
    sort: z._default(z.enum(STAFF_SONG_SORTS), '-added'),
    page,
    per_page: z._default(
      integerBetween(1, MAX_STAFF_SONGS_PER_PAGE, `per_page must be from 1 to ${MAX_STAFF_SONGS_PER_PAGE}.`),
      STAFF_SONGS_PER_PAGE,
    ),
  }),
  reply: z.object({ songs: z.array(song), pagination }),
})

export const countSongs = endpoint({
  ...forCurators,
  path: 'staff/song-counts.json',
  summary: 'Get the number of songs for each filter value, with all other filters applied.',
  input: filters,
  reply: z.object({
    states: z.record(z.enum(STAFF_SONG_STATES), z.number()),
    lacks: z.record(z.enum(LACKS), z.number()),
    sections: z.object({ songs: z.number(), kuts: z.number() }),
  }),
})

export const selectSongs = endpoint({
  ...forCurators,
  path: 'staff/select-songs.json',
  summary: `Get the songs matching the filters for bulk editing, limited to the newest ${MAX_SELECTED_SONGS}.`,
  input: filters,
  reply: z.object({ songs: z.array(z.object({ entity_id: z.number(), revision: z.number() })), total: z.number() }),
})

/** The value a source gives, which may differ from the current one. */
const selectedSong = z.object({
  field: z.enum(FIELDS),
  from: origin,
  /** The file or person it comes from: `Clean`, a DJ name. */
  where: z.string(),
  /** As it would be typed. */
  value: z.string(),
  /** For genres: the pool's genres it refers to. */
  genre_ids: z.array(z.number()),
  /** For the analysis: the probability that it is right, 0 to 1. */
  confidence: z.nullable(z.number()),
  /** For the analysis: other metrical levels. */
  alternatives: z.array(z.string()),
})
export type SelectedSong = z.output<typeof selectedSong>

export const EDIT_KINDS = [
  'edited',
  'unpublished',
  'restored',
  'version_unpublished',
  'version_restored',
  'cover',
  'analysed',
  'undone',
] as const

const edit = z.object({
  song_edit_id: z.number(),
  at: z.string(),
  /** DJ name; '' if the account was deleted. */
  by: z.string(),
  kind: z.enum(EDIT_KINDS),
  /** Names of the fields it set: `title`, `song_key`, `version`. */
  fields: z.array(z.string()),
  songs: z.number(),
  /** Artist and title of one of the songs. */
  example: z.object({ entity_id: z.number(), title: z.string(), artist: z.string() }),
  /** For an undo: the kind of the change it undid. */
  undoes: z.nullable(z.object({ song_edit_id: z.number(), kind: z.enum(EDIT_KINDS) })),
  /** Number of its songs that were already undone. */
  undone: z.number(),
})
export type SongEdit = z.output<typeof edit>

const analysing = z.object({
  state: z.enum(['queued', 'running', 'done', 'failed']),
  progress: z.number(),
  last_error: z.string(),
})

export const getSong = endpoint({
  ...forCurators,
  path: 'staff/song.json',
  summary: 'Get a song with its versions, the values from each source and the edits made by staff.',
  input: z.object({ entity_id: id('entity_id') }),
  reply: z.object({
    song,
    value_sources: z.array(selectedSong),
    /** The member who uploaded it. */
    uploader: z.nullable(z.object({ upload_song_id: z.number(), customer_id: z.number(), dj_name: z.string() })),
    edits: z.array(
      z.extend(edit, { changes: z.array(z.object({ field: z.string(), before: z.string(), after: z.string() })) }),
    ),
    /** Its files that are being analysed again, or were recently, by song_version_id. */
    analysing: z.record(z.string(), analysing),
  }),
  errors: ['unknown_song'],
})

export const getEdits = endpoint({
  ...forCurators,
  path: 'staff/song-edits.json',
  summary: 'List catalogue edits by staff, newest first. With `mine`, only the caller’s own.',
  input: z.object({ mine: z._default(z.boolean(), false), page }),
  reply: z.object({ edits: z.array(edit), pagination }),
})
