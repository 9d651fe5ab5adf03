import type { AnalyseOptions } from './analyse.ts'
import type { Analysis } from './analysis.ts'
import type { ConversionOptions } from './conversion/convert.ts'
import type { FallbackPart } from './fallback.ts'

/**
 * File descriptors at which a child process finds the files its parent opened. 0 to 2 are the standard streams, 3 is
 * the IPC channel.
 */
export const SOURCE_FD = 4
export const TARGET_FD = 5

/** The file a child process analyses. The extension of its name tells the format it claims to be. */
export type ToAnalyser = {
  task: 'analyse'
  name: string
  hasPreviewFile: boolean
  options: Pick<AnalyseOptions, 'tempoRange' | 'maxDurationSeconds'>
}

/** What a child process converts its source to. */
export type ToConverter = { task: 'convert' } & Pick<ConversionOptions, 'format' | 'maxDurationSeconds' | 'quality'>

export type FromConverter = Extract<FromAnalyser, { kind: 'progress' | 'failed' }> | { kind: 'converted' }

export type FromAnalyser =
  | { kind: 'progress'; share: number }
  | { kind: 'expected'; duration_seconds: number }
  | { kind: 'fallback'; part: FallbackPart; reason: string }
  | { kind: 'done'; analysis: Analysis; hasPreview: boolean }
  | { kind: 'failed'; message: string }
