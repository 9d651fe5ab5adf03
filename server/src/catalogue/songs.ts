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

type SongRow = Omit<catalogue.Song, 'image' | 'wave' | 'version' | 'created_at'> & {
  created_at: Date
  artwork: string | null
  cover_seed: number
  versions: VersionRow[] | null
}

/** Sorts the versions of a song (`v`, of a kind `k`): the usual kinds in a fixed order, then the others. */
export const versionOrder = (sql: Sql) => sql`k.position = 0, k.position, v.position, v.song_version_id`

/**
 * Complete songs, with versions and genres, in one statement.
 * @param chosen a query of (entity_id, n): which songs, in the order of n
 */
export async function songsOf(sql: Sql, chosen: PendingQuery<Row[]>, downloadLimit: number): Promise<catalogue.Song[]> {
  const rows = await sql<SongRow[]>`
    select s.entity_id, s.title, s.artist, s.min_bpm, s.max_bpm, s.song_key, s.year, s.created_at, s.song_section_id,
      s.cover_seed, s.label, coalesce(t.listens, 0) as plays, encode(a.sha256, 'hex') as artwork,
      coalesce((select json_agg(json_build_object('genre_id', g.genre_id, 'name', g.name)
          order by g.parent_id is not null, g.position, g.genre_id)
        from song_genre sg join genre g using (genre_id)
        where sg.entity_id = s.entity_id and g.kind = 'genre'), '[]') as genres,
      (select json_agg(json_build_object('song_version_id', v.song_version_id, 'version_label', v.version_label,
          'version_code', k.version_code, 'uploaded_name', v.uploaded_name, 'duration_seconds', v.duration_seconds,
          'preview_start_seconds', v.preview_start_seconds,
          'loudness_lufs', v.loudness_lufs, 'wave', v.wave, 'format', f.format, 'bytes', coalesce(f.bytes, v.recipe_bytes),
          'bpm', ${knownBpm(sql)}, 'bpm_to', v.bpm_to, 'song_key', ${knownKey(sql)},
          'content', coalesce(left(encode(p.sha256, 'hex'), 12), left(md5(v.recipe::text), 12)),
          'available', f.missing_since is null) order by ${versionOrder(sql)})
        from song_version v join version_kind k using (version_kind_id)
        left join file f using (file_id) left join preview p using (file_id)
        where v.entity_id = s.entity_id and v.status = 'published') as versions
    from (${chosen}) chosen join song s using (entity_id) left join artwork a using (artwork_id)
      left join song_total t using (entity_id)
    where s.status = 'published' order by chosen.n`
  const downloads = Array.from({ length: downloadLimit }, (_, n) => n + 1)
  return rows.map((row) => showSong(row, downloads))
}

/** Selects songs by id, in the order given. */
export const theseSongs = (sql: Sql, ids: readonly number[]): PendingQuery<Row[]> =>
  sql`select entity_id, n from unnest(${sql.array([...ids], 20)}::bigint[]) with ordinality ids (entity_id, n)`

/**
 * Every value is named here and for versions: to copy all but some takes several times as long.
 * @param downloads the numbers of the downloads that a version allows, from 1
 */
function showSong(row: SongRow, downloads: number[]): catalogue.Song {
  const { entity_id, title, artist, artwork } = row
  const versions = row.versions ?? []
  return {
    entity_id,
    title,
    artist,
    image: artwork ? storedImage(artwork) : generatedImage('song', entity_id, `${title}${artist}${row.cover_seed}`),
    min_bpm: row.min_bpm,
    max_bpm: row.max_bpm,
    song_key: row.song_key,
    year: row.year,
    created_at: row.created_at.toISOString(),
    genres: row.genres,
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
  if (rankedSongs.length === 0) return []
  const ids = rankedSongs.map((rankedSong) => rankedSong.entity_id)
  const songs = await songsOf(sql, theseSongs(sql, ids), downloadLimit)
  const rankedById = new Map(rankedSongs.map((rankedSong) => [rankedSong.entity_id, rankedSong]))
  return songs.flatMap((song) => {
    const rankedSong = rankedById.get(song.entity_id)
    return rankedSong ? [{ ...song, ...rankedSong }] : []
  })
}
