import * as z from 'zod/mini'
import { CONVERSION_FORMATS } from './conversion-formats.ts'
import { id } from './endpoint.ts'

/** Fields and errors that several kinds of downloads have in common. */

export const DOWNLOAD_ERRORS = [
  'downloads_not_allowed',
  'subscription_required',
  'download_limit_reached',
  'monthly_limit_reached',
  'song_not_released',
  'unknown_version',
] as const

/**
 * `original` for the uploaded file. In a zip, files that are not offered in the other formats are originals. Call
 * download/prepare.json first: another format has to be made at its first download.
 */
export const downloadFormat = z._default(
  z.enum(['original', ...CONVERSION_FORMATS], 'Choose original, mp3 or aiff.'),
  'original',
)

/** Leaves out versions the member has downloaded before, unless they can be downloaded again for free. */
const skipDownloaded = z._default(z.boolean(), false)

/** Leaves out versions in the member’s DJ library that were never downloaded. */
const skipInLibrary = z._default(z.boolean(), false)

/** What a download leaves out; the numbers are `repeated` and `in_library` of its summary. */
export const leftOut = { skip_downloaded: skipDownloaded, skip_in_library: skipInLibrary }

/** The most versions that can be requested as a zip at once. */
export const COLLECTION_BUNDLE_LIMIT = 500

export const collectionVersions = z
  .array(id('versions'))
  .check(
    z.minLength(1, 'Choose at least one version.'),
    z.maxLength(COLLECTION_BUNDLE_LIMIT, `Choose up to ${COLLECTION_BUNDLE_LIMIT} versions.`),
  )

export const bundleTitle = z
  .string('Enter a title.')
  .check(z.trim(), z.minLength(1, 'Enter a title.'), z.maxLength(200, 'Use at most 200 characters.'))
