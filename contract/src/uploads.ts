import * as z from 'zod/mini'
import { endpoint, id, nothing } from './endpoint.ts'
import { seal } from './quality.ts'

/** Files members upload, and the results of their analysis. */

export const MAX_FILE_BYTES = 500 * 1024 * 1024
export const MAX_PARALLEL_UPLOADS = 2
/** Longest audio of one file. */
export const MAX_FILE_MINUTES = 180
/** Audio that is analysed for one member in one day (UTC); the rest is analysed the next day. */
export const MINUTES_PER_DAY = 24 * 60
/** By file name; the type of a file is detected from its content once it has arrived. */
export const AUDIO_ENDINGS = ['mp3', 'wav', 'flac', 'aiff', 'aif', 'aifc', 'm4a', 'ogg', 'oga', 'opus'] as const
/** Where files are sent in chunks by the tus protocol 1.0.0 (https://tus.io); upload/songs.json accepts whole files. */
export const RESUMABLE_PATH = '/api/upload/files'

export const fault = z.object({
  /** `truncated`, `silent`, `upscaled`, `already_in_catalogue`, `length_differs` … */
  code: z.string(),
  /** One sentence for the uploader. */
  message: z.string(),
  at_seconds: z.optional(z.number()),
  /** True if the version cannot be published with it; other faults are for staff to judge. */
  blocks: z.boolean(),
})
export type Fault = z.output<typeof fault>

export const ANALYSIS_STATES = ['queued', 'running', 'done', 'failed'] as const

/** Analysis results of a file. Until the state is `done`, only state and progress are set. */
export const analysis = z.object({
  state: z.enum(ANALYSIS_STATES),
  /** Progress, 0 to 1. */
  progress: z.number(),
  format: z.nullable(z.string()),
  bpm: z.nullable(z.number()),
  bpm_confidence: z.number(),
  bpm_alternatives: z.array(z.number()),
  song_key: z.nullable(z.string()),
  key_confidence: z.number(),
  duration_seconds: z.number(),
  sample_rate: z.number(),
  bitrate_kbps: z.number(),
  loudness_lufs: z.nullable(z.number()),
  true_peak_db: z.nullable(z.number()),
  faults: z.array(fault),
  seal,
})
export type UploadAnalysis = z.output<typeof analysis>

/** What a file's tags and name contain; '' and null for missing values. */
export const tag = z.object({
  title: z.string(),
  artist: z.string(),
  version_label: z.string(),
  year: z.nullable(z.number()),
  bpm: z.nullable(z.number()),
  song_key: z.nullable(z.string()),
  /** Names as they are written there. */
  genres: z.array(z.string()),
  /** The pool's genres they refer to. */
  genre_ids: z.array(z.number()),
})
export type Tag = z.output<typeof tag>

export const containerFile = z.object({
  upload_id: z.number(),
  /** Its original file name. */
  file: z.string(),
  bytes: z.number(),
  uploaded_at: z.string(),
  tag,
  analysis,
  /** URLs of the preview and its waveform, signed, for the uploader and staff only; '' until it has been analysed. */
  mp3: z.string(),
  peaks: z.string(),
})
export type ContainerFile = z.output<typeof containerFile>

const UPLOAD_ERRORS = [
  'file_required',
  'too_many_files',
  'too_large',
  'unsupported_file_type',
  'upload_corrupted',
  'insufficient_storage',
  'already_uploaded',
  'daily_limit_reached',
] as const

export const uploadSongs = endpoint({
  path: 'upload/songs.json',
  access: 'member',
  section: 'uploads',
  body: 'multipart',
  summary: 'Upload up to two audio files (field UploadForm[mp3Files]). Analysis starts immediately.',
  input: z.object({}),
  reply: z.object({ files: z.array(containerFile) }),
  errors: UPLOAD_ERRORS,
})

export const removeUpload = endpoint({
  path: 'upload/remove.json',
  access: 'member',
  summary: 'Delete an unused file. Files used in a song can’t be deleted; remove the version first.',
  input: z.object({ upload_id: id('upload_id') }),
  reply: nothing,
  errors: ['unknown_upload', 'upload_in_use'],
})

export const watchUploads = endpoint({
  path: 'upload/watch.json',
  access: 'member',
  summary:
    'Get a signed server-sent events URL, valid for a few minutes. Each `files` event contains the changed files, in the format of get-container-songs.',
  input: nothing,
  reply: z.object({ url: z.string() }),
})

export const getContainer = endpoint({
  path: 'song/get-container-songs.json',
  access: 'member',
  summary: 'List uploaded files not used in a song yet, newest first.',
  input: nothing,
  reply: z.object({ files: z.array(containerFile) }),
})
