import * as z from 'zod/mini'
import { FILTER_ERRORS, song } from './catalogue.ts'
import { description, endpoint, id, integerBetween, nothing, optionalId, page, pagination, search } from './endpoint.ts'
import { filterInput } from './song-filter.ts'

export const PLAYLIST_SONG_LIMIT = 500
export const PLAYLIST_LIMIT = 200
export const PLAYLIST_TITLE_LENGTH = 100
export const PLAYLIST_SONGS_PER_PAGE = 100
/** Playlists are shown in grids of 4 by 6. */
export const PLAYLISTS_PER_PAGE = 24

const playlist = z.object({
  playlist_id: z.number(),
  title: z.string(),
  description: z.string(),
  song_count: z.number(),
  duration_seconds: z.number(),
  /** Covers of its first songs, at most four. */
  images: z.array(z.string()),
  /** Visible to every member; only staff can publish. */
  public: z.boolean(),
  /** True if it belongs to the caller, who may change it. */
  mine: z.boolean(),
  changed_at: z.string(),
})
export type Playlist = z.output<typeof playlist>

const title = z
  .string({ error: 'Enter a name.' })
  .check(
    z.trim(),
    z.minLength(1, 'Enter a name.'),
    z.maxLength(PLAYLIST_TITLE_LENGTH, `Use at most ${PLAYLIST_TITLE_LENGTH} characters.`),
  )
const songIds = z
  .array(id('song_ids'))
  .check(
    z.minLength(1, 'Choose at least one song.'),
    z.maxLength(PLAYLIST_SONG_LIMIT, `Choose up to ${PLAYLIST_SONG_LIMIT} songs.`),
  )

export const getPlaylists = endpoint({
  path: 'playlist/index.json',
  access: 'customer',
  summary:
    'List the member’s playlists, most recently changed first, and the public playlists of others by name, in pages.',
  input: z.object({
    /** Only the member’s own playlists, or only the public ones of others; both if omitted. */
    list: z.optional(z.enum(['mine', 'public'], { error: 'list must be mine or public.' })),
    /** The page of each list. */
    page,
    pageLimit: z._default(integerBetween(1, 100, 'pageLimit must be between 1 and 100.'), PLAYLISTS_PER_PAGE),
    /**
     * Only playlists whose names have words that begin with all of its words; in the member’s own, they may also be
     * within words. Names that equal it come first, then those that begin with it. Case and accents are ignored.
     */
    search,
  }),
  reply: z.object({
    /** Empty if `list` is public. */
    playlists: z.array(playlist),
    /** Empty if `list` is mine. */
    public_playlists: z.array(playlist),
    /** Of `playlists`; missing if `list` is public. */
    pagination: z.optional(pagination),
    /** Of `public_playlists`; missing if `list` is mine. */
    public_pagination: z.optional(pagination),
  }),
})

export const viewPlaylist = endpoint({
  path: 'playlist/view.json',
  access: 'customer',
  summary: 'Get a playlist with its songs in order.',
  input: z.object({
    playlist_id: id('playlist_id'),
    page,
    pageLimit: z._default(integerBetween(1, 100, 'pageLimit must be between 1 and 100.'), PLAYLIST_SONGS_PER_PAGE),
    filter: filterInput,
  }),
  reply: z.object({
    playlist,
    songs: z.array(song),
    /** Ids of all its songs that are in the pool, in order, whatever the filter. */
    song_ids: z.array(z.number()),
    pagination,
  }),
  errors: ['unknown_playlist', ...FILTER_ERRORS],
})

export const savePlaylist = endpoint({
  path: 'playlist/save.json',
  access: 'customer',
  summary: 'Create a playlist, optionally with songs, or change the name and description of one.',
  input: z.object({
    playlist_id: optionalId('playlist_id'),
    title,
    /** If omitted, it is unchanged. */
    description: z.optional(description),
    song_ids: z.optional(songIds),
    /** Staff only. */
    public: z.optional(z.boolean()),
  }),
  reply: z.object({ playlist }),
  errors: ['unknown_playlist', 'playlist_title_taken', 'too_many_playlists', 'unknown_song', 'forbidden'],
})

export const deletePlaylist = endpoint({
  path: 'playlist/delete.json',
  access: 'customer',
  summary: 'Delete a playlist. It can be restored for one day.',
  input: z.object({ playlist_id: id('playlist_id') }),
  reply: nothing,
  errors: ['unknown_playlist'],
})

export const restorePlaylist = endpoint({
  path: 'playlist/restore.json',
  access: 'customer',
  summary: 'Restore a playlist deleted less than a day ago.',
  input: z.object({ playlist_id: id('playlist_id') }),
  reply: z.object({ playlist }),
  errors: ['unknown_playlist', 'too_many_playlists'],
})

export const changePlaylistSongs = endpoint({
  path: 'playlist/add-remove.json',
  access: 'customer',
  summary:
    'Add songs to a playlist (at the end or a position) or remove them. Songs already in the playlist stay in place.',
  input: z.object({
    playlist_id: id('playlist_id'),
    song_ids: songIds,
    action: z._default(z.enum(['add', 'remove'], { error: 'action must be add or remove.' }), 'add'),
    /** Position of the first of them, counted from 1; used to undo a removal. */
    position: z.optional(
      integerBetween(1, PLAYLIST_SONG_LIMIT, `position must be between 1 and ${PLAYLIST_SONG_LIMIT}.`),
    ),
  }),
  reply: z.object({ playlist, /** How many were added or removed. */ changed: z.number() }),
  errors: ['unknown_playlist', 'unknown_song', 'playlist_full'],
})

export const reorderPlaylist = endpoint({
  path: 'playlist/reorder.json',
  access: 'customer',
  summary: 'Move a song within a playlist.',
  input: z.object({
    playlist_id: id('playlist_id'),
    song_id: id('song_id'),
    position: integerBetween(1, PLAYLIST_SONG_LIMIT, `position must be between 1 and ${PLAYLIST_SONG_LIMIT}.`),
  }),
  reply: z.object({ song_ids: z.array(z.number()) }),
  errors: ['unknown_playlist', 'unknown_song'],
})

export const playlistsJustPlayed = endpoint({
  path: 'playlist/just-played.json',
  access: 'browse',
  shared: true,
  summary: 'List the public playlists members listened to most recently. Anonymous.',
  input: nothing,
  reply: z.object({ playlists: z.array(z.extend(playlist, { played_at: z.string() })) }),
})
