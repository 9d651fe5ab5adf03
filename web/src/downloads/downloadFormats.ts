import type { downloads } from '@dubplate/contract'
import * as texts from './texts.ts'

/** The uploaded file, or what it is converted to. */
export type DownloadFormat = 'original' | downloads.ConversionFormat

export const FORMAT_NAMES: Record<downloads.ConversionFormat, string> = { mp3: texts.mp3At320, aiff: texts.aiff }

export const ZIP_FORMAT_NAMES: Record<DownloadFormat, string> = {
  original: texts.originalFiles,
  mp3: texts.mp3WherePossible,
  aiff: texts.aiffWherePossible,
}

/** The format of a zip: that of the member, if some of its files are offered in it. */
export const zipFormatFor = (
  { conversions }: Pick<downloads.DownloadSummary, 'conversions'>,
  chosen: DownloadFormat,
): DownloadFormat => (chosen !== 'original' && conversions.includes(chosen) ? chosen : 'original')
