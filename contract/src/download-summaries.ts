import * as z from 'zod/mini'
import { conversionFormats } from './conversion-formats.ts'
import { collectionVersions } from './download-fields.ts'
import { endpoint, id, optionalId } from './endpoint.ts'

export const downloadSummary = z.object({
  songs: z.number(),
  files: z.number(),
  bytes: z.number(),
  /** Files that can be downloaded now. */
  downloadable: z.number(),
  /** Downloads that would be counted. */
  uses: z.number(),
  /** Files whose last download would be used up. */
  last: z.number(),
  /** Files downloaded before that would be counted again. */
  repeated: z.number(),
  /** Files that were never downloaded and are in the member’s DJ library. */
  in_library: z.number(),
  /** Files without downloads left. */
  used_up: z.number(),
  /** Files missing from storage. */
  unavailable: z.number(),
  /** Files of new songs that members of other plans can download earlier. */
  too_early: z.number(),
  /** What some of the files can be converted to. */
  conversions: conversionFormats,
  /** Whether the plan includes a zip of these files. */
  has_bundle: z.boolean(),
  /** Downloads per version; null for staff, whose downloads are not counted. */
  limit: z.nullable(z.number()),
  /** Downloads of this month, if the plan limits them. */
  month: z.nullable(z.object({ left: z.number(), limit: z.number() })),
})
export type DownloadSummary = z.output<typeof downloadSummary>

export const crateSummary = endpoint({
  path: 'crate/summary.json',
  access: 'customer',
  summary: 'Get the number of files in the crate (one genre or all), their size, and how many downloads they use.',
  input: z.object({ genre_id: optionalId('genre_id') }),
  reply: downloadSummary,
})

export const songSummary = endpoint({
  path: 'download/song-summary.json',
  access: 'customer',
  summary: 'Get the number of versions of a song, their size, and how many downloads they use.',
  input: z.object({ entity_id: id('entity_id') }),
  reply: downloadSummary,
})

export const collectionSummary = endpoint({
  path: 'download/collection-summary.json',
  access: 'customer',
  summary: 'Get the number of files among these versions, their size, and how many downloads they use.',
  input: z.object({
    versions: collectionVersions,
    /** The top 20 that these versions belong to. */
    top20_id: optionalId('top20_id'),
  }),
  reply: downloadSummary,
})
