import * as z from 'zod/mini'
import { FILTER_ERRORS, song } from './catalogue.ts'
import { endpoint, id, integerBetween, nothing, optionalId, page, pagination } from './endpoint.ts'
import { filterInput, isPersonalFilter } from './song-filter.ts'

/** Curated lists and their genres, as members see them. */

const curatedList = z.object({
  curated_list_id: z.number(),
  title: z.string(),
  image: z.string(),
  created_by: z.string(),
  song_count: z.number(),
})
export type CuratedList = z.output<typeof curatedList>

export const getSpotlights = endpoint({
  path: 'curated/get-mp3index-items.json',
  method: 'GET',
  access: 'browse',
  section: 'spotlights',
  shared: true,
  summary: 'List the 12 newest spotlights for the home page.',
  input: nothing,
  reply: z.object({ curatedlist: z.array(curatedList) }),
})

/** Curated lists and genres are shown in grids of 4 by 9. */
export const TILES_PER_PAGE = 36

export const getCuratedLists = endpoint({
  path: 'curated/index.json',
  access: 'browse',
  section: 'spotlights',
  shared: true,
  summary: 'List curated lists, newest first, for one curated genre (including sub-genres) or all.',
  input: z.object({
    page,
    pageLimit: z._default(integerBetween(1, 100, 'pageLimit must be between 1 and 100.'), TILES_PER_PAGE),
    curated_genres_id: optionalId('curated_genres_id'),
  }),
  reply: z.object({ curatedlist: z.array(curatedList), pagination }),
  errors: ['unknown_genre'],
})

export const getSuggestedLists = endpoint({
  path: 'curated/get-suggested-list.json',
  method: 'GET',
  access: 'browse',
  section: 'spotlights',
  shared: true,
  summary: 'List the suggested collection.',
  input: nothing,
  reply: z.object({ curatedlist: z.array(curatedList) }),
})

export const getCuratedGenre = endpoint({
  path: 'curated/get-genre-item.json',
  access: 'browse',
  section: 'spotlights',
  shared: true,
  summary: 'Get a curated genre.',
  input: z.object({ genre_id: id('genre_id') }),
  reply: z.object({
    genre: z.object({
      genre_id: z.number(),
      title: z.string(),
      name: z.string(),
      current_genre: z.object({ parent_id: z.nullable(z.number()) }),
    }),
  }),
  errors: ['unknown_genre'],
})

const curatedSubgenre = z.object({
  genre_id: z.number(),
  title: z.string(),
  name: z.string(),
  /** How many lists it contains. */
  list_count: z.number(),
})

export const getCuratedGenres = endpoint({
  path: 'curated/curated-category-list.json',
  access: 'browse',
  section: 'spotlights',
  shared: true,
  summary: 'List curated genres with their sub-genres. isActive marks the requested genre and its parent.',
  input: z.object({ genre_id: optionalId('genre_id') }),
  reply: z.object({
    genres: z.array(z.extend(curatedSubgenre, { isActive: z.boolean(), subgenres: z.array(curatedSubgenre) })),
  }),
})

export const getSpotlightSongs = endpoint({
  path: 'curated/get-songs.json',
  access: 'browse',
  section: 'spotlights',
  shared: true,
  isPersonal: isPersonalFilter,
  summary: 'Get a curated list with its songs in order.',
  input: z.object({ page, curated_list_id: id('curated_list_id'), filter: filterInput }),
  reply: z.object({ title: z.string(), songs: z.array(song), pagination }),
  errors: ['unknown_list', ...FILTER_ERRORS],
})
