import * as z from 'zod/mini'
import { FILTER_ERRORS, song } from './catalogue.ts'
import { endpoint, id, nothing, optionalId, page, pagination } from './endpoint.ts'
import { filterInput } from './song-filter.ts'

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
