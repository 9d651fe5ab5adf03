import * as z from 'zod/mini'
import { song } from './catalogue.ts'
import { endpoint, id, nothing, optionalId } from './endpoint.ts'

/** Digging: deciding about the songs of a list one at a time; and mutes, which hide songs from it. */

/** The number of songs in a reply. */
export const DIG_SONGS = 20
/** Only this many songs of a longer list are offered: the newest, or the first of its order. */
export const DIG_LIST_LIMIT = 1000
export const MAX_MUTES = 1000

/** New songs, a chart, or the genre, spotlight, top 20, playlist or saved search with an id. */
const LIST_PATTERN = /^(new|chart-(daily|weekly|monthly)|(genre|spotlight|top20|playlist|search)-[1-9]\d{0,8})$/

const list = z.string().check(z.regex(LIST_PATTERN, 'list must be new, chart-weekly, genre-31 or similar.'))

export const DIG_ACTIONS = ['skip', 'crate', 'favourite', 'never'] as const
export type DigAction = (typeof DIG_ACTIONS)[number]

const decisions = z.object({ skip: z.number(), crate: z.number(), favourite: z.number(), never: z.number() })

const digSong = z.object({
  /** Without versions whose kind is muted. */
  song,
  /** What is known of its versions. */
  structure: z.array(
    z.object({
      song_version_id: z.number(),
      /** The first drop. */
      drop_seconds: z.nullable(z.number()),
      /** 1 to 10. */
      energy: z.nullable(z.number()),
    }),
  ),
})
export type DigSong = z.output<typeof digSong>

const LIST_ERRORS = [
  'unknown_genre',
  'unknown_list',
  'unknown_playlist',
  'unknown_search',
  'invalid_filter',
  'query_too_short',
  'section_disabled',
] as const

export const digSongs = endpoint({
  path: 'dig/songs.json',
  access: 'member',
  summary: `List the next ${DIG_SONGS} songs of a list that the member has not decided about: without songs that are muted, in the crate or downloaded.`,
  input: z.object({ list }),
  reply: z.object({
    /** The name of the list; empty for new songs and charts. */
    title: z.string(),
    songs: z.array(digSong),
    /** How many songs are left, including those above. */
    left: z.number(),
    /** How many songs of the list were decided, by action. */
    decisions,
  }),
  errors: LIST_ERRORS,
})

export const digDecide = endpoint({
  path: 'dig/decide.json',
  access: 'member',
  summary:
    'Decide about a song of a list: skip it, add it to the crate or favourites, or mute it. Repeating the same decision changes nothing; another one replaces it.',
  input: z.object({
    list,
    entity_id: id('entity_id'),
    action: z.enum(DIG_ACTIONS, { error: `action must be one of ${DIG_ACTIONS.join(', ')}.` }),
    /** For the crate: adds this version instead of the preferred ones. */
    song_version_id: optionalId('song_version_id'),
  }),
  reply: nothing,
  errors: ['unknown_song', 'unknown_version', 'crate_full', 'too_many_mutes'],
})

export const digUndo = endpoint({
  path: 'dig/undo.json',
  access: 'member',
  summary: 'Undo the decision about a song of a list, with what it added to the crate, favourites or mutes.',
  input: z.object({ list, entity_id: id('entity_id') }),
  reply: nothing,
})

export const digReset = endpoint({
  path: 'dig/reset.json',
  access: 'member',
  summary: 'Start a list again: forget its decisions. The crate, favourites and mutes stay as they are.',
  input: z.object({ list }),
  reply: z.object({ forgotten: z.number() }),
})

export const MUTE_KINDS = ['song', 'artist', 'label', 'genre', 'version'] as const
export type MuteKind = (typeof MUTE_KINDS)[number]

const mute = z.object({
  mute_id: z.number(),
  kind: z.enum(MUTE_KINDS),
  name: z.string(),
  /** Of a song. */
  artist: z.nullable(z.string()),
  entity_id: z.nullable(z.number()),
  genre_id: z.nullable(z.number()),
  muted_at: z.string(),
})
export type Mute = z.output<typeof mute>

export const getMutes = endpoint({
  path: 'customer/mutes.json',
  access: 'member',
  summary: 'List what the member has muted, most recent first.',
  input: nothing,
  reply: z.object({ mutes: z.array(mute) }),
})

const muteReference = z.object({
  kind: z.enum(MUTE_KINDS, { error: `kind must be one of ${MUTE_KINDS.join(', ')}.` }),
  /** Of a song or genre. */
  id: optionalId('id'),
  /** Of an artist or label; for a version, its version_code. */
  name: z._default(z.string().check(z.trim(), z.maxLength(300, 'Use at most 300 characters.')), ''),
})
export type MuteReference = z.output<typeof muteReference>

export const changeMutes = endpoint({
  path: 'customer/change-mutes.json',
  access: 'member',
  summary: 'Mute songs, artists, labels, genres or version types, or remove mutes.',
  input: z.object({
    add: z._default(z.array(muteReference).check(z.maxLength(50, 'Mute at most 50 at once.')), []),
    /** Values of mute_id. */
    remove: z._default(z.array(id('remove')).check(z.maxLength(MAX_MUTES, `Choose up to ${MAX_MUTES}.`)), []),
  }),
  reply: z.object({ mutes: z.array(mute) }),
  errors: [
    'unknown_song',
    'unknown_artist',
    'unknown_label',
    'unknown_genre',
    'unknown_version_type',
    'too_many_mutes',
  ],
})
