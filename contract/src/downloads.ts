/** All downloads, for `@dubplate/contract`. */

export { downloadBoothKit, KIT_ERRORS, kitSource, kitSummary } from './booth-kits.ts'
export { CONVERSION_FORMATS, type ConversionFormat } from './conversion-formats.ts'
export { type Bundle, downloadCollectionBundle, downloadCrateBundle, downloadSongBundle } from './download-bundles.ts'
export { COLLECTION_BUNDLE_LIMIT, leftOut } from './download-fields.ts'
export { DOWNLOADS_PER_PAGE, type DownloadedVersion, downloadRescue } from './download-history.ts'
export { prepareDownload } from './download-preparation.ts'
export {
  collectionSummary,
  crateSummary,
  type DownloadSummary,
  downloadSummary,
  songSummary,
} from './download-summaries.ts'
export { checkDownload, customerDownloads, downloadVersion } from './version-downloads.ts'
