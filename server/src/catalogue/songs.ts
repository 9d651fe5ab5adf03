import type { catalogue } from '@dubplate/contract'
import type { PendingQuery, Row } from 'postgres'
import type { Sql } from '../platform/db.ts'
import { downloadName } from './file-names.ts'
import { generatedImage, storedImage } from './images.ts'
import { knownBpm, knownKey } from './version-values.ts'

type VersionRow = {
  song_version_id: number
  version_label: string
  version_code: string
  uploaded_name: string
  duration_seconds: number
  preview_start_seconds: number
  loudness_lufs: number | null
  bytes: number | null
  wave: string
  format: 'mp3' | 'wav' | 'flac' | 'aiff' | 'm4a' | 'ogg' | 'opus' | null
  /** Twelve hex digits of the hash of the preview's content, or of the recipe. */
  content: string
  available: boolean
  bpm: number | null
  bpm_to: number | null
  song_key: string | null
}

type SongRow = Omit<catalogue.Song, 'image' | 'wave' | 'version' | 'genres'> & {
  /** As PostgreSQL writes it in JSON, with microseconds. */
  created_at: string
  artwork: string | null
  cover_seed: number
}
type OfSong<Value> = Value & { entity_id: number }
type GenreRow = catalogue.Song['genres'][number]

/** Sorts the versions of a song (`v`, of a kind `k`): the usual kinds in a fixed order, then the others. */
export const versionOrder = (sql: Sql) => sql`k.position = 0, k.position, v.position, v.song_version_id`

/**
 * Returns complete songs, with versions and genres, in the order in which the ids are given, without unpublished songs.
 *
 * The versions and genres of all songs are read together, and each list is one JSON value: looking them up for each song
 * takes PostgreSQL longer, and reading many columns takes Node longer than parsing JSON.
 */
export async function songsOf(sql: Sql, ids: readonly number[], downloadLimit: number): Promise<catalogue.Song[]> {
  if (ids.length === 0) return []
  const [read] = await sql<
    { songs: SongRow[] | null; versions: OfSong<VersionRow>[] | null; genres: OfSong<GenreRow>[] | null }[]
  >`
    select
      (select json_agg(song) from (
        select s.entity_id, s.title, s.artist, s.min_bpm, s.max_bpm, s.song_key, s.year, s.created_at, s.song_section_id,
          s.cover_seed, s.label, coalesce(t.listens, 0) as plays, encode(a.sha256, 'hex') as artwork
        from (${theseSongs(sql, ids)}) chosen join song s using (entity_id) left join artwork a using (artwork_id)
          left join song_total t using (entity_id)
        where s.status = 'published' order by chosen.n) song) as songs,
      (select json_agg(version) from (
        select v.entity_id, v.song_version_id, v.version_label, k.version_code, v.uploaded_name, v.duration_seconds,
          v.preview_start_seconds, v.loudness_lufs, v.wave, f.format, coalesce(f.bytes, v.recipe_bytes) as bytes,
          ${knownBpm(sql)} as bpm, v.bpm_to, ${knownKey(sql)} as song_key,
          coalesce(left(encode(p.sha256, 'hex'), 12), left(md5(v.recipe::text), 12)) as content,
          f.missing_since is null as available
        from song_version v join version_kind k using (version_kind_id) left join file f using (file_id)
          left join preview p using (file_id)
        where v.entity_id = any(${[...ids]}::bigint[]) and v.status = 'published'
        order by ${versionOrder(sql)}) version) as versions,
      (select json_agg(genre) from (
        select sg.entity_id, g.genre_id, g.name from song_genre sg join genre g using (genre_id)
        where sg.entity_id = any(${[...ids]}::bigint[]) and g.kind = 'genre'
        order by g.parent_id is not null, g.position, g.genre_id) genre) as genres`
  const versions = groupBySong(read?.versions ?? [])
  const genres = groupBySong(read?.genres ?? [])
  const downloads = Array.from({ length: downloadLimit }, (_, n) => n + 1)
  return (read?.songs ?? []).map((row) =>
    showSong(row, versions.get(row.entity_id) ?? [], genres.get(row.entity_id) ?? [], downloads),
  )
}

function groupBySong<Value>(rows: readonly OfSong<Value>[]): Map<number, OfSong<Value>[]> {
  const groups = new Map<number, OfSong<Value>[]>()
  for (const row of rows) {
    const group = groups.get(row.entity_id)
    if (group) group.push(row)
    else groups.set(row.entity_id, [row])
  }
  return groups
}

/** Selects songs by id, in the order given. */
export const theseSongs = (sql: Sql, ids: readonly number[]): PendingQuery<Row[]> =>
  sql`select entity_id, n from unnest(${sql.array([...ids], 20)}::bigint[]) with ordinality ids (entity_id, n)`

/**
 * Every value is named here and for versions: to copy all but some takes several times as long.
 * @param downloads the numbers of the downloads that a version allows, from 1
 */
function showSong(
  row: SongRow,
  versions: readonly VersionRow[],
  genres: readonly GenreRow[],
  downloads: number[],
): catalogue.Song {
  const { entity_id, title, artist, artwork } = row
  return {
    entity_id,
    title,
    artist,
    image: artwork ? storedImage(artwork) : generatedImage('song', entity_id, `${title}${artist}${row.cover_seed}`),
    min_bpm: row.min_bpm,
    max_bpm: row.max_bpm,
    song_key: row.song_key,
    year: row.year,
    created_at: new Date(row.created_at).toISOString(),
    genres: genres.map(({ genre_id, name }) => ({ genre_id, name })),
    song_section_id: row.song_section_id,
    label: row.label,
    plays: row.plays,
    wave: versions[0]?.wave ?? '',
    version: versions.map((version) => showVersion(row, version, downloads)),
  }
}

function showVersion({ artist, title }: SongRow, row: VersionRow, download: number[]): catalogue.Version {
  const { song_version_id, version_label, format } = row
  const address = `${song_version_id}-${row.content}`
  const name = downloadName({ artist, title, version_label, format: format ?? 'mp3' })
  return {
    song_version_id,
    version_label,
    version_code: row.version_code,
    mp3: `/previews/${address}.mp3`,
    peaks: `/peaks/${address}.bin`,
    download,
    file_name: name,
    uploaded_mp3_name: row.uploaded_name || name,
    duration_seconds: row.duration_seconds,
    preview_start_seconds: row.preview_start_seconds,
    loudness_lufs: row.loudness_lufs,
    bytes: row.bytes,
    available: row.available,
    bpm: row.bpm,
    bpm_to: row.bpm_to,
    song_key: row.song_key,
  }
}

/**
 * Returns the complete songs at these ranks in order, each with the data of its rank; unpublished songs are left out.
 */
export async function readRankedSongs<Place extends { entity_id: number }>(
  sql: Sql,
  rankedSongs: readonly Place[],
  downloadLimit: number,
): Promise<(catalogue.Song & Place)[]> {
  const ids = rankedSongs.map((rankedSong) => rankedSong.entity_id)
  const songs = await songsOf(sql, ids, downloadLimit)
  const rankedById = new Map(rankedSongs.map((rankedSong) => [rankedSong.entity_id, rankedSong]))
  return songs.flatMap((song) => {
    const rankedSong = rankedById.get(song.entity_id)
    return rankedSong ? [{ ...song, ...rankedSong }] : []
  })
}
