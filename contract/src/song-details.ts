import * as z from 'zod/mini'
import { CHART_TYPES } from './charts.ts'
import { conversionFormats } from './conversion-formats.ts'
import { endpoint, id } from './endpoint.ts'
import { comparison, seal } from './quality.ts'

/** What the page of a song shows in addition to its row: label, files, and the lists it is in. */

const versionFile = z.object({
  song_version_id: z.number(),
  /** 80 bytes of overall level, base64; empty until it has been analysed. */
  wave: z.string(),
  format: z.nullable(z.enum(['mp3', 'wav', 'flac', 'aiff', 'm4a', 'ogg', 'opus'])),
  /** Size of the file before tags are written into it; null while it is missing. */
  bytes: z.nullable(z.number()),
  seal,
  /** What it can be downloaded as besides its own format. */
  conversions: conversionFormats,
})
export type VersionFile = z.output<typeof versionFile>

const appearance = z.union([
  z.object({ kind: z.literal('chart'), chart_type: z.enum(CHART_TYPES), rank: z.number() }),
  z.object({ kind: z.literal('top20'), id: z.number(), title: z.string(), rank: z.number() }),
  z.object({ kind: z.literal('spotlight'), id: z.number(), title: z.string() }),
  /** A public playlist, or one of the caller. */
  z.object({ kind: z.literal('playlist'), id: z.number(), title: z.string() }),
])
export type Appearance = z.output<typeof appearance>

export const getSongDetails = endpoint({
  path: 'song/details.json',
  access: 'browse',
  summary: 'Get label, album, ISRC, remixer and files of a song, and the charts, spotlights and playlists it is in.',
  input: z.object({ entity_id: id('entity_id') }),
  reply: z.object({
    label: z.nullable(z.string()),
    album: z.nullable(z.string()),
    isrc: z.nullable(z.string()),
    remixer: z.nullable(z.string()),
    versions: z.array(versionFile),
    /** Where its Clean versions differ from its Dirty ones; none until they have been compared. */
    comparisons: z.array(comparison),
    /** At most 24: charts first, then top 20s, spotlights and playlists, each newest first. */
    appearances: z.array(appearance),
  }),
  errors: ['unknown_song'],
})
