import type { ReplyOf, settings, songDetails } from '@dubplate/contract'
import { isVisible } from '../curation/visibility.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'

type SongDetails = ReplyOf<typeof songDetails.getSongDetails>
type SongRow = { label: string; album: string; isrc: string; remixer: string; song_section_id: number }

/** Who asks: the caller’s own playlists are included, sections that an admin has hidden are not. */
type Viewer = { hidden: ReadonlySet<settings.Section>; customer_id: number | undefined }

const MAX_APPEARANCES = 24

/** Reads what the page of a song shows in addition to its row. Throws `unknown_song`. */
export async function findSongDetails(sql: Sql, entityId: number, viewer: Viewer): Promise<SongDetails> {
  const [song] = await sql<SongRow[]>`
    select label, album, isrc, remixer, song_section_id from song where entity_id = ${entityId} and status = 'published'`
  if (!song) throw new ApiError('unknown_song', 'Song not found. It may have been unpublished.')
  const [versions, appearances] = await Promise.all([
    listVersionFiles(sql, entityId),
    listAppearances(sql, entityId, { ...viewer, song_section_id: song.song_section_id }),
  ])
  return {
    label: song.label || null,
    album: song.album || null,
    isrc: song.isrc || null,
    remixer: song.remixer || null,
    versions,
    appearances,
  }
}

const listVersionFiles = (sql: Sql, entityId: number): Promise<songDetails.VersionFile[]> =>
  sql<songDetails.VersionFile[]>`
    select v.song_version_id, v.wave, f.format,
      case when f.missing_since is null then coalesce(f.bytes, v.recipe_bytes) end::float8 as bytes
    from song_version v left join file f using (file_id)
    where v.entity_id = ${entityId} and v.status = 'published' order by v.position, v.song_version_id`

async function listAppearances(
  sql: Sql,
  entityId: number,
  { hidden, customer_id = 0, song_section_id }: Viewer & { song_section_id: number },
): Promise<songDetails.Appearance[]> {
  const [charts, top20s, spotlights, playlists] = await Promise.all([
    hidden.has('charts')
      ? []
      : sql<songDetails.Appearance[]>`
        select 'chart' as kind, chart as chart_type, rank from chart_snapshot
        where chart in ('daily', 'weekly', 'monthly') and genre_id = 0 and song_section_id = ${song_section_id}
          and entity_id = ${entityId}
        order by array_position(array['daily', 'weekly', 'monthly'], chart)`,
    hidden.has('top20')
      ? []
      : sql<songDetails.Appearance[]>`
        select 'top20' as kind, top20_track_id as id, title, rank from top20_song join top20 using (top20_track_id)
        where entity_id = ${entityId} and ${isVisible(sql)}
        order by published_at desc, top20_track_id desc limit ${MAX_APPEARANCES}`,
    hidden.has('spotlights')
      ? []
      : sql<songDetails.Appearance[]>`
        select 'spotlight' as kind, curated_list_id as id, title
        from curated_list_song join curated_list using (curated_list_id)
        where entity_id = ${entityId} and ${isVisible(sql)}
        order by published_at desc, curated_list_id desc limit ${MAX_APPEARANCES}`,
    // Only members can open playlists.
    customer_id === 0
      ? []
      : sql<songDetails.Appearance[]>`
        select 'playlist' as kind, playlist_id as id, title from playlist_song join playlist using (playlist_id)
        where entity_id = ${entityId} and deleted_at is null and (public or customer_id = ${customer_id})
        order by customer_id = ${customer_id} desc, changed_at desc, playlist_id desc limit ${MAX_APPEARANCES}`,
  ])
  return [...charts, ...top20s, ...spotlights, ...playlists].slice(0, MAX_APPEARANCES)
}
