import * as z from 'zod/mini'

/** What lossless files can be converted to: an MP3 of constant 320 kbit/s, or an AIFF with the same samples. */
export const CONVERSION_FORMATS = ['mp3', 'aiff'] as const
export type ConversionFormat = (typeof CONVERSION_FORMATS)[number]
export const conversionFormat = z.enum(CONVERSION_FORMATS, 'Choose mp3 or aiff.')
export const conversionFormats = z.array(conversionFormat)
