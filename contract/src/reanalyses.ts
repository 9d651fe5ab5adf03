import * as z from 'zod/mini'
import { left } from './corrections.ts'
import { endpoint, forCurators, id, nothing } from './endpoint.ts'
import { MAX_SELECTED_SONGS } from './staff-songs.ts'

/** Re-analysis of stored files. */

export const analyseSongs = endpoint({
  ...forCurators,
  path: 'staff/analyse-songs.json',
  summary: 'Re-analyse the stored files of songs. Only tempo and key values that came from analysis can change.',
  input: z.object({
    entity_ids: z
      .array(id('entity_ids'))
      .check(
        z.minLength(1, 'Choose at least one song.'),
        z.maxLength(MAX_SELECTED_SONGS, `Choose up to ${MAX_SELECTED_SONGS} songs.`),
      ),
  }),
  reply: z.object({
    /** Files that will be analysed. */
    files: z.number(),
    /** Songs that cannot be analysed, or not completely. */
    left,
  }),
})

export const getAnalyses = endpoint({
  ...forCurators,
  path: 'staff/song-analyses.json',
  summary: 'Get the progress of re-analyses requested by staff in the last 24 hours.',
  input: nothing,
  reply: z.object({
    waiting: z.number(),
    running: z.number(),
    done: z.number(),
    /** The newest failures. */
    failed: z.array(
      z.object({ entity_id: z.number(), title: z.string(), version_label: z.string(), last_error: z.string() }),
    ),
  }),
})
