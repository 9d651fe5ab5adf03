import * as z from 'zod/mini'
import { endpoint, forCurators, id, integerBetween, nothing } from './endpoint.ts'
import { parseKey } from './keys.ts'
import { MAX_SELECTED_SONGS, origin, song } from './staff-songs.ts'
import { parseTempo } from './tempo.ts'

/** Changes staff make to songs and versions, and undoing them. */

/** The most songs a change returns in their new state; with more, the client reloads the list. */
export const MAX_RETURNED_SONGS = 60
export const MAX_COVER_BYTES = 10 * 1024 * 1024

/** Increases with each change; the caller sends the revision they read. */
const revision = integerBetween(1, 2_147_483_647, 'revision must be a positive integer.')
const entity_id = id('entity_id')
const songRevision = z.object({ entity_id, revision })
const section = integerBetween(1, 2, 'song_section_id must be 1 (songs) or 2 (kuts).')

const text = (most: number) =>
  z.optional(z.string().check(z.trim(), z.maxLength(most, `Use at most ${most} characters.`)))

const filled = (requiredMessage: string) =>
  z.optional(
    z.string().check(z.trim(), z.minLength(1, requiredMessage), z.maxLength(300, 'Use at most 300 characters.')),
  )

const ISRC = 'Enter an ISRC with two letters, three letters or digits, and seven digits, such as GBAYE0601477.'
const YEAR = 'Enter a four-digit year from 1900 to 2100.'
const BPM = 'Enter a BPM from 20 to 400, or a range such as 98-124.'
const KEY = 'Enter a key such as Am, F#m, 8A or 1m.'

const isYear = (typed: string) =>
  typed === '' || (/^\d{4}$/.test(typed) && Number(typed) >= 1900 && Number(typed) <= 2100)

const typedBpm = z.string().check(
  z.trim(),
  z.refine((typed) => typed === '' || parseTempo(typed) !== undefined, BPM),
)
const typedKey = z.string().check(
  z.trim(),
  z.refine((typed) => typed === '' || parseKey(typed) !== undefined, KEY),
)

/** The values to set for a song; omitted values do not change. '' clears a value that a song may lack. */
const change = z.object({
  title: filled('Enter a title.'),
  artist: filled('Enter an artist.'),
  album: text(300),
  label: text(200),
  remixer: text(200),
  isrc: z.optional(
    z.pipe(
      z.pipe(
        z.string(),
        z.transform((typed: string) => typed.replace(/[\s-]/g, '').toUpperCase()),
      ),
      z.string().check(z.regex(/^([A-Z]{2}[A-Z0-9]{3}\d{7})?$/, ISRC)),
    ),
  ),
  year: z.optional(
    z.pipe(
      z.pipe(
        z.union([z.string(), z.number()]),
        z.transform((typed) => String(typed).trim()),
      ),
      z.pipe(
        z.string().check(z.refine(isYear, YEAR)),
        z.transform((typed) => (typed === '' ? null : Number(typed))),
      ),
    ),
  ),
  /** For all versions. A range is the song's: of the versions, only those that change tempo or have none get it. */
  bpm: z.optional(
    z.pipe(
      typedBpm,
      z.transform((typed) => parseTempo(typed) ?? null),
    ),
  ),
  /** For all versions. */
  song_key: z.optional(
    z.pipe(
      typedKey,
      z.transform((typed) => parseKey(typed) ?? null),
    ),
  ),
  song_section_id: z.optional(section),
  genres: z.optional(
    z.object({
      /**
       * `set` makes these the song's only genres and moods; `add` and `take` add or remove them; `replace` replaces
       * those of the same kind, so that replacing genres does not change moods. Adding a sub-genre also adds its
       * parent; removing a genre also removes its sub-genres.
       */
      how: z.enum(['set', 'add', 'take', 'replace']),
      genre_ids: z.array(id('genre_ids')).check(z.maxLength(40, 'Choose up to 40 genres and moods.')),
    }),
  ),
})
export type SongChange = z.input<typeof change>
export type ParsedChange = z.output<typeof change>

const versionChange = z.object({
  song_version_id: id('song_version_id'),
  /** A kind sets the label too, if no label is given. */
  version_kind_id: z.optional(id('version_kind_id')),
  version_label: z.optional(
    z.string().check(z.trim(), z.minLength(1, 'Enter a version name.'), z.maxLength(60, 'Use at most 60 characters.')),
  ),
  start_seconds: z.optional(z.number().check(z.gte(0, 'The preview can’t start before 0:00.'), z.lte(36_000))),
  /** '' clears the tempo; null takes it from the file again: from its tags, otherwise from its analysis. */
  bpm: z.optional(
    z.nullable(
      z.pipe(
        typedBpm,
        z.transform((typed) => parseTempo(typed) ?? { min_bpm: null, max_bpm: null }),
      ),
    ),
  ),
  /** The same for the key. */
  song_key: z.optional(
    z.nullable(
      z.pipe(
        typedKey,
        z.transform((typed) => parseKey(typed) ?? ('' as const)),
      ),
    ),
  ),
})

const EDIT_ERRORS = ['unknown_song', 'conflict'] as const

const changed = z.object({
  song,
  /** The change to undo; null if nothing had to be changed. */
  song_edit_id: z.nullable(z.number()),
})

export const editSong = endpoint({
  ...forCurators,
  path: 'staff/edit-song.json',
  summary:
    'Update a song, its versions and their order. Values entered by staff are never overwritten by analysis or imports.',
  input: z.object({
    entity_id,
    revision,
    change: z._default(change, {}),
    versions: z._default(z.array(versionChange).check(z.maxLength(60)), []),
    /** song_version_id of all its versions, in the new order. */
    order: z.optional(z.array(id('order')).check(z.maxLength(200))),
    /** The source to take one value from; the value then follows that source again. */
    from: z.optional(origin),
  }),
  reply: changed,
  errors: [
    ...EDIT_ERRORS,
    'already_in_catalogue',
    'unknown_genre',
    'unknown_version',
    'unknown_version_type',
    'duplicate_version_label',
    'preview_start_out_of_range',
    'conflict',
  ],
})

export const left = z.array(
  z.object({ entity_id: z.number(), title: z.string(), code: z.string(), message: z.string() }),
)

const outcome = z.object({
  song_edit_id: z.nullable(z.number()),
  /** Songs that were changed (in a preview: that would be). */
  changed: z.number(),
  /** Songs that already had these values. */
  same: z.number(),
  /** Songs that cannot be changed, each with the reason. */
  left,
  /** The changed songs in their new state; empty if there are too many. */
  songs: z.array(song),
})
export type Outcome = z.output<typeof outcome>

const several = z
  .array(songRevision)
  .check(
    z.minLength(1, 'Choose at least one song.'),
    z.maxLength(MAX_SELECTED_SONGS, `Choose up to ${MAX_SELECTED_SONGS} songs.`),
  )

const MAX_REASON_LENGTH = 1000
const reason = z
  .string('Enter a reason. Your colleagues will see it.')
  .check(
    z.trim(),
    z.minLength(1, 'Enter a reason. Your colleagues will see it.'),
    z.maxLength(MAX_REASON_LENGTH, 'Use at most 1,000 characters.'),
  )
const perhapsReason = z._default(
  z.string().check(z.trim(), z.maxLength(MAX_REASON_LENGTH, 'Use at most 1,000 characters.')),
  '',
)

export const editSongs = endpoint({
  ...forCurators,
  path: 'staff/edit-songs.json',
  summary: 'Update the same values of several songs. With `preview`, returns what would change.',
  input: z.object({ songs: several, change, preview: z._default(z.boolean(), false) }),
  reply: outcome,
  errors: ['unknown_genre'],
})

export const unpublishSongs = endpoint({
  ...forCurators,
  path: 'staff/unpublish-songs.json',
  summary:
    'Unpublish songs. They disappear from lists and search immediately, but stay in download histories and Download Rescue.',
  input: z.object({ songs: several, reason }),
  reply: outcome,
})

export const restoreSongs = endpoint({
  ...forCurators,
  path: 'staff/restore-songs.json',
  summary: 'Republish songs. Songs deleted by their uploader can’t be republished; expired songs need to be renewed.',
  input: z.object({ songs: several, reason: perhapsReason }),
  reply: outcome,
})

export const unpublishVersion = endpoint({
  ...forCurators,
  path: 'staff/unpublish-version.json',
  summary: 'Unpublish one version of a song.',
  input: z.object({ entity_id, revision, song_version_id: id('song_version_id'), reason }),
  reply: changed,
  errors: [...EDIT_ERRORS, 'unknown_version', 'last_version'],
})

export const restoreVersion = endpoint({
  ...forCurators,
  path: 'staff/restore-version.json',
  summary: 'Republish a version.',
  input: z.object({ entity_id, revision, song_version_id: id('song_version_id'), reason: perhapsReason }),
  reply: changed,
  errors: [...EDIT_ERRORS, 'unknown_version', 'duplicate_version_label', 'already_in_catalogue'],
})

export const setCover = endpoint({
  ...forCurators,
  path: 'staff/song-cover.json',
  body: 'multipart',
  summary: 'Upload a song cover: the fields `entity_id`, `revision` and the file `picture`, which is re-encoded.',
  input: nothing,
  reply: changed,
  errors: [...EDIT_ERRORS, 'file_required', 'too_large', 'invalid_image'],
})

export const dropCover = endpoint({
  ...forCurators,
  path: 'staff/drop-song-cover.json',
  summary: 'Restore the generated cover.',
  input: songRevision,
  reply: changed,
  errors: EDIT_ERRORS,
})

export const undoEdit = endpoint({
  ...forCurators,
  path: 'staff/undo-song-edit.json',
  summary: 'Undo an edit. Songs that have changed since are skipped with a reason; all others are restored.',
  input: z.object({ song_edit_id: id('song_edit_id') }),
  reply: outcome,
  errors: ['unknown_edit', 'already_undone'],
})
