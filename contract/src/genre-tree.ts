import * as z from 'zod/mini'
import { description, endpoint, forCurators, id, integerBetween, nothing, versionInput } from './endpoint.ts'

/** Genres, their sub-genres and moods, as curators manage them. */

export const GENRE_KINDS = ['genre', 'mood'] as const

export const staffGenre = z.object({
  genre_id: z.number(),
  parent_id: z.nullable(z.number()),
  kind: z.enum(GENRE_KINDS),
  name: z.string(),
  description: z.string(),
  home_chip: z.boolean(),
  image: z.string(),
  /** True if its picture was uploaded; otherwise it is generated. */
  has_picture: z.boolean(),
  /** Listed songs in each section, as members see the count. */
  songs: z.number(),
  kuts: z.number(),
  /** Unpublished songs that have this genre. */
  unpublished: z.number(),
  followers: z.number(),
  /** Its former names, and the names of genres merged into it: imports and searches recognise them. */
  former_names: z.array(z.string()),
  version: z.number(),
})
export type StaffGenre = z.output<typeof staffGenre>

export const getGenreTree = endpoint({
  ...forCurators,
  path: 'staff/genres.json',
  summary: 'List all genres with their sub-genres, then moods, in order.',
  input: nothing,
  reply: z.object({ genres: z.array(staffGenre) }),
})

export const saveGenre = endpoint({
  ...forCurators,
  path: 'staff/save-genre.json',
  summary:
    'Create a genre, sub-genre or mood (placed last among its siblings), or update its name, its description and whether it’s a home page chip.',
  input: z.object({
    genre_id: z.optional(id('genre_id')),
    version: z.optional(versionInput),
    /** Only for a new genre. */
    parent_id: z._default(z.nullable(id('parent_id')), null),
    kind: z._default(z.enum(GENRE_KINDS), 'genre'),
    name: z.string().check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(60, 'Use at most 60 characters.')),
    /** If omitted, it is unchanged. */
    description: z.optional(description),
    home_chip: z._default(z.boolean(), false),
  }),
  reply: z.object({ genre: staffGenre }),
  errors: ['unknown_genre', 'conflict', 'name_taken', 'nesting_too_deep'],
})

export const moveGenre = endpoint({
  ...forCurators,
  path: 'staff/move-genre.json',
  summary:
    'Move a genre among its siblings, under another main genre, or to the top level. Songs are listed under the new main genre and leave the old one unless another genre keeps them there.',
  input: z.object({
    genre_id: id('genre_id'),
    parent_id: z.nullable(id('parent_id')),
    /** Its position among those with the same parent, starting at 1. */
    place: integerBetween(1, 100_000, 'place must be a positive integer.'),
    version: versionInput,
  }),
  reply: z.object({ genres: z.array(staffGenre) }),
  errors: ['unknown_genre', 'conflict', 'name_taken', 'nesting_too_deep'],
})

export const mergeGenre = endpoint({
  ...forCurators,
  path: 'staff/merge-genre.json',
  summary:
    'Merge a genre into another of the same kind. Songs, sub-genres, followers and saved searches move along, and the old URL redirects.',
  input: z.object({ genre_id: id('genre_id'), into_genre_id: id('into_genre_id'), version: versionInput }),
  reply: z.object({ genres: z.array(staffGenre) }),
  errors: ['unknown_genre', 'conflict', 'cannot_merge', 'name_taken', 'nesting_too_deep'],
})

export const removeGenre = endpoint({
  ...forCurators,
  path: 'staff/remove-genre.json',
  summary: 'Delete a genre that has no songs and no sub-genres.',
  input: z.object({ genre_id: id('genre_id'), version: versionInput }),
  reply: z.object({ genres: z.array(staffGenre) }),
  errors: ['unknown_genre', 'conflict', 'genre_in_use'],
})

export const uploadGenrePicture = endpoint({
  ...forCurators,
  path: 'staff/genre-picture.json',
  body: 'multipart',
  summary:
    'Upload a genre picture: the field `genre_id`, then the field `picture` (JPEG, PNG, WebP, AVIF or GIF, up to 10 MB).',
  input: nothing,
  reply: z.object({ genre: staffGenre }),
  errors: ['unknown_genre', 'file_required', 'too_large', 'invalid_image'],
})

export const removeGenrePicture = endpoint({
  ...forCurators,
  path: 'staff/remove-genre-picture.json',
  summary: 'Restore the generated picture.',
  input: z.object({ genre_id: id('genre_id') }),
  reply: z.object({ genre: staffGenre }),
  errors: ['unknown_genre'],
})
