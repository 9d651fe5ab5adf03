import type { Recipe } from '@dubplate/demo/song'
import type { Analysis } from '../analysis/analysis.ts'

/** Messages to and from the process that generates music. */
export type RenderRequest = { recipe: Recipe; path: string; cacheFolder: string | undefined }
export type RenderMessage =
  | { kind: 'written'; bytes: number }
  | { kind: 'done'; made: RenderedTrack }
  | { kind: 'failed'; message: string }

/** What was measured while the music was generated. */
export type RenderedTrack = {
  bytes: number
  duration_seconds: number
  loudness_lufs: number
  loudness_range: number
  true_peak_db: number
  overview: Uint8Array
  detail: Uint8Array
  quality: RenderedQuality
}

/** What was measured of the finished file, which the encoder has changed. */
export type RenderedQuality = Pick<Analysis, 'faults' | 'spectrum' | 'fingerprint' | 'level_print'>
