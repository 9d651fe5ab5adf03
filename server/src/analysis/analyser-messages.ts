import type { AnalyseOptions } from './analyse.ts'
import type { Analysis } from './analysis.ts'
import type { FallbackPart } from './fallback.ts'

/**
 * File descriptors at which a child process finds the files its parent opened. 0 to 2 are the standard streams, 3 is
 * the IPC channel.
 */
export const SOURCE_FD = 4
export const PREVIEW_FD = 5

/** The file a child process analyses. The extension of its name tells the format it claims to be. */
export type ToAnalyser = {
  name: string
  hasPreviewFile: boolean
  options: Pick<AnalyseOptions, 'tempoRange' | 'maxDurationSeconds'>
}

export type FromAnalyser =
  | { kind: 'progress'; share: number }
  | { kind: 'expected'; duration_seconds: number }
  | { kind: 'fallback'; part: FallbackPart; reason: string }
  | { kind: 'done'; analysis: Analysis; hasPreview: boolean }
  | { kind: 'failed'; message: string }
