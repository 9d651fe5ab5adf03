import * as z from 'zod/mini'
import { endpoint, id } from './endpoint.ts'

/** A listen counts from this many seconds of sound on. */
export const LISTEN_SECONDS = 30

export const songPlayed = endpoint({
  path: 'song/played.json',
  access: 'customer',
  summary: 'Counts one listen of 30 s or more.',
  input: z.object({
    song_version_id: id('song_version_id'),
    /** Made by the player for each listen, so that a call sent twice counts once. */
    listen_key: z
      .string()
      .check(z.regex(/^[A-Za-z0-9-]{8,64}$/, 'listen_key must be 8 to 64 letters, digits or dashes.')),
  }),
  reply: z.object({ counted: z.boolean() }),
  refusals: ['unknown_version'],
})
