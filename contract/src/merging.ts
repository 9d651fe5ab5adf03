import * as z from 'zod/mini'
import { endpoint, forCurators, id, person } from './endpoint.ts'

/** Songs that are one, merged; and those that are two, taken apart. */

export const MAX_MERGED_SONGS = 20

const label = z
  .string()
  .check(z.trim(), z.minLength(1, 'Enter a version name.'), z.maxLength(60, 'Use at most 60 characters.'))

export const mergeableVersion = z.object({
  song_version_id: z.number(),
  /** The song it is a version of now. */
  entity_id: z.number(),
  version_label: z.string(),
  format: z.nullable(z.string()),
  bitrate_kbps: z.nullable(z.number()),
  duration_seconds: z.number(),
  uploaded_name: z.string(),
  /** Counted downloads of this version. */
  downloads: z.number(),
  /** Whether members can have it now. */
  is_listed: z.boolean(),
})
export type MergeableVersion = z.output<typeof mergeableVersion>

const mergeableSong = z.object({
  entity_id: z.number(),
  title: z.string(),
  artist: z.string(),
  image: z.string(),
  year: z.nullable(z.number()),
  min_bpm: z.nullable(z.number()),
  max_bpm: z.nullable(z.number()),
  song_key: z.nullable(z.string()),
  song_section_id: z.number(),
  status: z.enum(['draft', 'published', 'withdrawn']),
  genres: z.array(z.string()),
  created_at: z.string(),
  downloads: z.number(),
  listens: z.number(),
  favourites: z.number(),
  /** DJ names of members who sent it or versions of it. */
  sent_by: z.array(z.string()),
})
export type MergeableSong = z.output<typeof mergeableSong>

/** Rows that come over, and those of them that meet one that is there already and become one with it. */
const moved = z.object({ rows: z.number(), doubles: z.number() })

export const mergeConsequences = z.object({
  favourites: moved,
  playlists: moved,
  /** Members who have a version of a song that goes in their crate. */
  crates: z.number(),
  downloads: z.number(),
  listens: z.number(),
  /** Titles of the lists that have a song that goes; `doubles` lose a place. */
  lists: z.array(z.object({ title: z.string(), double: z.boolean() })),
  trending: moved,
  /** Members' songs that stand behind a song that goes. */
  uploads: z.number(),
})
export type MergeConsequences = z.output<typeof mergeConsequences>

const entityIds = z
  .array(id('entity_ids'))
  .check(
    z.minLength(2, 'Choose at least two songs.'),
    z.maxLength(MAX_MERGED_SONGS, `Merge up to ${MAX_MERGED_SONGS} songs at once.`),
  )

/** What was looked at, in short; a change of it meanwhile is noticed by this. */
const state = z.string().check(z.maxLength(64))

export const getMerge = endpoint({
  ...forCurators,
  path: 'staff/merge-preview.json',
  summary: 'Preview a merge. Nothing is changed.',
  input: z.object({
    entity_ids: entityIds,
    /** Nothing: the one that looks most like the one to keep. */
    keep_entity_id: z.optional(id('keep_entity_id')),
  }),
  reply: z.object({
    songs: z.array(mergeableSong),
    keep_entity_id: z.number(),
    /** Of all songs, those of the one that stays first. */
    versions: z.array(
      z.extend(mergeableVersion, {
        /** A label that no other version would have. */
        proposed_label: z.string(),
        /** The version of the same name it meets; null where it meets none. */
        meets: z.nullable(z.number()),
        /** It is the very sound of a version before it, under other tags. */
        same_sound: z.boolean(),
      }),
    ),
    follows: mergeConsequences,
    /** Why it cannot be done; '' where it can. */
    obstacle: z.string(),
    state,
  }),
  errors: ['unknown_song'],
})

const choice = z.object({
  song_version_id: id('song_version_id'),
  /** What it is called from now on. */
  version_label: label,
  /** It leaves the pool; whoever has it in the crate gets the version of its name that stays. */
  withdraw: z._default(z.boolean(), false),
})

export const mergeSongs = endpoint({
  ...forCurators,
  path: 'staff/merge-songs.json',
  summary:
    'Merge songs into one of them. Versions and member data (downloads, favourites, playlists) are combined, and the old URLs redirect.',
  input: z.object({
    entity_ids: entityIds,
    keep_entity_id: id('keep_entity_id'),
    /** Only those that are to be called otherwise or withdrawn. */
    versions: z._default(z.array(choice).check(z.maxLength(300)), []),
    state,
  }),
  reply: z.object({ entity_id: z.number(), title: z.string(), artist: z.string(), merged: z.number() }),
  errors: ['unknown_song', 'conflict', 'duplicate_version_label', 'cannot_merge'],
})

export const getSplit = endpoint({
  ...forCurators,
  path: 'staff/split-preview.json',
  summary: 'Get a song with its versions and the songs merged into it, for splitting.',
  input: z.object({ entity_id: id('entity_id') }),
  reply: z.object({
    song: mergeableSong,
    versions: z.array(mergeableVersion),
    merges: z.array(
      z.object({
        /** The number the song had, and has again. */
        entity_id: z.number(),
        title: z.string(),
        artist: z.string(),
        merged_at: z.string(),
        merged_by: z.nullable(person),
        versions: z.array(z.number()),
        /** Why it cannot be undone; '' where it can. */
        obstacle: z.string(),
      }),
    ),
    state,
  }),
  errors: ['unknown_song'],
})

const text = (requiredMessage: string) =>
  z.string().check(z.trim(), z.minLength(1, requiredMessage), z.maxLength(300, 'Use at most 300 characters.'))

export const splitSong = endpoint({
  ...forCurators,
  path: 'staff/split-song.json',
  summary:
    'Split versions into a new song. Their downloads, listens and crate entries move along; favourites, playlists and lists stay.',
  input: z.object({
    entity_id: id('entity_id'),
    song_version_ids: z
      .array(id('song_version_ids'))
      .check(z.minLength(1, 'Choose the versions for the new song.'), z.maxLength(300)),
    title: text('Enter a title for the new song.'),
    artist: text('Enter an artist.'),
    state,
  }),
  reply: z.object({ entity_id: z.number() }),
  errors: ['unknown_song', 'unknown_version', 'conflict', 'no_version_left', 'already_in_catalogue'],
})

export const undoMerge = endpoint({
  ...forCurators,
  path: 'staff/undo-merge.json',
  summary: 'Undo a merge. Restores the song with its ID, values, genres and versions.',
  input: z.object({ entity_id: id('entity_id') }),
  reply: z.object({ entity_id: z.number() }),
  errors: ['unknown_song', 'no_version_left', 'already_in_catalogue'],
})
