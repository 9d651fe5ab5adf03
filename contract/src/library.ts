import * as z from 'zod/mini'
import { FILTER_ERRORS, genreName, song, versionTempo } from './catalogue.ts'
import { endpoint, id, integerBetween, nothing, optionalId, page, pagination } from './endpoint.ts'
import { filterInput } from './song-filter.ts'

export const CRATE_LIMIT = 2000

/** How a crate is ordered: newest first, or in the member's own order, in which new songs come first. */
export const CRATE_ORDERS = ['newest', 'own'] as const
export type CrateOrder = (typeof CRATE_ORDERS)[number]

export const ENERGY_CURVES = ['warm_up', 'peak_time', 'cool_down', 'full_night'] as const
export type EnergyCurve = (typeof ENERGY_CURVES)[number]

/** How the energy runs through a set: the level, 0 to 1, at points of its length, 0 to 1, with straight lines between. */
export const CURVE_POINTS: Record<EnergyCurve, readonly (readonly [at: number, level: number])[]> = {
  warm_up: [
    [0, 0],
    [1, 1],
  ],
  peak_time: [
    [0, 0.3],
    [0.25, 1],
    [1, 1],
  ],
  cool_down: [
    [0, 1],
    [1, 0],
  ],
  full_night: [
    [0, 0],
    [0.5, 1],
    [0.75, 1],
    [1, 0.2],
  ],
}

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
  summary: 'List the songs in the crate in its order, paginated, with their genres.',
  input: z.object({
    page,
    pageLimit: z._default(integerBetween(1, 100, 'pageLimit must be between 1 and 100.'), 24),
    genre_id: optionalId('genre_id'),
    filter: filterInput,
  }),
  reply: z.object({
    songs: z.array(song),
    /** Ids of all matching songs, in order. */
    list: z.array(z.number()),
    order: z.enum(CRATE_ORDERS),
    crateGenres: z.array(genreName),
    pagination,
  }),
  errors: FILTER_ERRORS,
})

const orderedCrate = {
  order: z.enum(CRATE_ORDERS),
  /** Ids of all songs in the crate, in order. */
  song_ids: z.array(z.number()),
  /** Counts the changes of the order. */
  revision: z.number(),
}
export type OrderedCrate = z.output<z.ZodMiniObject<typeof orderedCrate>>

export const moveInCrate = endpoint({
  path: 'crate/move.json',
  access: 'customer',
  summary: 'Move a song within the crate. The crate is then in the member’s own order.',
  input: z.object({
    song_id: id('song_id'),
    /** Counted from 1. */
    position: integerBetween(1, CRATE_LIMIT, `position must be between 1 and ${CRATE_LIMIT}.`),
  }),
  reply: z.object(orderedCrate),
  errors: ['unknown_song'],
})

export const arrangeCrate = endpoint({
  path: 'crate/arrange.json',
  access: 'customer',
  summary: 'Arrange the crate as a set, by tempo, key and energy. The crate is then in the member’s own order.',
  input: z.object({
    curve: z.enum(ENERGY_CURVES, { error: `curve must be one of ${ENERGY_CURVES.join(', ')}.` }),
    /** This song comes first. */
    first_song_id: optionalId('first_song_id'),
  }),
  reply: z.object({
    ...orderedCrate,
    /** The order before, to undo it: the own order is replaced also when it was not shown. */
    previous: z.object({ order: z.enum(CRATE_ORDERS), song_ids: z.array(z.number()) }),
  }),
})

export const orderCrate = endpoint({
  path: 'crate/order.json',
  access: 'customer',
  summary: 'Choose how the crate is ordered, or restore an own order.',
  input: z.object({
    order: z.enum(CRATE_ORDERS, { error: `order must be one of ${CRATE_ORDERS.join(', ')}.` }),
    /** The own order. Songs that are not named come first; if omitted, it is unchanged. */
    song_ids: z.optional(
      z.array(id('song_ids')).check(z.maxLength(CRATE_LIMIT, `Choose up to ${CRATE_LIMIT} at once.`)),
    ),
    /** Fails with `conflict` if the order has another revision. */
    revision: z.optional(integerBetween(0, 2 ** 31 - 1, 'revision must be a number.')),
  }),
  reply: z.object(orderedCrate),
})

const mixingSong = z.object({
  entity_id: z.number(),
  /** Of its first version in the crate. */
  duration_seconds: z.number(),
  ...versionTempo,
  /** 1 to 10; null if it has not been measured. */
  energy: z.nullable(z.number()),
})
export type CrateMixingSong = z.output<typeof mixingSong>

export const crateTempos = endpoint({
  path: 'crate/tempos.json',
  access: 'customer',
  summary: 'Get tempo, key, energy and length of every song in the crate, in its order.',
  input: nothing,
  reply: z.object({ songs: z.array(mixingSong) }),
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
