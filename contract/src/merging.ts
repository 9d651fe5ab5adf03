import * as z from 'zod/mini'
import { endpoint, forCurators, id, person } from './endpoint.ts'

/** Merging songs that are the same, and splitting versions into songs of their own. */

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
  /** Whether members can see it now. */
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
  status: z.enum(['draft', 'published', 'unpublished']),
  genres: z.array(z.string()),
  created_at: z.string(),
  downloads: z.number(),
  listens: z.number(),
  favourites: z.number(),
  /** DJ names of members who uploaded it or versions of it. */
  sent_by: z.array(z.string()),
})
export type MergeableSong = z.output<typeof mergeableSong>

/** Rows that move to the song that is kept; `doubles` are combined with a row that it already has. */
const moved = z.object({ rows: z.number(), doubles: z.number() })

export const mergeConsequences = z.object({
  favourites: moved,
  playlists: moved,
  /** Members who have a version of a removed song in their crate. */
  crates: z.number(),
  downloads: z.number(),
  listens: z.number(),
  /** Titles of the lists that contain a removed song; those with `double` contain both and lose one entry. */
  lists: z.array(z.object({ title: z.string(), double: z.boolean() })),
  trending: moved,
  /** Members' uploads of a removed song. */
  uploads: z.number(),
})
export type MergeConsequences = z.output<typeof mergeConsequences>

const entityIds = z
  .array(id('entity_ids'))
  .check(
    z.minLength(2, 'Choose at least two songs.'),
    z.maxLength(MAX_MERGED_SONGS, `Merge up to ${MAX_MERGED_SONGS} songs at once.`),
  )

/** Hash of what the caller saw; used to detect changes made since then. */
const state = z.string().check(z.maxLength(64))

export const getMerge = endpoint({
  ...forCurators,
  path: 'staff/merge-preview.json',
  summary: 'Preview a merge. Nothing is changed.',
  input: z.object({
    entity_ids: entityIds,
    /** If missing, the best candidate is kept. */
    keep_entity_id: z.optional(id('keep_entity_id')),
  }),
  reply: z.object({
    songs: z.array(mergeableSong),
    keep_entity_id: z.number(),
    /** Versions of all songs, those of the kept song first. */
    versions: z.array(
      z.extend(mergeableVersion, {
        /** A label that no other version would have. */
        proposed_label: z.string(),
        /** The version with the same name that it conflicts with; null if there is none. */
        conflicts_with: z.nullable(z.number()),
        /** True if an earlier version has the same audio with different tags. */
        is_same_audio: z.boolean(),
      }),
    ),
    follows: mergeConsequences,
    /** Why this is not possible; '' if it is. */
    blocked_reason: z.string(),
    state,
  }),
  errors: ['unknown_song'],
})

const choice = z.object({
  song_version_id: id('song_version_id'),
  /** Its new label. */
  version_label: label,
  /** Unpublishes the version; members who have it in their crate get the remaining version with the same name. */
  unpublish: z._default(z.boolean(), false),
})

export const mergeSongs = endpoint({
  ...forCurators,
  path: 'staff/merge-songs.json',
  summary:
    'Merge songs into one of them. Versions and member data (downloads, favourites, playlists) are combined, and the old URLs redirect.',
  input: z.object({
    entity_ids: entityIds,
    keep_entity_id: id('keep_entity_id'),
    /** Only versions to rename or unpublish. */
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
        /** The song's former id, which it has again. */
        entity_id: z.number(),
        title: z.string(),
        artist: z.string(),
        merged_at: z.string(),
        merged_by: z.nullable(person),
        versions: z.array(z.number()),
        /** Why it cannot be undone; '' if it can. */
        blocked_reason: z.string(),
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
