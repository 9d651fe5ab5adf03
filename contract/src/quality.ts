import * as z from 'zod/mini'
import { endpoint, forCurators, id } from './endpoint.ts'

/** The quality of files: what was checked, their spectrum, and whether Clean and Dirty versions differ. */

/**
 * `not_checked`: not analysed yet · `damaged`: it can't be published, and its sound was not checked · `reencoded`: may have been made from a file of lower
 * quality · `clipped` · `silent`: silent, or with a long silence
 * · `warning`: any other warning · `checked`: nothing found. With several warnings, the first of these.
 */
export const SEAL_STATES = ['not_checked', 'damaged', 'reencoded', 'clipped', 'silent', 'warning', 'checked'] as const
export type SealState = (typeof SEAL_STATES)[number]

export const seal = z.object({
  state: z.enum(SEAL_STATES),
  format: z.nullable(z.string()),
  /** The file stores every sample as it was (WAV, AIFF, FLAC, Apple Lossless). */
  is_lossless: z.boolean(),
  /** 0 if it is not known. */
  bitrate_kbps: z.number(),
  sample_rate: z.number(),
  /** Bits of a sample; null for lossy files and for those analysed before it was stored. */
  bit_depth: z.nullable(z.number()),
  /** What the analysis found, as sentences. */
  warnings: z.array(z.object({ code: z.string(), message: z.string(), at_seconds: z.optional(z.number()) })),
})
export type Seal = z.output<typeof seal>

/** A part that was changed, in seconds of each version. */
const changedPlace = z.object({
  clean_from: z.number(),
  clean_to: z.number(),
  dirty_from: z.number(),
  dirty_to: z.number(),
})
export type ChangedPlace = z.output<typeof changedPlace>

/** A Clean version compared with the Dirty version of the same kind. */
export const comparison = z.object({
  clean: z.object({ song_version_id: z.number(), version_label: z.string() }),
  dirty: z.object({ song_version_id: z.number(), version_label: z.string() }),
  /** In order of time; empty if none is clear enough to be shown. Null if they are too different to be compared. */
  places: z.nullable(z.array(changedPlace)),
  /** No difference was found at all, also none that is too small to be shown: the Clean may be the wrong file. */
  is_same: z.boolean(),
})
export type Comparison = z.output<typeof comparison>

/** The spectrogram of a file: at most 400 columns of 96 bands, see spectrum.ts. */
const spectrum = z.object({
  /** Frequency of the upper end of the highest band, in Hz; all bands are equally wide, from 0 Hz up. */
  top_hz: z.number(),
  duration_seconds: z.number(),
  /** Upper end of the highest band with content, in Hz; null for silence. */
  highest_hz: z.nullable(z.number()),
  /** Base64 of one byte for each band of each column, from the lowest band up: steps of 2 dB below full scale. */
  levels: z.string(),
})
export type Spectrum = z.output<typeof spectrum>

/** Null if the file was analysed before spectra were stored, or has no audio. */
const spectrumReply = z.object({ spectrum: z.nullable(spectrum) })
const version = { song_version_id: id('song_version_id') }

export const getSpectrum = endpoint({
  path: 'version/spectrum.json',
  access: 'member',
  summary: 'Get the spectrogram of a published version.',
  input: z.object(version),
  reply: spectrumReply,
  errors: ['unknown_version'],
})

export const getOwnSpectrum = endpoint({
  path: 'upload/spectrum.json',
  access: 'member',
  summary: 'Get the spectrogram of one of the member’s files, or of any uploaded file for curators.',
  input: z.object({ upload_id: id('upload_id') }),
  reply: spectrumReply,
  errors: ['unknown_upload'],
})

export const getStaffSpectrum = endpoint({
  ...forCurators,
  path: 'staff/spectrum.json',
  summary: 'Get the spectrogram of a version in any state.',
  input: z.object(version),
  reply: spectrumReply,
  errors: ['unknown_version'],
})

export const getSongQuality = endpoint({
  ...forCurators,
  path: 'staff/song-quality.json',
  summary: 'Get the quality of the files of a song in any state, and how its Clean and Dirty versions differ.',
  input: z.object({ entity_id: id('entity_id') }),
  reply: z.object({
    seals: z.array(z.object({ song_version_id: z.number(), seal })),
    comparisons: z.array(comparison),
  }),
  errors: ['unknown_song'],
})
