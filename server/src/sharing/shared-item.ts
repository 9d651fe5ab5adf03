import { camelot, catalogue, parseKey, type settings } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { listImage } from '../catalogue/images.ts'
import { songsOf } from '../catalogue/songs.ts'
import { getCollection, getCollectionSongs } from '../collections/collections.ts'
import { top20Songs } from '../curation/collections.ts'
import { spotlightSongs } from '../curation/curated.ts'
import { getPlaylist } from '../library/playlists.ts'
import { ApiError } from '../platform/api-error.ts'

/** What a shared link leads to. Paths start with a slash and belong to this pool. */
export type SharedItem = {
  type: 'song' | 'playlist'
  path: string
  title: string
  /** Undefined for a list without a curator. */
  author: string | undefined
  /** One line of facts: `124 BPM · 8A · House · Original, Intro Clean`. */
  facts: string
  /** Its own description, or the facts of an item without one. */
  description: string
  /** Path of the 320 px cover. */
  image: string
  /** The song itself, or the first songs of a list. */
  songs: SharedSong[]
}

export type SharedSong = {
  path: string
  title: string
  artist: string
  image: string
  /** `124 BPM · 8A` */
  facts: string
  /** Path of the 30-second clip; undefined while none can be played. */
  clip: string | undefined
  /** Length of the whole version, not of the clip. */
  duration_seconds: number
}

type SharingContext = Pick<AppContext, 'sql' | 'settings'>

const { SECTIONS } = catalogue
const MAX_EMBEDDED_SONGS = 24
const MEMBER_NONE = 0

const joinFacts = (facts: readonly (string | undefined)[]): string => facts.filter(Boolean).join(' · ')

const formatTempo = ({ min_bpm, max_bpm }: catalogue.Song): string | undefined => {
  if (min_bpm === null || max_bpm === null) return undefined
  const [from, to] = [Math.round(min_bpm), Math.round(max_bpm)]
  return from === to ? `${from} BPM` : `${from}–${to} BPM`
}

const formatKey = ({ song_key }: catalogue.Song): string | undefined => {
  const key = song_key ? parseKey(song_key) : undefined
  return key && camelot(key)
}

const tempoAndKey = (song: catalogue.Song): string => joinFacts([formatTempo(song), formatKey(song)])

const describe = (item: { description: string } | undefined, facts: readonly (string | undefined)[]) => {
  const line = joinFacts(facts)
  return { facts: line, description: item?.description || line }
}

const countSongs = (count: number): string => (count === 1 ? '1 song' : `${count.toLocaleString('en')} songs`)

function toSharedSong(song: catalogue.Song): SharedSong {
  const version = song.version.find(({ available }) => available)
  return {
    path: `/song/${song.entity_id}`,
    title: song.title,
    artist: song.artist,
    image: song.image,
    facts: tempoAndKey(song),
    clip: version?.mp3,
    duration_seconds: version?.duration_seconds ?? 0,
  }
}

async function findSong({ sql, settings }: SharingContext, id: number): Promise<SharedItem | undefined> {
  const [song] = await songsOf(sql, [id], settings.downloadLimit)
  if (!song || (song.song_section_id === 2 && settings.hidden.has('kuts'))) return undefined
  const versions = song.version.map(({ version_label }) => version_label).join(', ')
  const facts = joinFacts([formatTempo(song), formatKey(song), song.genres[0]?.name, versions])
  return {
    type: 'song',
    path: `/song/${song.entity_id}`,
    title: `${song.title} by ${song.artist}`,
    author: song.artist,
    facts,
    description: facts,
    image: song.image,
    songs: [toSharedSong(song)],
  }
}

type ListRow = { description: string; cover_seed: number; artwork: string | null }

async function findSpotlight({ sql, settings }: SharingContext, id: number): Promise<SharedItem> {
  const [list] = await sql<(ListRow & { created_by: string })[]>`
    select description, created_by, cover_seed, encode(a.sha256, 'hex') as artwork
    from curated_list left join artwork a using (artwork_id) where curated_list_id = ${id}`
  const { title, songs, pagination } = await spotlightSongs(sql, id, 1, settings.downloadLimit)
  return {
    type: 'playlist',
    path: `/spotlight/view/${id}`,
    title,
    author: list?.created_by || undefined,
    ...describe(list, [list?.created_by && `Curated by ${list.created_by}`, countSongs(pagination.totalCount)]),
    image: listImage('list', id, { title, artwork: list?.artwork ?? null, cover_seed: list?.cover_seed ?? 0 }),
    songs: songs.map(toSharedSong),
  }
}

async function findTop20({ sql, settings }: SharingContext, id: number): Promise<SharedItem> {
  const [list] = await sql<ListRow[]>`
    select description, cover_seed, encode(a.sha256, 'hex') as artwork
    from top20 left join artwork a using (artwork_id) where top20_track_id = ${id}`
  const { title, songs, pagination } = await top20Songs(sql, id, 1, settings.downloadLimit)
  return {
    type: 'playlist',
    path: `/top20/songs/${id}`,
    title,
    author: undefined,
    ...describe(list, ['Monthly top 20', countSongs(pagination.totalCount)]),
    image: listImage('top20', id, { title, artwork: list?.artwork ?? null, cover_seed: list?.cover_seed ?? 0 }),
    songs: songs.slice(0, MAX_EMBEDDED_SONGS).map(toSharedSong),
  }
}

/** Only public playlists: those that every member sees. */
async function findPlaylist({ sql, settings }: SharingContext, id: number): Promise<SharedItem> {
  const params = { playlist_id: id, page: 1, pageLimit: MAX_EMBEDDED_SONGS }
  const { playlist, songs } = await getPlaylist(sql, MEMBER_NONE, params, settings.downloadLimit)
  return {
    type: 'playlist',
    path: `/playlist/${id}`,
    title: playlist.title,
    author: undefined,
    ...describe(playlist, ['Playlist', countSongs(playlist.song_count)]),
    image: playlist.images[0] ?? '/icon-512.png',
    songs: songs.map(toSharedSong),
  }
}

/** An artist or label, by the encoded name in the path. */
const findCredited =
  (type: 'artist' | 'label') =>
  async (ctx: SharingContext, encodedName: string): Promise<SharedItem | undefined> => {
    const name = decodeName(encodedName)
    if (!name) return undefined
    const reference = { type, id: undefined, name, chart_type: 'daily', song_section_id: SECTIONS.songs } as const
    const collection = await getCollection(ctx, reference)
    const { songs } = await getCollectionSongs(ctx, { ...reference, page: 1 }, MAX_EMBEDDED_SONGS)
    return {
      type: 'playlist',
      path: `/${type}/${encodeURIComponent(name)}`,
      title: collection.title,
      author: type === 'artist' ? collection.title : undefined,
      ...describe(collection, [type === 'artist' ? 'Artist' : 'Label', countSongs(collection.song_count)]),
      image: collection.images[0] ?? '/icon-512.png',
      songs: songs.map(toSharedSong),
    }
  }

/** Undefined for a path that is not valid UTF-8. */
function decodeName(encodedName: string): string | undefined {
  try {
    return decodeURIComponent(encodedName).trim()
  } catch {
    return undefined
  }
}

/** Finds an item by the part of its path that names it. */
type FindItem = (ctx: SharingContext, id: string) => Promise<SharedItem | undefined>

const byId =
  (find: (ctx: SharingContext, id: number) => Promise<SharedItem | undefined>): FindItem =>
  (ctx, id) =>
    find(ctx, Number(id))

type Kind = { path: RegExp; section?: settings.Section; find: FindItem }

const KINDS: readonly Kind[] = [
  { path: /^\/song\/(\d{1,15})\/?$/, find: byId(findSong) },
  { path: /^\/spotlight\/view\/(\d{1,9})\/?$/, section: 'spotlights', find: byId(findSpotlight) },
  { path: /^\/top20\/songs\/(\d{1,9})\/?$/, section: 'top20', find: byId(findTop20) },
  { path: /^\/playlist\/(\d{1,15})\/?$/, find: byId(findPlaylist) },
  { path: /^\/artist\/([^/]{1,900})\/?$/, find: findCredited('artist') },
  { path: /^\/label\/([^/]{1,900})\/?$/, find: findCredited('label') },
]

/**
 * Finds what a page of the pool shows. Undefined for pages that show no song or list, for what visitors may not see, and
 * for every page of a pool that only members may browse.
 */
export async function findSharedItem(ctx: SharingContext, path: string): Promise<SharedItem | undefined> {
  if (!ctx.settings.publicBrowsing) return undefined
  for (const { path: pattern, section, find } of KINDS) {
    const id = pattern.exec(path)?.[1]
    if (id === undefined || (section && ctx.settings.hidden.has(section))) continue
    return await find(ctx, id).catch(ignoreUnknown)
  }
  return undefined
}

const UNKNOWN_CODES: ReadonlySet<string> = new Set([
  'unknown_list',
  'unknown_playlist',
  'unknown_artist',
  'unknown_label',
])

function ignoreUnknown(error: unknown): undefined {
  if (error instanceof ApiError && UNKNOWN_CODES.has(error.code)) return undefined
  throw error
}
