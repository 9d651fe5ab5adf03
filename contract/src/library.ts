import * as z from 'zod/mini'
import { FILTER_ERRORS, genreName, song } from './catalogue.ts'
import { endpoint, id, integerBetween, nothing, optionalId, page, pagination } from './endpoint.ts'
import { filterInput } from './song-filter.ts'

export const CRATE_LIMIT = 2000

export const crateAddRemove = endpoint({
  path: 'crate/add-remove.json',
  access: 'customer',
  summary:
    'Add a version to the crate, or remove it. Without a version: add the preferred versions of the song, or remove all of its versions.',
  input: z.object({ songId: id('songId'), versionId: optionalId('versionId') }),
  reply: z.object({ in_crate: z.boolean(), count: z.number() }),
  errors: ['unknown_song', 'unknown_version', 'crate_full'],
})

const ids = (name: string) =>
  z._default(z.array(id(name)).check(z.maxLength(CRATE_LIMIT, `Choose up to ${CRATE_LIMIT} at once.`)), [])

const action = z._default(z.enum(['add', 'remove'], { error: 'action must be add or remove.' }), 'add')

export const crateChange = endpoint({
  path: 'crate/change.json',
  access: 'customer',
  summary:
    'Add several songs (their preferred versions) and versions to the crate, first item on top, or remove them. Items already in the requested state are left unchanged.',
  input: z.object({
    song_ids: ids('song_ids'),
    version_ids: ids('version_ids'),
    action,
    /** Insert directly below this song of the crate instead of at the top; used to undo a removal. */
    below: optionalId('below'),
  }),
  reply: z.object({
    /** Versions added or removed; unpublished ones are skipped. */
    changed: z.number(),
    count: z.number(),
  }),
  errors: ['crate_full'],
})

export const getCrates = endpoint({
  path: 'crate/get-crates.json',
  access: 'customer',
  summary: 'Get the IDs of the songs and versions in the crate.',
  input: nothing,
  reply: z.object({ version: z.array(z.number()), crates: z.array(z.number()), count: z.number() }),
})

export const crateIndex = endpoint({
  path: 'crate/index.json',
  access: 'customer',
  summary: 'List the songs in the crate, paginated, with their genres.',
  input: z.object({
    page,
    pageLimit: z._default(integerBetween(1, 100, 'pageLimit must be between 1 and 100.'), 24),
    genre_id: optionalId('genre_id'),
    filter: filterInput,
  }),
  reply: z.object({
    songs: z.array(song),
    list: z.array(z.number()),
    crateGenres: z.array(genreName),
    pagination,
  }),
  errors: FILTER_ERRORS,
})

export const clearCrates = endpoint({
  path: 'crate/clear-crates.json',
  access: 'customer',
  summary: 'Empty the crate.',
  input: nothing,
  reply: z.object({ cleared: z.number() }),
})

export const getVersionKinds = endpoint({
  path: 'crate/version-kinds.json',
  access: 'customer',
  summary: 'List the kinds of versions and the genres that preferred versions can be chosen for.',
  input: nothing,
  reply: z.object({
    versions: z.array(z.object({ version_code: z.string(), name: z.string() })),
    genres: z.array(genreName),
  }),
})

export const favouriteAddRemove = endpoint({
  path: 'favourite-song/add-remove.json',
  access: 'customer',
  summary: 'Add a song to favourites or remove it.',
  input: z.object({ songId: id('songId') }),
  reply: z.object({ favourite: z.boolean() }),
  errors: ['unknown_song'],
})

export const favouriteChange = endpoint({
  path: 'favourite-song/change.json',
  access: 'customer',
  summary:
    'Add several songs to favourites, first item on top, or remove them. Items already in the requested state are left unchanged.',
  input: z.object({ song_ids: ids('song_ids'), action }),
  reply: z.object({ /** Unpublished versions are skipped. */ changed: z.number() }),
})

export const favouriteIndex = endpoint({
  path: 'favourite-song/index.json',
  access: 'customer',
  summary: 'List favourite songs, most recently added first.',
  input: z.object({ page, filter: filterInput }),
  reply: z.object({ songs: z.array(song), pagination }),
  errors: FILTER_ERRORS,
})

export const getFavouriteSongs = endpoint({
  path: 'favourite-song/get-favourite-songs.json',
  access: 'customer',
  summary: 'Get the IDs of the favourite songs.',
  input: nothing,
  reply: z.object({ favouriteSongs: z.array(z.number()) }),
})
