import type { charts, ReplyOf, songDetails } from '@dubplate/contract'
import { type QualityFacts, sealOf } from '../analysis/quality-seal.ts'
import { isVisible } from '../curation/visibility.ts'
import { listOfferedFormats } from '../downloads/conversions.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import type { Settings } from '../platform/settings.ts'
import { listComparisons } from './comparisons.ts'

type SongDetails = ReplyOf<typeof songDetails.getSongDetails>
type SongRow = { label: string; album: string; isrc: string; remixer: string; song_section_id: number }

/** Who asks: the caller’s own playlists are included, sections that an admin has hidden are not. */
type Viewer = Pick<Settings, 'hidden' | 'conversions'> & { customer_id: number | undefined }

const MAX_APPEARANCES = 24

/** Reads what the page of a song shows in addition to its row. Throws `unknown_song`. */
export async function findSongDetails(sql: Sql, entityId: number, viewer: Viewer): Promise<SongDetails> {
  const [song] = await sql<SongRow[]>`
    select label, album, isrc, remixer, song_section_id from song where entity_id = ${entityId} and status = 'published'`
  if (!song) throw new ApiError('unknown_song', 'Song not found. It may have been unpublished.')
  const [versions, comparisons, appearances] = await Promise.all([
    listVersionFiles(sql, entityId, viewer),
    listComparisons(sql, entityId, 'published'),
    listAppearances(sql, entityId, { ...viewer, song_section_id: song.song_section_id }),
  ])
  return {
    label: song.label || null,
    album: song.album || null,
    isrc: song.isrc || null,
    remixer: song.remixer || null,
    versions,
    comparisons,
    appearances,
  }
}

type VersionFileRow = Omit<songDetails.VersionFile, 'seal' | 'format' | 'conversions'> &
  Omit<QualityFacts, 'format'> & { format: songDetails.VersionFile['format'] }

async function listVersionFiles(
  sql: Sql,
  entityId: number,
  settings: Pick<Settings, 'conversions'>,
): Promise<songDetails.VersionFile[]> {
  const rows = await sql<VersionFileRow[]>`
    select v.song_version_id, v.wave, f.format,
      case when f.missing_since is null then coalesce(f.bytes, v.recipe_bytes) end::float8 as bytes,
      a.analyser_version, a.bitrate_kbps, a.sample_rate, a.bit_depth, a.faults
    from song_version v left join file f using (file_id) left join analysis a using (file_id)
    where v.entity_id = ${entityId} and v.status = 'published' order by v.position, v.song_version_id`
  const offered = await listOfferedFormats(
    { sql, settings },
    rows.map(({ song_version_id }) => song_version_id),
  )
  return rows.map(({ song_version_id, wave, bytes, ...facts }) => ({
    ...{ song_version_id, wave, bytes, format: facts.format, seal: sealOf(facts) },
    conversions: offered.get(song_version_id) ?? [],
  }))
}

type ChartRow = { chart_type: (typeof charts.CHART_TYPES)[number]; rank: number }
type ListRow = { id: number; title: string }

const listCharts = (sql: Sql, entityId: number, section: number): Promise<ChartRow[]> => sql<ChartRow[]>`
  select chart as chart_type, rank from chart_snapshot
  where chart in ('daily', 'weekly', 'monthly') and genre_id = 0 and song_section_id = ${section}
    and entity_id = ${entityId}
  order by array_position(array['daily', 'weekly', 'monthly'], chart)`

const listTop20s = (sql: Sql, entityId: number): Promise<(ListRow & { rank: number })[]> =>
  sql<(ListRow & { rank: number })[]>`
    select top20_track_id as id, title, rank from top20_song join top20 using (top20_track_id)
    where entity_id = ${entityId} and ${isVisible(sql)}
    order by published_at desc, top20_track_id desc limit ${MAX_APPEARANCES}`

const listSpotlights = (sql: Sql, entityId: number): Promise<ListRow[]> => sql<ListRow[]>`
  select curated_list_id as id, title from curated_list_song join curated_list using (curated_list_id)
  where entity_id = ${entityId} and ${isVisible(sql)}
  order by published_at desc, curated_list_id desc limit ${MAX_APPEARANCES}`

/** Public playlists and those of the member, their own first. */
const listPlaylists = (sql: Sql, entityId: number, customerId: number): Promise<ListRow[]> => sql<ListRow[]>`
  select playlist_id as id, title from playlist_song join playlist using (playlist_id)
  where entity_id = ${entityId} and deleted_at is null and (public or customer_id = ${customerId})
  order by customer_id = ${customerId} desc, changed_at desc, playlist_id desc limit ${MAX_APPEARANCES}`

async function listAppearances(
  sql: Sql,
  entityId: number,
  { hidden, customer_id = 0, song_section_id }: Viewer & { song_section_id: number },
): Promise<songDetails.Appearance[]> {
  const [charted, top20s, spotlights, playlists] = await Promise.all([
    hidden.has('charts') ? [] : listCharts(sql, entityId, song_section_id),
    hidden.has('top20') ? [] : listTop20s(sql, entityId),
    hidden.has('spotlights') ? [] : listSpotlights(sql, entityId),
    // Only members can open playlists.
    customer_id === 0 ? [] : listPlaylists(sql, entityId, customer_id),
  ])
  const appearances: songDetails.Appearance[] = [
    ...charted.map((row) => ({ kind: 'chart' as const, ...row })),
    ...top20s.map((row) => ({ kind: 'top20' as const, ...row })),
    ...spotlights.map((row) => ({ kind: 'spotlight' as const, ...row })),
    ...playlists.map((row) => ({ kind: 'playlist' as const, ...row })),
  ]
  return appearances.slice(0, MAX_APPEARANCES)
}
