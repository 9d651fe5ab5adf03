import * as z from 'zod/mini'
import { endpoint, id, nothing, optionalId, page, pagination, whole } from './endpoint.ts'

export const SONGS_A_PAGE = 24
export const HOME_GENRE_ID = 31
export const SECTIONS = { songs: 1, kuts: 2 } as const

export const version = z.object({
  song_version_id: z.number(),
  version_label: z.string(),
  version_code: z.string(),
  /** Address of the preview: a 30 s clip, full length when the media key of a member is added as `?k=`. */
  mp3: z.string(),
  /** Address of the waveform: see `decodePeaks`. */
  peaks: z.string(),
  /** One entry for each download the limit allows. */
  download: z.array(z.number()),
  file_name: z.string(),
  uploaded_mp3_name: z.string(),
  duration_seconds: z.number(),
  loudness_lufs: z.nullable(z.number()),
  /** False while the file is missing from the store. */
  available: z.boolean(),
})
export type Version = z.output<typeof version>

export const genreName = z.object({ genre_id: z.number(), name: z.string() })

export const song = z.object({
  entity_id: z.number(),
  title: z.string(),
  artist: z.string(),
  /** Address of the 320 px cover; `/96.webp` and `/640.webp` stand beside it. */
  image: z.string(),
  min_bpm: z.nullable(z.number()),
  max_bpm: z.nullable(z.number()),
  /** Musical key: 'Am', 'F#m'. Camelot and Open Key are a display choice (keys.ts). */
  song_key: z.nullable(z.string()),
  year: z.nullable(z.number()),
  created_at: z.string(),
  genres: z.array(genreName),
  song_section_id: z.number(),
  /** 80 bytes of overall level of the first version, base64; empty until it has been analysed. */
  wave: z.string(),
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

const order = z._default(
  z.enum(['entity_id', 'title', 'artist', 'min_bpm', 'song_key', 'year', 'created_at'], {
    error: 'order must be one of entity_id, title, artist, min_bpm, song_key, year, created_at.',
  }),
  'entity_id',
)
const orderDir = z._default(z.enum(['ASC', 'DESC'], { error: 'orderDir must be ASC or DESC.' }), 'DESC')
const section = z._default(whole(1, 2, 'song_section_id must be 1 (songs) or 2 (kuts).'), SECTIONS.songs)
/** Where on the site a list is shown; it changes nothing in the reply. */
const pageName = z.pipe(
  z.optional(z.string()),
  z.transform(() => undefined),
)
const listInput = { page, order, orderDir, song_section_id: section }

export const getGenresSong = endpoint({
  path: 'song/get-genres-song.json',
  access: 'browse',
  shared: true,
  summary: 'The home page block of one genre: its newest songs.',
  input: z.object({ pageName: z.optional(pageName), genre_id: optionalId('genre_id') }),
  reply: z.object({ genre: genreName, songs: z.array(song) }),
  refusals: ['unknown_genre'],
})

export const getNewRelease = endpoint({
  path: 'song/get-new-release.json',
  access: 'browse',
  shared: true,
  summary: 'New releases, newest first, of one genre or of all.',
  input: z.object({ pageName: z.optional(pageName), ...listInput, genre_id: optionalId('genre_id') }),
  reply: z.object({ songs: z.array(song), genres: z.array(genreName), pagination }),
  refusals: ['unknown_genre'],
})

const filterText = z._default(z.string().check(z.maxLength(200, 'A filter has at most 200 characters.')), '')
const filterValue = z._default(z.union([filterText, z.number()]), '')

export const searchSongs = endpoint({
  path: 'song/search.json',
  aliases: ['song/search'],
  access: 'browse',
  summary: 'Songs by words and filters, newest first, exact before similar.',
  input: z.object({
    ...listInput,
    searchTerm: z._default(z.string().check(z.maxLength(200, 'Search for at most 200 characters.')), ''),
    genre_id: optionalId('genre_id'),
    SongEntitySearch: z._default(
      z.object({ title: filterText, artist: filterText, bpm: filterValue, song_key: filterText, year: filterValue }),
      { title: '', artist: '', bpm: '', song_key: '', year: '' },
    ),
    versions: z._default(
      z
        .array(z.string().check(z.maxLength(60, 'There is no such version.')))
        .check(z.maxLength(100, 'Choose at most 100 versions.')),
      [],
    ),
  }),
  reply: z.object({
    songs: z.array(song),
    genres: z.array(genreName),
    versions: z.array(z.object({ version_code: z.string(), name: z.string() })),
    /** totalCount is exact to 1,000; `more` says that there are more than it counts. */
    pagination: z.extend(pagination, { more: z.boolean() }),
    /** True where the words were read forgivingly: nothing (or little) matched them as typed. */
    similar: z.boolean(),
  }),
  refusals: ['search_too_short', 'bad_filter'],
})

export const getSong = endpoint({
  path: 'song/get-song.json',
  access: 'browse',
  summary: 'One song with its versions.',
  input: z.object({ entity_id: id('entity_id') }),
  reply: z.object({ song }),
  refusals: ['unknown_song'],
})

export const homePageGenres = endpoint({
  path: 'genres/home-page-genres.json',
  method: 'GET',
  access: 'browse',
  shared: true,
  summary: 'The genre chips of the home page.',
  input: nothing,
  reply: z.object({
    genres: z.array(genreName) /** The genre the page opens on; null in a pool without songs. */,
    default_genre_id: z.nullable(z.number()),
  }),
})

export const getGenresWithCount = endpoint({
  path: 'genres/get-genres-with-count.json',
  method: 'GET',
  access: 'browse',
  shared: true,
  summary: 'Moods and genres, each with the number of its songs.',
  input: z.object({ song_section_id: section }),
  reply: z.object({ moods: z.array(genreWithCount), genres: z.array(genreWithCount) }),
})

export const genreSongs = endpoint({
  path: 'genres/songs.json',
  access: 'browse',
  shared: true,
  summary: 'The songs of one genre or mood, a page at a time.',
  input: z.object({ ...listInput, genre_id: id('genre_id') }),
  reply: z.object({ genre: genreName, songs: z.array(song), pagination }),
  refusals: ['unknown_genre'],
})

export const getSongGenres = endpoint({
  path: 'genres/get-song-genres.json',
  access: 'browse',
  shared: true,
  summary: 'The genres that have songs.',
  input: z.object({ song_section_id: section }),
  reply: z.object({ genres: z.array(genreName) }),
})

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
  shared: true,
  summary: 'The 12 newest curated spotlights, for the home page.',
  input: nothing,
  reply: z.object({ curatedlist: z.array(curatedList) }),
})

export const getSpotlightSongs = endpoint({
  path: 'curated/get-songs.json',
  access: 'browse',
  shared: true,
  summary: 'One curated list: its title and its songs in order.',
  input: z.object({ page, curated_list_id: id('curated_list_id') }),
  reply: z.object({ title: z.string(), songs: z.array(song), pagination }),
  refusals: ['unknown_list'],
})

const rankedSong = z.extend(song, { rank: z.number(), downloads: z.number() })
export type RankedSong = z.output<typeof rankedSong>

export const getTop20Tracks = endpoint({
  path: 'top20/get-tracks.json',
  method: 'GET',
  access: 'browse',
  shared: true,
  summary: 'The monthly top-20 collections, newest first.',
  input: z.object({ page, limit: z._default(whole(1, 30, 'limit must be from 1 to 30.'), 20) }),
  reply: z.object({
    tracks: z.array(z.object({ top20_track_id: z.number(), title: z.string(), cover_image: z.string() })),
    pagination,
  }),
})

export const getTop20Songs = endpoint({
  path: 'top20/index.json',
  access: 'browse',
  shared: true,
  summary: 'One top-20 collection: its songs, ranked.',
  input: z.object({ page, top20_track_id: id('top20_track_id') }),
  reply: z.object({ title: z.string(), songs: z.array(rankedSong), pagination }),
  refusals: ['unknown_list'],
})

export const getTrendingTracks = endpoint({
  path: 'trending-track/get-trending-tracks.json',
  access: 'browse',
  shared: true,
  summary: 'The 30 songs that climb fastest.',
  input: nothing,
  reply: z.object({ songs: z.array(rankedSong) }),
})

export const getMostDownloadedToday = endpoint({
  path: 'download/get-most-downloaded-today.json',
  access: 'browse',
  shared: true,
  summary: 'The songs most downloaded since midnight UTC.',
  input: nothing,
  reply: z.object({ songs: z.array(rankedSong) }),
})
