import * as z from 'zod/mini'
import { day, endpoint, id, integerBetween, nothing, optionalId, page, pagination } from './endpoint.ts'

const DOWNLOAD_ERRORS = [
  'downloads_not_allowed',
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
  /** More than 400 files come as several zips: this is number `part` of `parts`. */
  part: z.number(),
  parts: z.number(),
  /** For the zip after this one: send it as `continue_from`. Null where this is the last. */
  continue_from: z.nullable(z.number()),
})
export type Bundle = z.output<typeof bundle>

export const downloadVersion = endpoint({
  path: 'download/song-version.json',
  access: 'downloader',
  summary: 'Count a download of a version and return its signed download link.',
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
  errors: [...DOWNLOAD_ERRORS, 'file_unavailable'],
})

export const downloadSongBundle = endpoint({
  path: 'download/song-bundle.json',
  access: 'downloader',
  summary: 'Download all versions of a song as a zip.',
  input: z.object({ entity_id: id('entity_id') }),
  reply: bundle,
  errors: [...DOWNLOAD_ERRORS, 'unknown_song', 'nothing_to_download', 'file_unavailable'],
})

export const downloadCrateBundle = endpoint({
  path: 'crate/download-crate-bundle.json',
  access: 'downloader',
  summary: 'Download the crate (one genre or all) as zips of up to 400 files, one per call.',
  input: z.object({
    genre_id: optionalId('genre_id'),
    /** Of the reply before: the next zip, with files that were in none of the earlier ones. */
    continue_from: optionalId('continue_from'),
  }),
  reply: bundle,
  errors: [...DOWNLOAD_ERRORS, 'crate_empty', 'unknown_bundle', 'nothing_to_download', 'file_unavailable'],
})

export const customerDownloads = endpoint({
  path: 'download/customer-downloads.json',
  access: 'customer',
  summary: 'Get the number of downloads used per version.',
  input: nothing,
  reply: z.object({ downloads: z.record(z.string(), z.number()), limit: z.number() }),
})

export const DOWNLOADS_PER_PAGE = 24

/** One download that was counted; title, artist, tempo and key are those of today. */
const downloadedVersion = z.object({
  title: z.string(),
  artist: z.string(),
  version: z.object({ version_label: z.string(), song_version_id: z.number() }),
  min_bpm: z.nullable(z.number()),
  max_bpm: z.nullable(z.number()),
  song_key: z.nullable(z.string()),
  /** When it was downloaded. */
  created_at: z.string(),
  entity_id: z.number(),
  song_section_id: z.number(),
  /** Downloads of this version that are used, of how many. */
  used: z.number(),
  limit: z.number(),
  /** The song is still in the pool: it has a page. */
  listed: z.boolean(),
  /** The version can still be fetched: it is in the pool, or left it a short while ago, and its file is there. */
  available: z.boolean(),
  /** Fetched now, it is not counted again: its last download never arrived whole and is less than a day old, or its tags were corrected since. */
  can_fetch_free: z.boolean(),
  /** Title, artist, tempo, key or year were corrected since it was last fetched. */
  is_corrected: z.boolean(),
})
export type DownloadedVersion = z.output<typeof downloadedVersion>

export const downloadRescue = endpoint({
  path: 'download/download-rescue.json',
  access: 'customer',
  summary: 'List the member’s downloads, newest first, including songs that have since been unpublished.',
  input: z.object({
    page,
    pageLimit: z._default(integerBetween(1, 100, 'pageLimit must be between 1 and 100.'), DOWNLOADS_PER_PAGE),
    startDate: z.optional(z.nullable(day)),
    endDate: z.optional(z.nullable(day)),
    /** Words, each a part of the title or of the artist. */
    search: z._default(z.string().check(z.trim(), z.maxLength(200)), ''),
  }),
  reply: z.object({ results: z.array(downloadedVersion), pagination }),
})
