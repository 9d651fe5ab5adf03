import type { AudioFormat, Fault } from '../audio-files/faults.ts'
import type { Spectrum } from './spectrogram.ts'
import type { SongStructure } from './structure/song-structure.ts'

export type Analysis = {
  /** When nothing was recognised: what the file's name claims, or 'mp3'. */
  format: AudioFormat
  duration_seconds: number
  sample_rate: number
  channels: number
  bitrate_kbps: number
  /** Bits of a stored sample; null for lossy files. */
  bit_depth: number | null
  /** Two decimals. Null when there is under four seconds of audio or no beat at all. */
  bpm: number | null
  /** Probability that the tempo is right within 4 %, as bench/RESULTS.md measures it. */
  bpm_confidence: number
  /** Up to three other metrical levels, likeliest first. */
  bpm_alternatives: number[]
  /** One of the contract's KEYS ('Am', 'F#m', 'Eb'); null when there are no tones. */
  song_key: string | null
  /** Probability that the key is exactly right, as bench/RESULTS.md measures it. */
  key_confidence: number
  /** Integrated loudness in LUFS; −70 when everything is below the gate. */
  loudness_lufs: number
  /** Loudness range in LU. */
  loudness_range: number
  /** True peak in dBTP, −120 for digital silence. */
  true_peak_db: number
  faults: Fault[]
  /** False when the file must be skipped: empty, not audio, truncated or corrupt. Warnings leave it true. */
  playable: boolean
  /** 800 points over the whole file, planar: 800 low, 800 mid, 800 high, 800 overall; each 0..255, linear peak. */
  overview: Uint8Array
  /** 50 points a second, planar low, mid, high: three arrays of n bytes. */
  detail: Uint8Array
  /**
   * 32 bits eight times a second, of the first ten minutes: see fingerprint.ts. Empty for silence and for audio under
   * ten seconds.
   */
  fingerprint: Int32Array
  /** Levels at the times of the fingerprint, by which versions are compared; empty with it. See fingerprint.ts. */
  level_print: Uint8Array
  /** Null for audio under a twentieth of a second. */
  spectrum: Spectrum | null
  /** Beats, bars, sections and cue points; null when there is too little audio or no beat. */
  structure: SongStructure | null
  /** 1 to 10, see energy.ts; null without a beat. */
  energy: number | null
  /** How much audio was decoded for this analysis, including files that were refused in the end. */
  decoded_seconds: number
  analyser_version: number
}

/** Raised whenever the same file would give other values, so that stored analyses can be renewed. */
export const ANALYSER_VERSION = 4

export const OVERVIEW_POINTS = 800
export const DETAIL_POINTS_PER_SECOND = 50

/** Where a preview is written until it is complete. A file left there by a crash can be deleted. */
export const partialPath = (previewPath: string) => `${previewPath}.part`

/** The analysis of a file of which nothing could be decoded. */
export function unreadableAnalysis(format: AudioFormat, faults: Fault[], decodedSeconds = 0): Analysis {
  return {
    format,
    duration_seconds: 0,
    sample_rate: 0,
    channels: 0,
    bitrate_kbps: 0,
    bit_depth: null,
    bpm: null,
    bpm_confidence: 0,
    bpm_alternatives: [],
    song_key: null,
    key_confidence: 0,
    loudness_lufs: -70,
    loudness_range: 0,
    true_peak_db: -120,
    faults,
    playable: false,
    overview: new Uint8Array(OVERVIEW_POINTS * 4),
    detail: new Uint8Array(0),
    fingerprint: new Int32Array(0),
    level_print: new Uint8Array(0),
    spectrum: null,
    structure: null,
    energy: null,
    decoded_seconds: decodedSeconds,
    analyser_version: ANALYSER_VERSION,
  }
}
