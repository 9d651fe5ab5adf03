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
  return rows.map((row) => showSong(row, downloadLimit))
}

/** Selects songs by id, in the order given. */
export const theseSongs = (sql: Sql, ids: readonly number[]): PendingQuery<Row[]> =>
  sql`select entity_id, n from unnest(${sql.array([...ids], 20)}::bigint[]) with ordinality ids (entity_id, n)`

function showSong(row: SongRow, downloadLimit: number): catalogue.Song {
  const { artwork, cover_seed, versions, created_at, ...song } = row
  const shown = versions ?? []
  return {
    ...song,
    created_at: created_at.toISOString(),
    image: artwork
      ? storedImage(artwork)
      : generatedImage('song', row.entity_id, `${row.title}${row.artist}${cover_seed}`),
    wave: shown[0]?.wave ?? '',
    version: shown.map((version) => showVersion(row, version, downloadLimit)),
  }
}

function showVersion(song: SongRow, row: VersionRow, downloadLimit: number): catalogue.Version {
  const { content, wave: _wave, format, uploaded_name, ...version } = row
  const address = `${row.song_version_id}-${content}`
  const name = downloadName({
    artist: song.artist,
    title: song.title,
    version_label: row.version_label,
    format: format ?? 'mp3',
  })
  return {
    ...version,
    mp3: `/previews/${address}.mp3`,
    peaks: `/peaks/${address}.bin`,
    download: Array.from({ length: downloadLimit }, (_, n) => n + 1),
    file_name: name,
    uploaded_mp3_name: uploaded_name || name,
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
