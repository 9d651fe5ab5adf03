import * as z from 'zod/mini'
import { conversionFormats } from './conversion-formats.ts'
import { DOWNLOAD_ERRORS, downloadFormat } from './download-fields.ts'
import { endpoint, id, nothing } from './endpoint.ts'

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
