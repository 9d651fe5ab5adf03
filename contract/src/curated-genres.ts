import * as z from 'zod/mini'
import { endpoint, forCurators, id, nothing, versionInput } from './endpoint.ts'

/** Curated genres, which group spotlights. */

const staffGenre = z.object({
  curated_genre_id: z.number(),
  parent_id: z.nullable(z.number()),
  title: z.string(),
  version: z.number(),
  /** Lists directly in this genre, in any state; a genre can only be deleted without any. */
  list_count: z.number(),
  /** How many of them members can see. */
  published_count: z.number(),
})
export type StaffGenre = z.output<typeof staffGenre>

export const getGenres = endpoint({
  ...forCurators,
  path: 'staff/curated-genres.json',
  summary: 'List curated genres in order, each main genre followed by its sub-genres.',
  input: nothing,
  reply: z.object({ genres: z.array(staffGenre) }),
})

export const saveGenre = endpoint({
  ...forCurators,
  path: 'staff/save-curated-genre.json',
  summary: 'Create or update a curated genre or sub-genre. New and moved genres are placed last.',
  input: z.object({
    curated_genre_id: z.optional(id('curated_genre_id')),
    version: z.optional(versionInput),
    title: z.string().check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(60, 'Use at most 60 characters.')),
    parent_id: z._default(z.nullable(id('parent_id')), null),
  }),
  reply: z.object({ genre: staffGenre }),
  errors: ['unknown_genre', 'conflict', 'name_taken', 'nesting_too_deep'],
})

export const orderGenres = endpoint({
  ...forCurators,
  path: 'staff/order-curated-genres.json',
  summary: 'Reorder the main curated genres or the sub-genres of one.',
  input: z.object({
    parent_id: z._default(z.nullable(id('parent_id')), null),
    curated_genre_ids: z.array(id('curated_genre_ids')).check(z.maxLength(500)),
  }),
  reply: nothing,
  errors: ['conflict'],
})

export const removeGenre = endpoint({
  ...forCurators,
  path: 'staff/remove-curated-genre.json',
  summary: 'Delete a curated genre that has no lists and no sub-genres.',
  input: z.object({ curated_genre_id: id('curated_genre_id') }),
  reply: nothing,
  errors: ['unknown_genre', 'genre_in_use'],
})
