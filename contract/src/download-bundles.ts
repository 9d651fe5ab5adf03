import * as z from 'zod/mini'
import { bundleTitle, collectionVersions, DOWNLOAD_ERRORS, downloadFormat, leftOut } from './download-fields.ts'
import { endpoint, id, optionalId } from './endpoint.ts'

/** Files left out of a zip, each with the reason as a sentence for the member; these are not counted. */
const skipped = z.array(z.object({ song_version_id: z.number(), title: z.string(), why: z.string() }))

export const bundle = z.object({
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
