import * as z from 'zod/mini'
import { song } from './catalogue.ts'
import { endpoint, forCurators, id, integerBetween, moment, nothing } from './endpoint.ts'

/** Trending songs, and the ones curators pin. */

export const TRENDING_LENGTH = 30

const trendingSong = z.extend(song, { rank: z.number(), downloads: z.number() })

const pin = z.object({
  rank: z.number(),
  entity_id: z.number(),
  title: z.string(),
  artist: z.string(),
  /** Null for no end. */
  until: z.nullable(z.string()),
  /** True if members cannot see it: its rank goes to the next song until they can. */
  unpublished: z.boolean(),
})
export type Pin = z.output<typeof pin>

export const getTrending = endpoint({
  ...forCurators,
  path: 'staff/trending.json',
  summary: 'Get the trending 30 as members see it, without pins, and the pins.',
  input: nothing,
  reply: z.object({ shown: z.array(trendingSong), computed: z.array(trendingSong), pins: z.array(pin) }),
})

const rank = integerBetween(1, TRENDING_LENGTH, `Enter a rank from 1 to ${TRENDING_LENGTH}.`)

export const pinSong = endpoint({
  ...forCurators,
  path: 'staff/pin-song.json',
  summary: 'Pin a song to a rank of the trending 30, until a date or indefinitely.',
  input: z.object({
    entity_id: id('entity_id'),
    rank,
    until: z._default(z.nullable(moment), null),
    /** Its current pinned rank; null if it is not pinned. */
    previous_rank: z._default(z.nullable(rank), null),
  }),
  reply: nothing,
  errors: ['unknown_song', 'rank_taken', 'invalid_date_range', 'conflict'],
})

export const unpinSong = endpoint({
  ...forCurators,
  path: 'staff/unpin-song.json',
  summary: 'Unpin a song.',
  input: z.object({ entity_id: id('entity_id'), rank }),
  reply: nothing,
  errors: ['unknown_pin', 'conflict'],
})
