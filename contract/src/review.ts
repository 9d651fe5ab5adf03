import * as z from 'zod/mini'
import {
  endpoint,
  forCurators,
  id,
  integerBetween,
  optionalId,
  page,
  pagination,
  person,
  refineTogether,
  search,
  versionInput,
} from './endpoint.ts'
import { slot, songData, songEntry, songState, uploadedSong } from './uploaded-songs.ts'

export const REVIEWS_PER_PAGE = 24

/** A member's song in the review queue. */
const reviewedUpload = z.extend(uploadedSong, {
  uploader: person,
  submitted_at: z.nullable(z.string()),
  /** Increases with each change; the caller sends the version they read. */
  version: z.number(),
  /** True for a change to a song that is already in the pool. */
  is_edit: z.boolean(),
})
export type ReviewedUpload = z.output<typeof reviewedUpload>

/** A value of the song in the pool and its new value; null if it has none. */
const difference = z.object({
  field: z.string(),
  before: z.nullable(z.string()),
  after: z.nullable(z.string()),
})
export type Difference = z.output<typeof difference>

const uploadDuplicate = z.object({
  /** The version it concerns. */
  version_label: z.string(),
  /** The song in the pool that has the same recording. */
  entity_id: z.number(),
  title: z.string(),
  artist: z.string(),
  duplicate_label: z.string(),
  /** 0 to 1; 1 is the same file. */
  similarity: z.number(),
})
export type UploadDuplicate = z.output<typeof uploadDuplicate>

const past = z.object({
  at: z.string(),
  /** DJ name of the person who decided. */
  by: z.string(),
  decision: z.enum(['published', 'declined', 'edited']),
  reason: z.string(),
})

const reviewedSong = z.object({
  song: z.extend(songEntry, reviewedUpload.shape),
  versions: z.array(slot),
  /** What publishing would change in the pool; empty for a new song. */
  differences: z.array(difference),
  twins: z.array(uploadDuplicate),
  history: z.array(past),
})
export type ReviewedSong = z.output<typeof reviewedSong>

export const getUploads = endpoint({
  ...forCurators,
  path: 'staff/uploads.json',
  summary: 'List submitted songs by state: in review oldest first, all others newest first.',
  input: z.object({
    status: z._default(songState, 'in_review'),
    /** Part of a title, an artist or the uploader’s DJ name. */
    search,
    page,
  }),
  reply: z.object({
    songs: z.array(reviewedUpload),
    counts: z.record(z.string(), z.number()),
    pagination,
  }),
})

export const getUpload = endpoint({
  ...forCurators,
  path: 'staff/upload.json',
  summary:
    'Get a submitted song with its versions, what would change when published, and songs with the same recording.',
  input: z.object({ entity_id: id('entity_id') }),
  reply: reviewedSong,
  errors: ['unknown_song'],
})

export const decideUploads = endpoint({
  ...forCurators,
  path: 'staff/decide-uploads.json',
  summary:
    'Publish songs or decline them with a reason, which is emailed. Each song is processed separately; failures are returned with a reason.',
  input: z
    .object({
      songs: z
        .array(z.object({ entity_id: id('entity_id'), version: versionInput }))
        .check(z.minLength(1, 'Choose at least one song.'), z.maxLength(100, 'Choose up to 100 songs.')),
      decision: z.enum(['publish', 'decline']),
      reason: z._default(z.string().check(z.trim(), z.maxLength(1000, 'Use at most 1,000 characters.')), ''),
    })
    .check(
      refineTogether(({ decision, reason }) => decision !== 'decline' || reason !== '', {
        message: 'Enter a reason. It will be sent to the uploader.',
        path: ['reason'],
      }),
    ),
  reply: z.object({
    done: z.array(z.number()),
    left: z.array(z.object({ entity_id: z.number(), code: z.string(), message: z.string() })),
  }),
})

export const editUpload = endpoint({
  ...forCurators,
  path: 'staff/edit-upload.json',
  summary: 'Edit a submitted song before or after it is published. Values entered by staff take precedence.',
  input: z.object({
    entity_id: id('entity_id'),
    version: versionInput,
    songData,
    song_section_id: integerBetween(1, 2, 'song_section_id must be 1 (songs) or 2 (kuts).'),
    /** Labels and preview starts of its versions; omitted versions do not change. */
    versions: z._default(
      z.array(
        z.object({
          song_version_id: id('song_version_id'),
          version_id: optionalId('version_id'),
          new_label: z._default(z.string().check(z.trim(), z.maxLength(60)), ''),
          start_min: z._default(integerBetween(0, 599, 'start_min must be a whole number of minutes.'), 0),
          start_sec: z._default(integerBetween(0, 59, 'start_sec must be between 0 and 59.'), 0),
        }),
      ),
      [],
    ),
  }),
  reply: reviewedSong,
  errors: [
    'unknown_song',
    'unknown_genre',
    'unknown_version_type',
    'duplicate_version_label',
    'conflict',
    'date_in_past',
    'preview_start_out_of_range',
  ],
})
