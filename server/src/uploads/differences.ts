import type { review } from '@dubplate/contract'
import { formatDuration } from '../imports/skipped-files.ts'
import type { Sql } from '../platform/db.ts'
import { tempoAfterPublication } from './published-tempo.ts'

type SongSide = {
  title: string
  artist: string
  year: number | null
  song_key: string | null
  min_bpm: number | null
  max_bpm: number | null
  song_section_id: number
  genres: string
}

type UploadedSide = SongSide & Parameters<typeof tempoAfterPublication>[1]

type VersionSide = {
  song_version_id: number
  before_label: string | null
  after_label: string | null
  before_file: number | null
  after_file: number | null
  before_start: number | null
  after_start: number | null
  after_name: string | null
}

/**
 * Returns what publishing a song would change in the pool, one entry for each value; all values if the song is not in
 * the pool. Genres are compared as the uploader chooses them, without the main genres of chosen sub-genres.
 */
export async function findDifferences(sql: Sql, uploadSongId: number): Promise<review.Difference[]> {
  const [uploaded] = await sql<UploadedSide[]>`
    select upload_song_id, entity_id, title, artist, year, song_key, min_bpm, max_bpm, song_section_id, sources,
      (select string_agg(name, ', ' order by name) from (
        select g.name from genre g where g.genre_id = any(s.genres)
        union select above.name from genre g join genre above on above.genre_id = g.parent_id where g.genre_id = any(s.genres)
      ) chosen) as genres
    from upload_song s where upload_song_id = ${uploadSongId}`
  if (!uploaded) return []
  const after: SongSide & { entity_id: number | null } =
    uploaded.entity_id === null ? uploaded : { ...uploaded, ...(await tempoAfterPublication(sql, uploaded)) }
  const [before] =
    after.entity_id === null
      ? []
      : await sql<SongSide[]>`
        select title, artist, year, song_key, min_bpm, max_bpm, song_section_id,
          (select string_agg(g.name, ', ' order by g.name) from song_genre sg join genre g using (genre_id)
            where sg.entity_id = p.entity_id and g.kind = 'genre') as genres
        from song p where entity_id = ${after.entity_id}`
  const versions = await sql<VersionSide[]>`
    select coalesce(now_in.song_version_id, then_in.song_version_id) as song_version_id,
      now_in.version_label as before_label, then_in.version_label as after_label, now_in.file_id as before_file,
      then_in.file_id as after_file, now_in.preview_start_seconds as before_start, then_in.start_seconds as after_start,
      then_in.name as after_name
    from (
      select song_version_id, version_label, file_id, preview_start_seconds from song_version
      where entity_id = ${after.entity_id} and upload_song_id = ${uploadSongId} and status = 'published') now_in
    full join (
      select v.song_version_id, v.version_label, u.file_id, v.start_seconds, u.name
      from upload_version v join upload u using (upload_id) where v.upload_song_id = ${uploadSongId}) then_in
      using (song_version_id)
    order by 1`
  return [...valueDifferences(before, after), ...versions.flatMap(versionDifferences)]
}

const SECTION: Record<number, string> = { 1: 'Songs', 2: 'Kuts' }

const formatTempo = ({ min_bpm, max_bpm }: SongSide): string | null =>
  min_bpm === null ? null : min_bpm === max_bpm ? String(min_bpm) : `${min_bpm}–${max_bpm}`

function valueDifferences(before: SongSide | undefined, after: SongSide): review.Difference[] {
  const lines = (songSide: SongSide | undefined): [field: string, value: string | null][] => [
    ['Title', songSide?.title ?? null],
    ['Artist', songSide?.artist ?? null],
    ['Year', songSide?.year?.toString() ?? null],
    ['Key', songSide?.song_key ?? null],
    ['BPM', songSide ? formatTempo(songSide) : null],
    ['Genres', songSide?.genres ?? null],
    ['Section', songSide ? (SECTION[songSide.song_section_id] ?? null) : null],
  ]
  const beforeLines = lines(before)
  return lines(after)
    .map(([field, value], n) => ({ field, before: beforeLines[n]?.[1] ?? null, after: value }))
    .filter((line) => line.before !== line.after)
}

function versionDifferences(songSide: VersionSide): review.Difference[] {
  const { before_label, after_label } = songSide
  if (after_label === null) return [{ field: 'Version', before: before_label, after: null }]
  if (before_label === null) return [{ field: 'Version', before: null, after: after_label }]
  const results: review.Difference[] = []
  if (before_label !== after_label) results.push({ field: 'Version', before: before_label, after: after_label })
  if (songSide.before_file !== songSide.after_file)
    results.push({ field: `File for ${after_label}`, before: 'published file', after: songSide.after_name })
  if (songSide.before_start !== songSide.after_start) {
    const [before, after] = [formatDuration(songSide.before_start ?? 0), formatDuration(songSide.after_start ?? 0)]
    results.push({ field: `Preview start for ${after_label}`, before, after })
  }
  return results
}
