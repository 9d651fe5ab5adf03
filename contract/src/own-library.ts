import * as z from 'zod/mini'
import { song } from './catalogue.ts'
import { COLLECTION_ERRORS, reference } from './collections.ts'
import {
  endpoint,
  id,
  integerBetween,
  nothing,
  optionalId,
  page,
  pagination,
  refineTogether,
  search,
} from './endpoint.ts'
import { IMPORT_PART_ENTRIES, MAX_ENTRY_TEXT } from './library-files/import-parts.ts'

/**
 * A member's own library: the files of their DJ program or music folder, and the songs and versions of the pool among
 * them. A member owns what is in their library and what they have downloaded.
 */

/** Of all libraries of a member together. */
export const MAX_LIBRARY_ENTRIES = 100_000
export const MAX_LIBRARIES = 20

/** `folder`: music files without a library. */
export const COLLECTION_FORMATS = [
  'rekordbox',
  'traktor',
  'serato',
  'virtualdj',
  'virtualdj_list',
  'engine',
  'm3u',
  'folder',
] as const
export type CollectionFormat = (typeof COLLECTION_FORMATS)[number]

/** Longer texts are cut: a damaged tag is no reason to reject a library. */
const cutText = (text: string): string => text.slice(0, MAX_ENTRY_TEXT)
const text = z._default(z.string().check(z.overwrite(cutText)), '')
const positive = z._default(z.nullable(z.number().check(z.gt(0, 'Use numbers above 0, or null.'), z.lt(1e12))), null)

/** What is needed to match a file. */
const importedEntry = z.object({
  artist: text,
  title: text,
  version: text,
  remixer: text,
  isrc: text,
  duration_seconds: positive,
  bytes: positive,
  /** The file name and the two folders it is in, or fewer. */
  path_parts: z
    .array(z.string().check(z.overwrite(cutText)))
    .check(z.minLength(1, 'path_parts must have the file name.'), z.maxLength(3, 'path_parts has at most 3 parts.')),
})

const libraryName = z
  .string('Enter a name.')
  .check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(60, 'Use at most 60 characters.'))

const format = z.enum(COLLECTION_FORMATS, { error: `format must be one of ${COLLECTION_FORMATS.join(', ')}.` })

/** A library that is imported, or compared with the pool again. */
const libraryImport = z.object({
  library_id: z.number(),
  name: z.string(),
  format,
  /** `failed`: comparing it with the pool failed several times. `ready`: it is in the list of libraries. */
  state: z.enum(['receiving', 'matching', 'failed', 'ready']),
  /** The number of its files. */
  entries: z.number(),
  /** How many of them were received, or compared with the pool while `matching`. */
  done: z.number(),
  started_at: z.string(),
})
export type LibraryImport = z.output<typeof libraryImport>

export const importCollection = endpoint({
  path: 'library/import-collection.json',
  access: 'member',
  summary: `Import a library in parts of up to ${IMPORT_PART_ENTRIES} entries. Once all parts are received, a worker matches them; an earlier library of the same name is then replaced, with its decisions kept. Parts can be sent again, and in any order.`,
  input: z.object({
    /** From the reply to the first part. Without it, a new import begins; it replaces an unfinished one of this name. */
    library_id: optionalId('library_id'),
    name: libraryName,
    format,
    /** The entries of all parts together. */
    total: integerBetween(
      1,
      MAX_LIBRARY_ENTRIES,
      `Libraries can have up to ${MAX_LIBRARY_ENTRIES.toLocaleString('en')} files.`,
    ),
    /** The position of the first entry of this part in the library, from 0. */
    offset: integerBetween(0, MAX_LIBRARY_ENTRIES - 1, 'offset must be the position of the first entry.'),
    entries: z
      .array(importedEntry)
      .check(
        z.minLength(1, 'Send at least one entry.'),
        z.maxLength(IMPORT_PART_ENTRIES, `Send up to ${IMPORT_PART_ENTRIES} entries at once.`),
      ),
  }),
  reply: z.object({ import: libraryImport }),
  errors: ['unknown_library', 'too_many_libraries', 'library_too_large'],
})

const ownLibrary = z.object({
  library_id: z.number(),
  name: z.string(),
  format,
  entries: z.number(),
  /** Certain, or confirmed by the member. */
  matched: z.number(),
  to_review: z.number(),
  /** Not in the pool, including the matches that the member rejected. */
  not_found: z.number(),
  imported_at: z.string(),
  /** When it was last compared with the pool. */
  matched_at: z.string(),
})
export type OwnLibrary = z.output<typeof ownLibrary>

const overview = z.object({
  /** By name. */
  libraries: z.array(ownLibrary),
  /**
   * Most recent first; none that are `ready`. A library of the same name stays in `libraries` until this import is
   * finished; one that is compared again has the same library_id.
   */
  imports: z.array(libraryImport),
  /** Songs, each counted once. */
  songs: z.object({ in_library: z.number(), downloaded: z.number(), owned: z.number() }),
})
export type LibraryOverview = z.output<typeof overview>

export const getLibraries = endpoint({
  path: 'library/collections.json',
  access: 'member',
  summary: 'Get the libraries of the member with what was matched, and the progress of imports.',
  input: nothing,
  reply: overview,
})

export const removeCollection = endpoint({
  path: 'library/remove-collection.json',
  access: 'member',
  summary: 'Delete a library with its matches, or cancel an import. Downloads are not affected.',
  input: z.object({ library_id: id('library_id') }),
  reply: overview,
  errors: ['unknown_library'],
})

export const matchAgain = endpoint({
  path: 'library/match-again.json',
  access: 'member',
  summary: 'Compare a library with the songs that the pool has now. Decisions of the member are kept.',
  input: z.object({ library_id: id('library_id') }),
  reply: overview,
  errors: ['unknown_library'],
})

export const MATCH_STATES = ['review', 'matched', 'not_found'] as const
export type MatchState = (typeof MATCH_STATES)[number]

const candidate = z.object({
  entity_id: z.number(),
  /** Null if the version is not certain. */
  song_version_id: z.nullable(z.number()),
  /** 0 to 1. */
  confidence: z.number(),
})

const entryMatch = z.object({
  entry_id: z.number(),
  library_id: z.number(),
  /** As the library has it; empty for a file without tags. */
  artist: z.string(),
  title: z.string(),
  version: z.string(),
  file_name: z.string(),
  /** The two folders it is in, with '/' between them. */
  folder: z.string(),
  duration_seconds: z.nullable(z.number()),
  state: z.enum(MATCH_STATES),
  /** What the member decided; null if they did not. */
  decision: z.nullable(z.enum(['confirmed', 'rejected'])),
  /** Why the pool takes it for this song: where a download is stored, the ISRC, or artist and title. */
  reason: z.nullable(z.enum(['path', 'isrc', 'name'])),
  /** Of a matched entry. */
  entity_id: z.nullable(z.number()),
  song_version_id: z.nullable(z.number()),
  confidence: z.nullable(z.number()),
  /** The songs it may be, most likely first. Those of a decided entry are still there, for other choices. */
  candidates: z.array(candidate),
})
export type EntryMatch = z.output<typeof entryMatch>

/** The songs that entries refer to; those that are no longer available are missing. */
const matchesReply = { matches: z.array(entryMatch), songs: z.array(song) }

export const MATCHES_PER_PAGE = 50

export const getMatches = endpoint({
  path: 'library/matches.json',
  access: 'member',
  summary: 'List the files of one or all libraries by state. Those to review come with the songs that they may be.',
  input: z.object({
    /** All libraries if missing. */
    library_id: optionalId('library_id'),
    state: z._default(z.enum(MATCH_STATES, { error: `state must be one of ${MATCH_STATES.join(', ')}.` }), 'review'),
    /** Words; each must be in the artist, title, version or file name. */
    search,
    page,
  }),
  reply: z.object({ ...matchesReply, pagination }),
  errors: ['unknown_library'],
})

export const MAX_DECISIONS = 200

const decision = z.object({
  entry_id: id('entry_id'),
  action: z.enum(['confirm', 'reject', 'undo'], { error: 'action must be confirm, reject or undo.' }),
  /** For `confirm`: any published song. The matched song, or the most likely one, if missing. */
  entity_id: optionalId('entity_id'),
  /** For `confirm`: a version of the song. The version that was found for it if missing. */
  song_version_id: optionalId('song_version_id'),
})
export type MatchDecision = z.output<typeof decision>

export const decideMatches = endpoint({
  path: 'library/decide-matches.json',
  access: 'member',
  summary:
    'Confirm which song files are, also others than those found; reject a match, so that the song is no longer owned; or undo a decision.',
  input: z.object({
    decisions: z
      .array(decision)
      .check(
        z.minLength(1, 'Choose at least one file.'),
        z.maxLength(MAX_DECISIONS, `Choose up to ${MAX_DECISIONS} files.`),
      ),
  }),
  /** The entries in the order of the decisions. */
  reply: z.object({ ...matchesReply, overview }),
  errors: ['unknown_match', 'unknown_song', 'unknown_version'],
})

/** Ids in ascending order, as deltas: see `decodeIds` in id-deltas.ts. */
const idDeltas = z.array(z.number())
const ids = z.object({ songs: idDeltas, versions: idDeltas })

export const getOwned = endpoint({
  path: 'library/owned.json',
  access: 'member',
  summary:
    'Get the ids of all songs and versions that the member has in their library or has downloaded, so that any list can mark them.',
  input: z.object({
    /** The revision that the client has: the reply then has no ids if nothing has changed. */
    revision: z._default(z.string().check(z.maxLength(64)), ''),
  }),
  reply: z.object({
    revision: z.string(),
    /** Null if nothing has changed. A song can be in the library without a version: it is not known which one. */
    owned: z.nullable(z.object({ in_library: ids, downloaded: ids })),
  }),
})

export const countOwned = endpoint({
  path: 'library/count-owned.json',
  access: 'member',
  summary: 'Count how many songs of a collection or playlist the member owns.',
  input: z
    .object({
      /** A genre, spotlight, top 20, chart, artist or label. */
      collection: z.optional(z.object(reference)),
      playlist_id: optionalId('playlist_id'),
    })
    .check(
      refineTogether(({ collection, playlist_id }) => (collection === undefined) !== (playlist_id === undefined), {
        message: 'Choose a collection or a playlist.',
        path: [],
      }),
    ),
  reply: z.object({ owned: z.number() }),
  errors: [...COLLECTION_ERRORS, 'unknown_playlist'],
})

export const BETTER_VERSIONS = ['all', 'preferred', 'lossless'] as const
export type BetterVersions = (typeof BETTER_VERSIONS)[number]
export const BETTER_SONGS_PER_PAGE = 24

const betterSong = z.object({
  song,
  /** Versions in the library or downloaded. */
  owned: z.array(z.number()),
  /** Versions that the member lacks, those they prefer first. */
  missing: z.array(
    z.object({
      song_version_id: z.number(),
      /**
       * `preferred`: among the member's preferred versions. `lossless`: they only have a lossy file of it. `other`:
       * another version.
       */
      reason: z.enum(['preferred', 'lossless', 'other']),
    }),
  ),
})
export type BetterSong = z.output<typeof betterSong>

export const getBetterVersions = endpoint({
  path: 'library/better-versions.json',
  access: 'member',
  summary:
    'List the songs in the member’s library of which the pool has versions that they lack, or lossless files. Songs whose version is unknown are left out.',
  input: z.object({
    show: z._default(z.enum(BETTER_VERSIONS, { error: `show must be one of ${BETTER_VERSIONS.join(', ')}.` }), 'all'),
    page,
  }),
  reply: z.object({
    songs: z.array(betterSong),
    /** Songs, by what they lack. */
    counts: z.object({ all: z.number(), preferred: z.number(), lossless: z.number() }),
    pagination,
  }),
})
