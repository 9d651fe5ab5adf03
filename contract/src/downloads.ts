import * as z from 'zod/mini'
import { endpoint, id, nothing, optionalId } from './endpoint.ts'

const REFUSALS = [
  'not_a_downloading_member',
  'subscription_required',
  'download_limit_reached',
  'unknown_version',
] as const

/** What a zip left out and why, in a sentence for the member; nothing of it was counted. */
const skipped = z.array(z.object({ song_version_id: z.number(), title: z.string(), why: z.string() }))

const bundle = z.object({
  zip: z.string(),
  url: z.string(),
  bytes: z.number(),
  files: z.number(),
  skipped,
})
export type Bundle = z.output<typeof bundle>

export const downloadVersion = endpoint({
  path: 'download/song-version.json',
  access: 'downloader',
  summary: 'Counts a download of one version and answers with its signed address.',
  input: z.object({ version: id('version'), isCreate: z.optional(z.unknown()) }),
  reply: z.object({
    version_code: z.string(),
    file_name: z.string(),
    uploaded_mp3_name: z.string(),
    url: z.string(),
    bytes: z.number(),
    used: z.number(),
    limit: z.number(),
  }),
  refusals: [...REFUSALS, 'file_unavailable'],
})

export const downloadSongBundle = endpoint({
  path: 'download/song-bundle.json',
  access: 'downloader',
  summary: 'All versions of one song as a zip.',
  input: z.object({ entity_id: id('entity_id') }),
  reply: bundle,
  refusals: [...REFUSALS, 'unknown_song', 'nothing_to_download', 'file_unavailable'],
})

export const downloadCrateBundle = endpoint({
  path: 'crate/download-crate-bundle.json',
  access: 'downloader',
  summary: 'The versions in the crate (of one genre, or all) as a zip of at most 400 files.',
  input: z.object({ genre_id: optionalId('genre_id') }),
  reply: bundle,
  refusals: [...REFUSALS, 'crate_empty', 'nothing_to_download', 'file_unavailable'],
})

export const customerDownloads = endpoint({
  path: 'download/customer-downloads.json',
  access: 'customer',
  summary: 'How many downloads of each version are used.',
  input: nothing,
  reply: z.object({ downloads: z.record(z.string(), z.number()), limit: z.number() }),
})
