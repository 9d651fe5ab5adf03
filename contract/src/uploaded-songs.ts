import * as z from 'zod/mini'
import { day, endpoint, id, integerBetween, nothing, optionalId, page, pagination, versionInput } from './endpoint.ts'
import { parseKey } from './keys.ts'
import { parseTempo } from './tempo.ts'
import { containerFile, fault } from './uploads.ts'

/** Songs that members create from their uploaded files. */

export const UPLOADS_PER_PAGE = 20
/** How many days before a song expires its uploader is emailed. */
export const REMINDER_DAYS = 7

export const SOURCES = ['tag', 'name', 'analysis', 'uploader', 'staff'] as const
const source = z.enum(SOURCES)
export type Source = z.output<typeof source>

/** A version slot: a version type or a custom label, and its file. */
export const slotInput = z.object({
  /** Id of a saved slot; missing for a new one. */
  song_version_id: optionalId('song_version_id'),
  version_id: optionalId('version_id'),
  /** Used instead of a version type. */
  new_label: z._default(z.string().check(z.trim(), z.maxLength(60, 'Use at most 60 characters.')), ''),
  /** upload_id of its file. */
  song: id('song'),
  start_min: z._default(integerBetween(0, 599, 'start_min must be a whole number of minutes.'), 0),
  start_sec: z._default(integerBetween(0, 59, 'start_sec must be between 0 and 59.'), 0),
})
export type SlotInput = z.input<typeof slotInput>

export const slot = z.object({
  song_version_id: z.number(),
  entity_id: z.number(),
  /** 0 for a custom label. */
  version_id: z.number(),
  name: z.string(),
  new_label: z.string(),
  /** upload_id. */
  song: z.number(),
  start_min: z.number(),
  start_sec: z.number(),
  file: containerFile,
})
export type Slot = z.output<typeof slot>

const filled = (message: string, most: number) =>
  z.string(message).check(z.trim(), z.minLength(1, message), z.maxLength(most, `Use at most ${most} characters.`))

const YEAR = 'Enter a four-digit year.'
const BPM = 'Enter a BPM from 20 to 400, or a range such as 98-124.'

const toTrimmedText = (message: string) =>
  z.pipe(
    z.nullish(z.union([z.string(), z.number()], message)),
    z.transform((value) => String(value ?? '').trim()),
  )

const isYear = (text: string) => /^(19|20|21)\d\d$/.test(text)

/** A song as its uploader (or staff) describes it. The error messages are the specification's. */
export const songData = z.object({
  title: filled('Song title cannot be blank!', 300),
  artist: filled('Artist cannot be blank!', 300),
  year: toTrimmedText(YEAR).check(
    z.minLength(1, { error: 'Year cannot be blank!', abort: true }),
    z.refine(isYear, YEAR),
  ),
  song_key: toTrimmedText('Song Key cannot be blank!').check(
    z.minLength(1, { error: 'Song Key cannot be blank!', abort: true }),
    z.refine((text) => parseKey(text) !== undefined, 'Enter a key such as Am, F#m or 8A.'),
  ),
  bpm: toTrimmedText(BPM).check(
    z.minLength(1, { error: 'BPM cannot be blank!', abort: true }),
    z.refine((text) => parseTempo(text) !== undefined, BPM),
  ),
  genres: z
    .array(id('genres'), 'Please select genre!')
    .check(z.minLength(1, 'Please select genre!'), z.maxLength(20, 'Choose up to 20 genres.')),
  /** The day on which the song expires; null for 90 days from now; if missing, it does not change. */
  expire_date: z.optional(z.nullable(day)),
})
export type SongData = z.input<typeof songData>

const versions = z._default(z.array(slotInput).check(z.maxLength(30, 'A song can have up to 30 versions.')), [])

export const SONG_STATES = ['draft', 'analysing', 'in_review', 'published', 'declined', 'expired'] as const
export const songState = z.enum(SONG_STATES)
export type SongState = z.output<typeof songState>

export const uploadedSong = z.object({
  entity_id: z.number(),
  title: z.string(),
  artist: z.string(),
  /**
   * Versions with a fault and the fault as a sentence: 'Clean: it ends in the middle of a frame, at 2:31.' '' if all
   * are fine.
   */
  corrupt_version: z.string(),
  faults: z.array(z.extend(fault, { version_label: z.string() })),
  year: z.nullable(z.number()),
  song_key: z.nullable(z.string()),
  min_bpm: z.nullable(z.number()),
  max_bpm: z.nullable(z.number()),
  /** The labels of its versions: 'Clean, Dirty'. */
  search_version_term: z.string(),
  /** The day on which the song expires or expired. */
  expire_date: z.string(),
  genres: z.array(z.number()),
  song_section_id: z.number(),
  /**
   * Why it is in this state: a `draft` has no version that can be published yet; an edit of a published song is
   * `in_review` again.
   */
  status: songState,
  /** Why staff declined it; '' otherwise. */
  reason: z.string(),
  /** True if it is in the pool now, even while a change is in review. */
  is_listed: z.boolean(),
  /**
   * entity_id of the published song, which has the page; the entity_id of these endpoints is the upload's own. Null
   * before publication.
   */
  listed_entity_id: z.nullable(z.number()),
  created_at: z.string(),
})
export type UploadedSong = z.output<typeof uploadedSong>

const FIELDS = ['title', 'artist', 'year', 'song_key', 'bpm', 'genres'] as const
/** An uploaded song for its form, with the source of each value. */
export const songEntry = z.extend(uploadedSong, {
  sources: z.object(
    Object.fromEntries(FIELDS.map((name) => [name, source])) as Record<(typeof FIELDS)[number], typeof source>,
  ),
  /** Increases with each change. */
  version: z.number(),
})
export type SongEntry = z.output<typeof songEntry>

export const getVersions = endpoint({
  path: 'song/get-versions.json',
  access: 'member',
  summary: 'List the version types.',
  input: nothing,
  reply: z.object({
    versions: z.array(z.object({ version_id: z.number(), name: z.string(), new_label: z.string() })),
  }),
})

export const getUploadedSongs = endpoint({
  path: 'song/get-uploaded-songs.json',
  access: 'member',
  summary: 'List the member’s uploaded songs, including pending, declined and expired ones.',
  input: z.object({
    song_sectoin_id: z.optional(z.nullable(integerBetween(0, 2, 'song_sectoin_id must be 1 (songs) or 2 (kuts).'))),
    page,
    pageLimit: z._default(integerBetween(1, 100, 'pageLimit must be between 1 and 100.'), UPLOADS_PER_PAGE),
    order: z._default(z.enum(['entity_id', 'title', 'artist', 'expire_date']), 'entity_id'),
    orderDir: z._default(z.enum(['ASC', 'DESC'], { error: 'orderDir must be ASC or DESC.' }), 'DESC'),
    status: z.optional(z.nullable(songState)),
  }),
  reply: z.object({
    data: z.array(uploadedSong),
    counts: z.record(z.string(), z.number()),
    pagination,
  }),
})

const saving = [
  'unknown_upload',
  'unknown_version_type',
  'unknown_genre',
  'upload_in_use',
  'duplicate_version_label',
  'date_in_past',
  'preview_start_out_of_range',
] as const

export const createSong = endpoint({
  path: 'song/create-song.json',
  access: 'member',
  section: 'uploads',
  summary: 'Create a song from uploaded files. It’s submitted for review as soon as one version is valid.',
  input: z.object({ songData, versions }),
  reply: z.object({ entity_id: z.number(), status: songState }),
  errors: saving,
})

const ownedSongInput = { entity_id: id('entity_id') }
const OWNED_SONG_ERRORS = ['unknown_song'] as const

export const updateSong = endpoint({
  path: 'song/update-song.json',
  access: 'member',
  section: 'uploads',
  summary: 'Update a song. A published song stays unchanged until staff approve the update.',
  input: z.object({
    ...ownedSongInput,
    songData,
    versions,
    /** Version the caller read; prevents overwriting a change made since then. */
    version: z.optional(versionInput),
  }),
  reply: z.object({ entity_id: z.number(), status: songState }),
  errors: [...saving, ...OWNED_SONG_ERRORS, 'conflict'],
})

export const getSongEntry = endpoint({
  path: 'song/get-song-entry.json',
  access: 'member',
  summary: 'Get one of the member’s songs as last saved.',
  input: z.object(ownedSongInput),
  reply: z.object({ song: songEntry }),
  errors: OWNED_SONG_ERRORS,
})

export const getSongVersions = endpoint({
  path: 'song/get-song-versions.json',
  access: 'member',
  summary: 'List the version slots of a song.',
  input: z.object(ownedSongInput),
  reply: z.object({ versions: z.array(slot) }),
  errors: OWNED_SONG_ERRORS,
})

export const removeSongVersion = endpoint({
  path: 'song/remove-song-version.json',
  access: 'member',
  summary:
    'Remove a version from a song. Its file returns to the unused files. The published song changes once staff approve the update.',
  input: z.object({ ...ownedSongInput, song_version_id: id('song_version_id') }),
  reply: z.object({ versions: z.array(slot) }),
  errors: [...OWNED_SONG_ERRORS, 'unknown_version'],
})

export const renewSong = endpoint({
  path: 'song/renew-song.json',
  access: 'member',
  section: 'uploads',
  summary: 'Renew a song for another 90 days from today. An expired song is republished immediately.',
  input: z.object({ ...ownedSongInput, page: z.optional(z.unknown()), pageLimit: z.optional(z.unknown()) }),
  reply: z.object({ expire_date: z.string(), status: songState }),
  errors: [...OWNED_SONG_ERRORS, 'song_unpublished'],
})

export const deleteSong = endpoint({
  path: 'song/delete-song.json',
  access: 'member',
  summary: 'Delete a song and unpublish it. It stays in the history of members who downloaded it.',
  input: z.object(ownedSongInput),
  reply: nothing,
  errors: OWNED_SONG_ERRORS,
})

export const getSongFigures = endpoint({
  path: 'song/get-song-figures.json',
  access: 'member',
  summary: 'Get the statistics of a song: per week for the last twelve weeks, and in total.',
  input: z.object(ownedSongInput),
  reply: z.object({
    weeks: z.array(
      z.object({
        /** Its Monday, UTC: '2026-11-16'. */
        week: z.string(),
        listens: z.number(),
        downloads: z.number(),
        favourites: z.number(),
        crates: z.number(),
      }),
    ),
    totals: z.object({ listens: z.number(), downloads: z.number(), favourites: z.number(), crates: z.number() }),
  }),
  errors: OWNED_SONG_ERRORS,
})
