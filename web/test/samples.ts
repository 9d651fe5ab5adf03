import type { catalogue, InputOf, membership, playlists, ReplyOf, songDetails } from '@dubplate/contract'
// Imports the schemas, which the app's own code never loads.
import * as contract from '../../contract/src/index.ts'
import { sampleOf } from './sampleOf.ts'

let lastId = 1000

/** A version of a song; its preview is ten seconds of a tone (web/test/media.ts). */
export function makeVersion(overrides: Partial<catalogue.Version> = {}): catalogue.Version {
  const song_version_id = ++lastId
  return {
    ...(sampleOf(contract.catalogue.version) as catalogue.Version),
    song_version_id,
    version_label: 'Clean',
    version_code: 'clean',
    mp3: `/previews/${song_version_id}.mp3`,
    peaks: `/peaks/${song_version_id}`,
    duration_seconds: 10,
    file_name: `song-${song_version_id}.mp3`,
    available: true,
    ...{ bpm: null, bpm_to: null, song_key: null },
    ...overrides,
  }
}

/** A song with one version, Clean, unless others are given. */
export function makeSong(overrides: Partial<catalogue.Song> = {}): catalogue.Song {
  const entity_id = ++lastId
  return {
    ...(sampleOf(contract.catalogue.song) as catalogue.Song),
    entity_id,
    title: `Song ${entity_id}`,
    artist: 'Ada Vale',
    image: '/images/cover/320.webp',
    min_bpm: 124,
    max_bpm: 124,
    song_key: 'Am',
    created_at: '2026-11-20T10:00:00Z',
    genres: [{ genre_id: 1, name: 'House' }],
    song_section_id: 1,
    version: [makeVersion()],
    ...overrides,
  }
}

/** `count` songs, titled Song 1, Song 2 …, with ids from `firstId`. */
export const makeSongs = (count: number, firstId = 1): catalogue.Song[] =>
  Array.from({ length: count }, (_, n) => makeSong({ entity_id: firstId + n, title: `Song ${n + 1}` }))

/** A file as the page of its song shows it: an MP3 that has not been checked. */
export const makeVersionFile = (
  song_version_id: number,
  overrides: Partial<songDetails.VersionFile> = {},
): songDetails.VersionFile => ({
  ...{ song_version_id, wave: '', format: 'mp3', bytes: 8_000_000, conversions: [] },
  seal: {
    ...{ state: 'not_checked', format: 'mp3', is_lossless: false, bitrate_kbps: 320, sample_rate: 44_100 },
    ...{ bit_depth: null, warnings: [] },
  },
  ...overrides,
})

export const singlePage = (totalCount: number) => ({ page: 1, perPageLimit: 24, totalCount })

/** An approved, paying member. */
export const makeProfile = (overrides: Partial<membership.Profile> = {}): membership.Profile => ({
  ...(sampleOf(contract.membership.profile) as membership.Profile),
  customer_id: 1,
  email: 'dj@pool.test',
  dj_name: 'DJ Marlow',
  firstname: 'Mar',
  lastname: 'Low',
  group_id: 2,
  payment_profile_status: 'paid',
  has_password: true,
  media_key: 'key',
  ...overrides,
})

/** A playlist of the member, with no songs. */
export const makePlaylist = (overrides: Partial<playlists.Playlist> = {}): playlists.Playlist => ({
  playlist_id: ++lastId,
  title: `Playlist ${lastId}`,
  description: '',
  song_count: 0,
  duration_seconds: 0,
  images: [],
  public: false,
  mine: true,
  changed_at: '2026-11-20T10:00:00Z',
  ...overrides,
})

/** The reply of the fake server that pages and searches these playlists, about as the real one does. */
export function pagePlaylists(
  all: readonly playlists.Playlist[],
  {
    list,
    page = 1,
    pageLimit = contract.playlists.PLAYLISTS_PER_PAGE,
    search = '',
  }: InputOf<typeof playlists.getPlaylists>,
): ReplyOf<typeof playlists.getPlaylists> {
  const [number, limit] = [Number(page), Number(pageLimit)]
  const matching = all.filter(({ title }) => title.toLowerCase().includes(search.toLowerCase()))
  const pageOf = (mine: boolean) => {
    const listed = matching.filter((playlist) => playlist.mine === mine)
    const pagination = { page: number, perPageLimit: limit, totalCount: listed.length }
    return { shown: listed.slice((number - 1) * limit, number * limit), pagination }
  }
  const [own, shared] = [pageOf(true), pageOf(false)]
  return {
    playlists: list === 'public' ? [] : own.shown,
    public_playlists: list === 'mine' ? [] : shared.shown,
    ...(list === 'public' ? {} : { pagination: own.pagination }),
    ...(list === 'mine' ? {} : { public_pagination: shared.pagination }),
  }
}
