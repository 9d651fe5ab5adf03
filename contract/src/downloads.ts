import * as z from 'zod/mini'
import { section } from './catalogue.ts'
import { CHART_TYPES } from './charts.ts'
import { CONVERSION_FORMATS, type ConversionFormat, conversionFormat, conversionFormats } from './conversion-formats.ts'
import { SOFTWARE } from './dj-software.ts'
import { day, endpoint, id, integerBetween, nothing, optionalId, page, pagination, refineTogether } from './endpoint.ts'

const DOWNLOAD_ERRORS = [
  'downloads_not_allowed',
  'subscription_required',
  'download_limit_reached',
  'monthly_limit_reached',
  'song_not_released',
  'unknown_version',
] as const

export { CONVERSION_FORMATS, type ConversionFormat }

/**
 * `original` for the uploaded file. In a zip, files that are not offered in the other formats are originals. Call
 * download/prepare.json first: another format has to be made at its first download.
 */
const downloadFormat = z._default(
  z.enum(['original', ...CONVERSION_FORMATS], 'Choose original, mp3 or aiff.'),
  'original',
)

/** Files left out of a zip, each with the reason as a sentence for the member; these are not counted. */
const skipped = z.array(z.object({ song_version_id: z.number(), title: z.string(), why: z.string() }))

const bundle = z.object({
  zip: z.string(),
  url: z.string(),
  bytes: z.number(),
  files: z.number(),
  skipped,
  /** More than 400 files are split into several zips: this is number `part` of `parts`. */
  part: z.number(),
  parts: z.number(),
  /** Send this as `continue_from` to get the next zip. Null for the last one. */
  continue_from: z.nullable(z.number()),
})
export type Bundle = z.output<typeof bundle>

export const downloadVersion = endpoint({
  path: 'download/song-version.json',
  access: 'downloader',
  summary: 'Count a download of a version and return its signed download link.',
  input: z.object({ version: id('version'), isCreate: z.optional(z.unknown()), format: downloadFormat }),
  reply: z.object({
    version_code: z.string(),
    file_name: z.string(),
    uploaded_mp3_name: z.string(),
    url: z.string(),
    bytes: z.number(),
    used: z.number(),
    limit: z.number(),
  }),
  errors: [...DOWNLOAD_ERRORS, 'file_unavailable', 'conversion_not_offered', 'conversion_failed', 'conversion_pending'],
})

/** Leaves out versions the member has downloaded before, unless they can be downloaded again for free. */
const skipDownloaded = z._default(z.boolean(), false)

/** Leaves out versions in the member’s DJ library that were never downloaded. */
const skipInLibrary = z._default(z.boolean(), false)

/** What a download leaves out; the numbers are `repeated` and `in_library` of its summary. */
export const leftOut = { skip_downloaded: skipDownloaded, skip_in_library: skipInLibrary }

export const downloadSongBundle = endpoint({
  path: 'download/song-bundle.json',
  access: 'downloader',
  summary: 'Download all versions of a song as a zip.',
  input: z.object({ entity_id: id('entity_id'), ...leftOut, format: downloadFormat }),
  reply: bundle,
  errors: [...DOWNLOAD_ERRORS, 'unknown_song', 'nothing_to_download', 'file_unavailable', 'conversion_pending'],
})

export const downloadCrateBundle = endpoint({
  path: 'crate/download-crate-bundle.json',
  access: 'downloader',
  summary: 'Download the crate (one genre or all) as zips of up to 400 files, one per call.',
  input: z.object({
    genre_id: optionalId('genre_id'),
    ...leftOut,
    /** That of the first zip also applies to the next ones. */
    format: downloadFormat,
    /** From the previous reply: requests the next zip, with files that were in none of the earlier ones. */
    continue_from: optionalId('continue_from'),
  }),
  reply: bundle,
  errors: [
    ...DOWNLOAD_ERRORS,
    'plan_feature_required',
    'crate_empty',
    'unknown_bundle',
    'nothing_to_download',
    'file_unavailable',
    'conversion_pending',
  ],
})

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

/** The most versions that can be requested as a zip at once. */
export const COLLECTION_BUNDLE_LIMIT = 500

const collectionVersions = z
  .array(id('versions'))
  .check(
    z.minLength(1, 'Choose at least one version.'),
    z.maxLength(COLLECTION_BUNDLE_LIMIT, `Choose up to ${COLLECTION_BUNDLE_LIMIT} versions.`),
  )

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

export const checkDownload = endpoint({
  path: 'download/check.json',
  access: 'customer',
  summary: 'Check whether downloading a version would be counted again or use up its last download.',
  input: z.object({ version: id('version') }),
  reply: z.object({
    title: z.string(),
    version_label: z.string(),
    /** When it was last downloaded, if downloading it again is counted; otherwise null. */
    downloaded_at: z.nullable(z.string()),
    is_last: z.boolean(),
  }),
  errors: ['unknown_version'],
})

const bundleTitle = z
  .string('Enter a title.')
  .check(z.trim(), z.minLength(1, 'Enter a title.'), z.maxLength(200, 'Use at most 200 characters.'))

export const downloadCollectionBundle = endpoint({
  path: 'download/collection-bundle.json',
  access: 'downloader',
  summary:
    'Download versions of several songs (of a list, genre, artist or label) as a zip with this title. Request the rest of more than 400 files with continue_from of crate/download-crate-bundle.json.',
  input: z.object({
    title: bundleTitle,
    versions: collectionVersions,
    ...leftOut,
    format: downloadFormat,
    /** The top 20 that all of these versions belong to: plans include top 20s separately from other lists. */
    top20_id: optionalId('top20_id'),
  }),
  reply: bundle,
  errors: [
    ...DOWNLOAD_ERRORS,
    'plan_feature_required',
    'unknown_list',
    'nothing_to_download',
    'file_unavailable',
    'conversion_pending',
  ],
})

/** Which of a member's own downloads. */
const historyFilter = {
  startDate: z.optional(z.nullable(day)),
  endDate: z.optional(z.nullable(day)),
  /** Words; each must be part of the title or the artist. */
  search: z._default(z.string().check(z.trim(), z.maxLength(200)), ''),
}

/** Exactly one of these names the songs of a kit. */
const KIT_SOURCES = [
  'crate',
  'history',
  'playlist_id',
  'list_id',
  'top20_id',
  'chart_type',
  'song_version_ids',
] as const

/** Where the songs of a kit come from. Songs of lists are in the versions that the member prefers. */
export const kitSource = z
  .object({
    crate: z.optional(z.literal(true)),
    /** The member's downloads, newest first. */
    history: z.optional(z.object(historyFilter)),
    playlist_id: optionalId('playlist_id'),
    /** A spotlight. */
    list_id: optionalId('list_id'),
    top20_id: optionalId('top20_id'),
    chart_type: z.optional(z.enum(CHART_TYPES)),
    song_version_ids: z.optional(collectionVersions),
    /** Limits the crate or a chart to one genre. */
    genre_id: optionalId('genre_id'),
    /** Of a chart. */
    song_section_id: section,
    /** Names the kit of `song_version_ids`. */
    title: z.optional(bundleTitle),
  })
  .check(
    refineTogether((source) => KIT_SOURCES.filter((name) => source[name] !== undefined).length === 1, {
      message: 'Choose one source of songs.',
      path: [],
    }),
  )

const kitInput = {
  source: kitSource,
  /** The default profile if missing. */
  profile_id: optionalId('profile_id'),
}

export const KIT_ERRORS = [
  'unknown_profile',
  'unknown_playlist',
  'unknown_list',
  'section_disabled',
  'crate_empty',
] as const

export const kitSummary = endpoint({
  path: 'download/kit-summary.json',
  access: 'customer',
  summary: 'Get the number of files in a booth kit, their size, and how many downloads they use.',
  input: z.object(kitInput),
  reply: z.extend(downloadSummary, {
    /** Versions that the member has downloaded before: those of a kit without audio. */
    owned: z.number(),
  }),
  errors: KIT_ERRORS,
})

export const downloadBoothKit = endpoint({
  path: 'download/booth-kit.json',
  access: 'downloader',
  summary:
    'Download songs as a zip for a DJ program: files in the folders of a profile, and the library file with beat grids and cues. Without audio only the library file, which counts nothing.',
  input: z.object({
    software: z.enum(SOFTWARE, 'Choose your DJ software.'),
    ...kitInput,
    /** False for the library file of the versions that were downloaded before. */
    with_audio: z._default(z.boolean(), true),
    ...leftOut,
  }),
  reply: z.extend(bundle, { file_name: z.string() }),
  errors: [
    ...DOWNLOAD_ERRORS,
    ...KIT_ERRORS,
    'plan_feature_required',
    'nothing_to_download',
    'file_unavailable',
    'conversion_pending',
  ],
})

export const prepareDownload = endpoint({
  path: 'download/prepare.json',
  access: 'downloader',
  summary:
    'Convert the files of a download (versions, all versions of a song, a booth kit, the next zip, or the crate by default) and report how far they are. Call it once a second until is_ready. Counts nothing.',
  input: z.object({
    format: conversionFormat,
    versions: z.optional(collectionVersions),
    entity_id: optionalId('entity_id'),
    kit: z.optional(z.object(kitInput)),
    continue_from: optionalId('continue_from'),
    genre_id: optionalId('genre_id'),
    ...leftOut,
  }),
  reply: z.object({
    /** How many files are converted, of how many; files that stay as they are not among them. */
    ready: z.number(),
    files: z.number(),
    /** The share of the work that is done, 0 to 1. */
    progress: z.number(),
    /** Files that cannot be converted: a zip contains their originals. */
    failed: z.array(z.object({ song_version_id: z.number(), title: z.string() })),
    /** Whether the download can be requested. */
    is_ready: z.boolean(),
  }),
  errors: [
    ...DOWNLOAD_ERRORS,
    ...KIT_ERRORS,
    'unknown_song',
    'unknown_bundle',
    'nothing_to_download',
    'plan_feature_required',
  ],
})

export const customerDownloads = endpoint({
  path: 'download/customer-downloads.json',
  access: 'customer',
  summary: 'Get the number of downloads used per version.',
  input: nothing,
  reply: z.object({
    downloads: z.record(z.string(), z.number()),
    limit: z.number(),
    /** What the pool converts lossless files to. */
    conversions: conversionFormats,
  }),
})

export const DOWNLOADS_PER_PAGE = 24

/** A counted download; title, artist, tempo and key have their current values. */
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
  /** Used and total downloads of this version. */
  used: z.number(),
  limit: z.number(),
  /** True if the song is still in the pool and has a page. */
  listed: z.boolean(),
  /**
   * True if the version can still be downloaded: it is in the pool or was unpublished recently, and its file exists.
   */
  available: z.boolean(),
  /**
   * True if downloading it now is not counted again: its last download did not complete and is less than a day old, or
   * its tags were corrected since.
   */
  can_fetch_free: z.boolean(),
  /** True if title, artist, tempo, key or year were corrected since the last download. */
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
    ...historyFilter,
  }),
  reply: z.object({ results: z.array(downloadedVersion), pagination }),
})
