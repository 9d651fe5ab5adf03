import * as z from 'zod/mini'
import { endpoint, id, integerBetween, nothing, optionalId, page, pagination } from './endpoint.ts'
import { filterInput, isPersonalFilter, songFilter } from './song-filter.ts'

/** Songs and genres: lists, search, and songs that mix well together. */

export const SONGS_PER_PAGE = 24
export const HOME_GENRE_ID = 31
export const SECTIONS = { songs: 1, kuts: 2 } as const
/** Used instead of a section id: songs and kuts together. */
export const ALL_SECTIONS = 0

/** The tempo and key of a version. */
export const versionTempo = {
  /** The lower one of a version that changes its tempo; null if it is not known. */
  bpm: z.nullable(z.number()),
  /** The higher tempo of a version that changes it, otherwise null. */
  bpm_to: z.nullable(z.number()),
  song_key: z.nullable(z.string()),
}

export const version = z.object({
  song_version_id: z.number(),
  version_label: z.string(),
  version_code: z.string(),
  /** URL of the preview: a 30 s clip, or full length with a member's media key as `?k=`. */
  mp3: z.string(),
  /** URL of the waveform: see `decodePeaks`. */
  peaks: z.string(),
  /** One entry for each download the limit allows. */
  download: z.array(z.number()),
  file_name: z.string(),
  uploaded_mp3_name: z.string(),
  duration_seconds: z.number(),
  /** The recommended start of a preview. */
  preview_start_seconds: z.number(),
  loudness_lufs: z.nullable(z.number()),
  /** The size of the file; null if it is not known. */
  bytes: z.nullable(z.number()),
  /** False while the file is missing from storage. */
  available: z.boolean(),
  ...versionTempo,
})
export type Version = z.output<typeof version>

export const genreName = z.object({ genre_id: z.number(), name: z.string() })

export const song = z.object({
  entity_id: z.number(),
  title: z.string(),
  artist: z.string(),
  /** URL of the 320 px cover; `/96.webp` and `/640.webp` are other sizes. */
  image: z.string(),
  /** The tempos of its versions as a range. */
  min_bpm: z.nullable(z.number()),
  max_bpm: z.nullable(z.number()),
  /** Key of its versions, or of the most confident one. Musical key such as 'Am' or 'F#m'. Camelot and Open Key are display choices (keys.ts). */
  song_key: z.nullable(z.string()),
  year: z.nullable(z.number()),
  created_at: z.string(),
  genres: z.array(genreName),
  song_section_id: z.number(),
  /** The record label; empty if it is not known. */
  label: z.string(),
  /** How often it has been played. */
  plays: z.number(),
  /** 80 bytes of overall level of the first version, base64; empty until it has been analysed. */
  wave: z.string(),
  /** In one order everywhere: Original, Intro Clean, Intro Dirty, Clean, Dirty … */
  version: z.array(version),
})
export type Song = z.output<typeof song>

export const genreWithCount = z.object({
  genre_id: z.number(),
  name: z.string(),
  image: z.string(),
  song_count: z.number(),
  subgenre: z.array(z.object({ genre_id: z.number(), name: z.string(), image: z.string(), song_count: z.number() })),
})
export type GenreWithCount = z.output<typeof genreWithCount>

export const ORDERS = ['entity_id', 'title', 'artist', 'min_bpm', 'song_key', 'year', 'created_at'] as const
export const orderOf = <T extends string>(orders: readonly T[], first: T) =>
  z._default(z.enum(orders, { error: `order must be one of ${orders.join(', ')}.` }), first as never)
const order = orderOf(ORDERS, 'entity_id')
const orderDir = z._default(z.enum(['ASC', 'DESC'], { error: 'orderDir must be ASC or DESC.' }), 'DESC')
export const section = z._default(
  integerBetween(ALL_SECTIONS, 2, 'song_section_id must be 0 (all), 1 (songs) or 2 (kuts).'),
  SECTIONS.songs,
)
/** The page on which the list is shown; does not change the reply. */
const pageName = z.pipe(
  z.optional(z.string()),
  z.transform(() => undefined),
)
/** Admins can hide kuts and moods. */
const SECTION_ERRORS = ['section_disabled'] as const

/** What a filter can be wrong about. */
export const FILTER_ERRORS = ['invalid_filter', 'unknown_song'] as const

/** The total of a filtered list is exact up to 1,000; `more` is true if there are more. */

const listInput = { page, order, orderDir, song_section_id: section }

export const getGenresSong = endpoint({
  path: 'song/get-genres-song.json',
  access: 'browse',
  shared: true,
  summary: 'List the newest songs of a genre, for the home page.',
  input: z.object({ pageName: z.optional(pageName), genre_id: optionalId('genre_id'), song_section_id: section }),
  reply: z.object({ genre: genreName, songs: z.array(song) }),
  errors: ['unknown_genre', ...SECTION_ERRORS],
})

export const getNewRelease = endpoint({
  path: 'song/get-new-release.json',
  access: 'browse',
  section: 'new_releases',
  shared: true,
  isPersonal: isPersonalFilter,
  summary: 'List new releases, newest first, for one genre or all genres.',
  input: z.object({
    pageName: z.optional(pageName),
    ...listInput,
    genre_id: optionalId('genre_id'),
    filter: filterInput,
  }),
  reply: z.object({ songs: z.array(song), genres: z.array(genreName), pagination }),
  errors: ['unknown_genre', ...SECTION_ERRORS, ...FILTER_ERRORS],
})

const filterText = z._default(z.string().check(z.maxLength(200, 'Use at most 200 characters per filter.')), '')
const filterValue = z._default(z.union([filterText, z.number()]), '')

/** How a song matched a search: its words, and its tempo if the search had one. */
const foundBy = z.object({
  /**
   * `exact`: it contains every word. `similar`: it contains a word with one typo. `partial`: it contains a word that
   * starts with the typed one, or lacks some words.
   */
  words: z.enum(['exact', 'similar', 'partial']),
  tempo: z.enum(['same', 'half', 'double']),
})
const foundSong = z.extend(song, { found: foundBy })
export type FoundSong = z.output<typeof foundSong>

/** One part of the typed text and how it was understood: `bpm:120-126` → `BPM 120 to 126`. */
const parsedTerm = z.object({
  kind: z.enum(['word', 'phrase', 'title', 'artist', 'label', 'bpm', 'key', 'year', 'genre', 'version', 'downloaded']),
  /** The text as it was typed, so that it can be removed again. */
  source: z.string(),
  meaning: z.string(),
})
export type ParsedTerm = z.output<typeof parsedTerm>

/** A genre, sub-genre or mood that a search may mean, with its number of songs in the section. */
const genreHit = z.object({ genre_id: z.number(), name: z.string(), song_count: z.number() })

export const searchSongs = endpoint({
  path: 'song/search.json',
  aliases: ['song/search'],
  access: 'browse',
  summary:
    'Search songs by text, filters and the search syntax (bpm:120-126 key:8A -remix). Words also match genres, moods, labels, versions and remixers, numbers from 60 to 200 a BPM, and “8A” or “Am” a key. Exact matches come before partial and similar matches, matches in title and artist before others, then newest first.',
  input: z.object({
    ...listInput,
    searchTerm: z._default(z.string().check(z.maxLength(200, 'Use at most 200 characters.')), ''),
    genre_id: optionalId('genre_id'),
    SongEntitySearch: z._default(
      z.object({ title: filterText, artist: filterText, bpm: filterValue, song_key: filterText, year: filterValue }),
      { title: '', artist: '', bpm: '', song_key: '', year: '' },
    ),
    versions: z._default(
      z
        .array(z.string().check(z.maxLength(60, 'Version not found.')))
        .check(z.maxLength(100, 'Choose up to 100 versions.')),
      [],
    ),
    /** Leaves out songs the caller has downloaded; ignored for visitors. */
    not_downloaded: z._default(z.boolean(), false),
    filter: filterInput,
  }),
  reply: z.object({
    songs: z.array(foundSong),
    genres: z.array(genreName),
    versions: z.array(z.object({ version_code: z.string(), name: z.string() })),
    /** totalCount is exact up to 1,000; `more` is true if there are more. */
    pagination: z.extend(pagination, { more: z.boolean() }),
    /** How many songs matched exactly, at the requested tempo. The others follow them. */
    exact_count: z.number(),
    understood: z.array(parsedTerm),
    /** Corrections when no song has all the words: the nearest genres and artists, and terms that find something. */
    did_you_mean: z.object({ genres: z.array(genreHit), artists: z.array(z.string()), terms: z.array(z.string()) }),
  }),
  errors: ['query_too_short', ...SECTION_ERRORS, ...FILTER_ERRORS],
})

export const suggestSearch = endpoint({
  path: 'song/suggest.json',
  access: 'browse',
  shared: true,
  summary:
    'Get search suggestions while typing, best first: songs, artists, labels, genres with their song counts, and spotlights.',
  input: z.object({
    text: z.string().check(z.maxLength(200, 'Use at most 200 characters.')),
    song_section_id: section,
  }),
  reply: z.object({
    songs: z.array(z.object({ entity_id: z.number(), title: z.string(), artist: z.string(), image: z.string() })),
    artists: z.array(z.string()),
    labels: z.array(z.string()),
    genres: z.array(genreHit),
    spotlights: z.array(z.object({ curated_list_id: z.number(), title: z.string() })),
  }),
  errors: SECTION_ERRORS,
})

export const getSong = endpoint({
  path: 'song/get-song.json',
  access: 'browse',
  summary: 'Get a song with its versions.',
  input: z.object({ entity_id: id('entity_id') }),
  reply: z.object({ song }),
  errors: ['unknown_song'],
})

/** Counting stops here, so that a large import does not make the home page slow. */
export const MAX_NEW_SONGS = 1000

export const homePageGenres = endpoint({
  path: 'genres/home-page-genres.json',
  method: 'GET',
  access: 'browse',
  shared: true,
  summary: 'List the genre chips on the home page, with the figures and the price that its introduction shows.',
  input: nothing,
  reply: z.object({
    genres: z.array(genreName) /** The genre the page opens with; null in a pool without songs. */,
    default_genre_id: z.nullable(z.number()),
    song_count: z.number(),
    /** The number of main genres with songs. */
    genre_count: z.number(),
    /** The songs added in the last seven days, counted up to MAX_NEW_SONGS. */
    new_song_count: z.number(),
    /** The plan with the lowest monthly price; null if there is nothing to pay. */
    lowest_price: z.nullable(
      z.object({ price: z.string(), /** ISO 4217. */ currency: z.string(), interval: z.enum(['month', 'year']) }),
    ),
  }),
})

export const getGenresWithCount = endpoint({
  path: 'genres/get-genres-with-count.json',
  method: 'GET',
  access: 'browse',
  shared: true,
  summary: 'List genres and moods with their song counts.',
  input: z.object({ song_section_id: section }),
  reply: z.object({ moods: z.array(genreWithCount), genres: z.array(genreWithCount) }),
  errors: SECTION_ERRORS,
})

export const genreSongs = endpoint({
  path: 'genres/songs.json',
  access: 'browse',
  shared: true,
  isPersonal: isPersonalFilter,
  summary: 'List the songs of a genre or mood, paginated.',
  input: z.object({ ...listInput, genre_id: id('genre_id'), filter: filterInput }),
  reply: z.object({ genre: genreName, songs: z.array(song), pagination }),
  errors: ['unknown_genre', ...SECTION_ERRORS, ...FILTER_ERRORS],
})

export const getSongGenres = endpoint({
  path: 'genres/get-song-genres.json',
  access: 'browse',
  shared: true,
  summary: 'List the genres that have songs.',
  input: z.object({ song_section_id: section }),
  reply: z.object({ genres: z.array(genreName) }),
  errors: SECTION_ERRORS,
})

/** How well a song mixes with another one. Values are null if either song has no key or no tempo. */
const mix = z.object({
  key: z.nullable(z.enum(['same', 'step', 'relative'])),
  tempo: z.nullable(z.enum(['same', 'half', 'double'])),
  /** By how much its tempo has to change, in per cent: -1.6 is slower. */
  tempo_change_percent: z.nullable(z.number()),
  shared_genres: z.number(),
  /** How many members have both songs in their crates. */
  shared_crates: z.number(),
})
const mixingSong = z.extend(song, { mix })
export type MixingSong = z.output<typeof mixingSong>

export { MIXABLE_TEMPO_RATIO } from './transitions.ts'

export const getSimilarSongs = endpoint({
  path: 'song/similar.json',
  access: 'browse',
  shared: true,
  summary:
    'List songs that mix well with this one: compatible key and tempo within 6 % (including half and double tempo).',
  input: z.object({ entity_id: id('entity_id') }),
  reply: z.object({ songs: z.array(mixingSong) }),
  errors: ['unknown_song'],
})

/** The lists that have a filter. */
export const FILTERED_LISTS = [
  'new_releases',
  'genre',
  'chart',
  'spotlight',
  'top20',
  'playlist',
  'crate',
  'favourites',
  'recent',
  'search',
] as const

const optionCount = z.number()

export const getFilterOptions = endpoint({
  path: 'song/filter-options.json',
  access: 'browse',
  summary: 'Count the songs of a list for each version, genre, year and key that its filter offers.',
  input: z.object({
    list: z.enum(FILTERED_LISTS, { error: `list must be one of ${FILTERED_LISTS.join(', ')}.` }),
    /** The genre, spotlight, top 20 or playlist. */
    id: optionalId('id'),
    song_section_id: section,
    /** Of new releases, a chart or the crate. */
    genre_id: optionalId('genre_id'),
    chart_type: z._default(z.enum(['daily', 'weekly', 'monthly'], 'Use daily, weekly or monthly.'), 'daily'),
    searchTerm: z._default(z.string().check(z.maxLength(200, 'Use at most 200 characters.')), ''),
    /** The filter as applied: the counts of a group leave out what was chosen in the same group. */
    filter: z._default(songFilter, { fits: undefined }),
  }),
  reply: z.object({
    versions: z.array(z.object({ version_code: z.string(), name: z.string(), count: optionCount })),
    genres: z.array(z.extend(genreName, { count: optionCount })),
    years: z.array(z.object({ year: z.number(), count: optionCount })),
    keys: z.array(z.object({ key: z.string(), count: optionCount })),
    /** True if only the newest songs of a long list were counted: there may be more of each. */
    more: z.boolean(),
  }),
  errors: [
    'unknown_genre',
    'unknown_list',
    'unknown_playlist',
    'not_signed_in',
    'query_too_short',
    ...SECTION_ERRORS,
    ...FILTER_ERRORS,
  ],
})
