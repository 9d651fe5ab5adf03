import * as z from 'zod/mini'
import { FILTER_ERRORS, song } from './catalogue.ts'
import { endpoint, id, nothing, optionalId, page, pagination } from './endpoint.ts'
import { filterInput } from './song-filter.ts'
import { CUE_KINDS, SECTION_KINDS } from './song-structure.ts'

/** Seconds of playback after which a listen is counted. */
export const LISTEN_SECONDS = 30

export const songPlayed = endpoint({
  path: 'song/played.json',
  access: 'customer',
  summary: 'Record a listen of 30 seconds or more.',
  input: z.object({
    song_version_id: id('song_version_id'),
    /** Created by the player for each listen, so that a repeated request counts once. */
    listen_key: z
      .string()
      .check(z.regex(/^[A-Za-z0-9-]{8,64}$/, 'listen_key must be 8 to 64 letters, digits or hyphens.')),
    /** The playlist it was played from. Ignored if it was deleted or the caller cannot see it. */
    playlist_id: optionalId('playlist_id'),
  }),
  reply: z.object({ counted: z.boolean() }),
  errors: ['unknown_version'],
})

/** A song with the time of a listen. */
const playedSong = z.extend(song, { played_at: z.string() })
export type PlayedSong = z.output<typeof playedSong>

export const recentPlayed = endpoint({
  path: 'song/recent-played.json',
  access: 'customer',
  summary: 'List the songs the member has listened to, most recent first, without duplicates.',
  input: z.object({ page, filter: filterInput }),
  reply: z.object({ songs: z.array(playedSong), pagination }),
  errors: FILTER_ERRORS,
})

export const justPlayed = endpoint({
  path: 'song/just-played.json',
  access: 'browse',
  shared: true,
  summary: 'List the ten songs members played most recently. Anonymous.',
  input: nothing,
  reply: z.object({ songs: z.array(playedSong) }),
})

const beatGrid = z.object({
  /** Two decimals; the mean of a tempo that drifts. */
  bpm: z.number(),
  /** Null when the bars are uncertain; bar numbers, sections and cue points are then left out. */
  first_downbeat_seconds: z.nullable(z.number()),
  /** A beat from which all others follow, also when the bars are uncertain. */
  first_beat_seconds: z.number(),
  /** Parts of constant tempo, each from its own beat on; empty when the whole song has one tempo. */
  tempo_changes: z.array(z.object({ beat: z.number(), at_seconds: z.number(), bpm: z.number() })),
  /** In order and without gaps. Bar 0 begins at the first downbeat. */
  sections: z.array(
    z.object({
      bar: z.number(),
      bars: z.number(),
      kind: z.enum(SECTION_KINDS),
      start_seconds: z.number(),
      has_kick: z.boolean(),
    }),
  ),
  cues: z.array(z.object({ bar: z.number(), kind: z.enum(CUE_KINDS), at_seconds: z.number() })),
  /** 1 to 10. */
  energy: z.nullable(z.number()),
})
export type BeatGrid = z.output<typeof beatGrid>

export const getBeatGrid = endpoint({
  path: 'version/beat-grid.json',
  access: 'browse',
  summary: 'Get beats, bars, sections and cue points of a version, in seconds from the start of its file.',
  input: z.object({ song_version_id: id('song_version_id') }),
  /** Null when the version has no beat, its beats are uncertain, or it has not been analysed yet. */
  reply: z.object({ grid: z.nullable(beatGrid) }),
  errors: ['unknown_version'],
})
