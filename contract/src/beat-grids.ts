import * as z from 'zod/mini'
import { endpoint, forCurators, id } from './endpoint.ts'
import { CUE_KINDS } from './song-structure.ts'

/** Beat grids that staff and uploaders correct by ear. */

export const MIN_BPM = 20
export const MAX_BPM = 400
export const MAX_CUES = 8

const BPM = `Enter a BPM from ${MIN_BPM} to ${MAX_BPM}.`

const seconds = (message: string) => z.number(message).check(z.gte(0, message))

const cue = z.object({
  kind: z.enum(CUE_KINDS),
  at_seconds: seconds('Enter the time of each cue point as minutes and seconds, such as 1:05.250.'),
})

const correction = {
  bpm: z.number(BPM).check(z.gte(MIN_BPM, BPM), z.lte(MAX_BPM, BPM)),
  first_downbeat_seconds: seconds('Enter the first downbeat as minutes and seconds, such as 0:01.250.'),
  /** In order of time. */
  cues: z.array(cue).check(z.maxLength(MAX_CUES, `Use up to ${MAX_CUES} cue points.`)),
}
const correctionInput = z.object(correction)
export type Correction = z.output<typeof correctionInput>

/** A grid of a file, measured and corrected, for those who may correct it. */
const editableGrid = z.object({
  duration_seconds: z.number(),
  /** URLs of its preview and waveform (fifty points a second in three bands), signed for this session. */
  mp3: z.string(),
  peaks: z.string(),
  /** What the analysis found, also if it is uncertain; null if it found no beat or the file has not been analysed yet. */
  measured: z.nullable(
    z.object({
      bpm: z.number(),
      first_downbeat_seconds: z.number(),
      cues: z.array(cue),
      /** Probabilities that beats and bars are right, 0 to 1. */
      beat_confidence: z.number(),
      downbeat_confidence: z.number(),
      /** It has parts of different tempo; a correction has one tempo. */
      has_tempo_changes: z.boolean(),
    }),
  ),
  /** Used instead of the measured grid. */
  correction: z.nullable(
    z.extend(correctionInput, {
      by_kind: z.enum(['uploader', 'staff']),
      /** DJ name; '' if the account was deleted. */
      by: z.string(),
      at: z.string(),
    }),
  ),
  /** Why the caller cannot correct it: staff have, or a version of someone else has the same file. */
  locked: z.nullable(z.enum(['staff', 'shared'])),
})
export type EditableGrid = z.output<typeof editableGrid>

const version = { song_version_id: id('song_version_id') }
const VERSION_ERRORS = ['unknown_version', 'file_unavailable'] as const

export const getGrid = endpoint({
  ...forCurators,
  path: 'staff/beat-grid.json',
  summary: 'Get the measured and the corrected beat grid of a version, with confidence and source.',
  input: z.object(version),
  reply: z.object({ grid: editableGrid }),
  errors: VERSION_ERRORS,
})

export const correctGrid = endpoint({
  ...forCurators,
  path: 'staff/correct-beat-grid.json',
  summary: 'Correct the beat grid of a version. Later analyses of the file keep the correction.',
  input: z.object({ ...version, ...correction }),
  reply: z.object({ grid: editableGrid }),
  errors: VERSION_ERRORS,
})

export const removeCorrection = endpoint({
  ...forCurators,
  path: 'staff/remove-beat-grid-correction.json',
  summary: 'Remove the correction of a beat grid. The measured grid is used again.',
  input: z.object(version),
  reply: z.object({ grid: editableGrid }),
  errors: VERSION_ERRORS,
})

const upload = { upload_id: id('upload_id') }

export const getOwnGrid = endpoint({
  path: 'upload/beat-grid.json',
  access: 'member',
  summary: 'Get the measured and the corrected beat grid of one of the member’s files.',
  input: z.object(upload),
  reply: z.object({ grid: editableGrid }),
  errors: ['unknown_upload'],
})

export const correctOwnGrid = endpoint({
  path: 'upload/correct-beat-grid.json',
  access: 'member',
  section: 'uploads',
  summary: 'Correct the beat grid of one of the member’s files, before or after its song is published.',
  input: z.object({ ...upload, ...correction }),
  reply: z.object({ grid: editableGrid }),
  errors: ['unknown_upload', 'not_editable'],
})

export const removeOwnCorrection = endpoint({
  path: 'upload/remove-beat-grid-correction.json',
  access: 'member',
  section: 'uploads',
  summary: 'Remove the member’s correction of a beat grid. The measured grid is used again.',
  input: z.object(upload),
  reply: z.object({ grid: editableGrid }),
  errors: ['unknown_upload', 'not_editable'],
})
