import * as z from 'zod/mini'
import { day, endpoint, integerBetween, page, pagination } from './endpoint.ts'

/** Which of a member's own downloads. */
export const historyFilter = {
  startDate: z.optional(z.nullable(day)),
  endDate: z.optional(z.nullable(day)),
  /** Words; each must be part of the title or the artist. */
  search: z._default(z.string().check(z.trim(), z.maxLength(200)), ''),
}

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
