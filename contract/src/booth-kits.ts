import * as z from 'zod/mini'
import { section } from './catalogue.ts'
import { CHART_TYPES } from './charts.ts'
import { SOFTWARE } from './dj-software.ts'
import { bundle } from './download-bundles.ts'
import { bundleTitle, collectionVersions, DOWNLOAD_ERRORS, leftOut } from './download-fields.ts'
import { historyFilter } from './download-history.ts'
import { downloadSummary } from './download-summaries.ts'
import { endpoint, optionalId, refineTogether } from './endpoint.ts'

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

export const kitInput = {
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
