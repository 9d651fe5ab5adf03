import * as z from 'zod/mini'
import { KIT_ERRORS, kitInput } from './booth-kits.ts'
import { conversionFormat } from './conversion-formats.ts'
import { collectionVersions, DOWNLOAD_ERRORS, leftOut } from './download-fields.ts'
import { endpoint, optionalId } from './endpoint.ts'

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
