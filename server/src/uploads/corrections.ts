import type { Values as SongValues } from '../catalogue/song-values.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import type { Sources } from './value-sources.ts'

type UploadedSong = {
  upload_song_id: number
  title: string
  artist: string
  year: number
  song_key: string
  min_bpm: number
  max_bpm: number
  song_section_id: number
  genres: number[]
  sources: Sources
}

/**
 * Applies staff's corrections of a song in the pool to the uploads it came from, for values that were the same in both:
 * otherwise the member's next change would restore the old value. Values the member has changed since are not touched
 * and wait for review. Part of the caller's transaction.
 */
export async function applyCorrections(sql: Sql, entityId: number, { before, after }: CorrectedSong): Promise<void> {
  const uploadedSongs = await sql<UploadedSong[]>`
    select upload_song_id, title, artist, year, song_key, min_bpm, max_bpm, song_section_id, genres, sources
    from upload_song where entity_id = ${entityId} and deleted_at is null order by upload_song_id for update`
  for (const uploadedSong of uploadedSongs) await applyValues(sql, uploadedSong, { before, after })
  if (uploadedSongs.length > 0) await applyVersions(sql, before, after)
}

type CorrectedSong = { before: SongValues; after: SongValues }

async function applyValues(sql: Sql, uploadedSong: UploadedSong, { before, after }: CorrectedSong): Promise<void> {
  const changed = diffCorrected(uploadedSong, before, await withoutPartialTempo(sql, uploadedSong, after))
  if (after.genres && before.genres)
    await applyGenres(sql, uploadedSong, changed, { before: before.genres, after: after.genres })
  if (Object.keys(changed).length > 0) await saveUploadedSong(sql, { ...uploadedSong, ...changed })
}

/** Leaves out a tempo or key that only some versions of the upload have: it is not the one of the member's song. */
async function withoutPartialTempo(sql: Sql, { upload_song_id }: UploadedSong, after: SongValues): Promise<SongValues> {
  const { bpm, song_key, ...others } = after
  const [min, max, bpmSource] = bpm ?? [null, null, null]
  const [key, keySource] = song_key ?? [null, null]
  const [common] = await sql<{ bpm: boolean | null; song_key: boolean | null }[]>`
    select bool_and((bpm, bpm_source) is not distinct from (${min}::real, ${bpmSource}::text)) as bpm,
      bool_and((song_key, key_source) is not distinct from (${key}::text, ${keySource}::text)) as song_key
    from song_version where upload_song_id = ${upload_song_id} and status <> 'unpublished'`
  const isSongRange = min !== max && (bpmSource === 'staff' || bpmSource === 'uploader')
  return {
    ...others,
    ...(bpm && (isSongRange || (min === max && common?.bpm !== false)) ? { bpm } : {}),
    ...(song_key && common?.song_key !== false ? { song_key } : {}),
  }
}

function diffCorrected(uploadedSong: UploadedSong, before: SongValues, after: SongValues): Partial<UploadedSong> {
  const changed: Partial<UploadedSong> = {}
  const sources: Partial<Sources> = {}
  if (after.title && before.title?.[0] === uploadedSong.title) {
    changed.title = after.title[0]
    sources.title = after.title[1] ?? 'staff'
  }
  if (after.artist && before.artist?.[0] === uploadedSong.artist) {
    changed.artist = after.artist[0]
    sources.artist = after.artist[1] ?? 'staff'
  }
  // An upload needs a year, a key and a tempo: a value cleared by staff stays there.
  if (after.year && after.year[0] !== null && before.year?.[0] === uploadedSong.year) {
    changed.year = after.year[0]
    sources.year = after.year[1] ?? 'staff'
  }
  if (after.song_key && after.song_key[0] !== null && before.song_key?.[0] === uploadedSong.song_key) {
    changed.song_key = after.song_key[0]
    sources.song_key = after.song_key[1] ?? 'staff'
  }
  const [min, max, source] = after.bpm ?? [null, null, null]
  if (min !== null && max !== null && source !== null && isTempoWithin(uploadedSong, before.bpm)) {
    Object.assign(changed, { min_bpm: min, max_bpm: max })
    sources.bpm = source
  }
  if (after.song_section_id !== undefined && before.song_section_id === uploadedSong.song_section_id)
    changed.song_section_id = after.song_section_id
  if (Object.keys(sources).length > 0) changed.sources = { ...uploadedSong.sources, ...sources }
  return changed
}

/**
 * Whether a member's tempo is the one that the song had, or one of those of its versions. A range of versions has no
 * source and is never copied: it belongs to the versions.
 */
const isTempoWithin = ({ min_bpm, max_bpm }: UploadedSong, before: SongValues['bpm']): boolean =>
  before !== undefined && (before[0] ?? Infinity) <= min_bpm && max_bpm <= (before[1] ?? 0)

type Genres = NonNullable<SongValues['genres']>

/** A member chooses genres without their main genres, and no moods. */
async function applyGenres(
  sql: Sql,
  uploadedSong: UploadedSong,
  changed: Partial<UploadedSong>,
  { before, after }: { before: Genres; after: Genres },
): Promise<void> {
  const tree = await sql<{ genre_id: number; parent_id: number | null }[]>`
    select genre_id, parent_id from genre where kind = 'genre'`
  const parents = new Map(tree.map(({ genre_id, parent_id }) => [genre_id, parent_id]))
  const withParents = (ids: readonly number[]) =>
    [...new Set(ids.flatMap((id) => [id, parents.get(id) ?? id]))].filter((id) => parents.has(id)).sort((a, b) => a - b)
  if (withParents(uploadedSong.genres).join() !== withParents(before[0]).join()) return
  const genres = withParents(after[0])
  if (genres.length === 0) return
  changed.genres = genres
  changed.sources = { ...(changed.sources ?? uploadedSong.sources), genres: after[1] ?? 'staff' }
}

const saveUploadedSong = (sql: Sql, uploadedSong: UploadedSong) => sql`
  update upload_song set title = ${uploadedSong.title}, artist = ${uploadedSong.artist}, year = ${uploadedSong.year}, song_key = ${uploadedSong.song_key},
    min_bpm = ${uploadedSong.min_bpm}, max_bpm = ${uploadedSong.max_bpm}, song_section_id = ${uploadedSong.song_section_id},
    genres = ${uploadedSong.genres}::int[], sources = ${sql.json(uploadedSong.sources)}, version = version + 1
  where upload_song_id = ${uploadedSong.upload_song_id}`

async function applyVersions(sql: Sql, before: SongValues, after: SongValues): Promise<void> {
  for (const [field, value] of Object.entries(after)) {
    const [, id, what] = /^version\.(\d+)\.(name|start)$/.exec(field) ?? []
    const valueBefore = before[field as keyof SongValues]
    if (what === 'start')
      await sql`
        update upload_version set start_seconds = ${value as number}
        where song_version_id = ${Number(id)} and start_seconds = ${valueBefore as number}::real`
    if (what === 'name') {
      const [label, kindId] = value as [string, number]
      await sql`
        update upload_version v set version_label = ${label},
          version_kind_id = (select version_kind_id from version_kind where version_kind_id = ${kindId} and offered and name = ${label})
        where song_version_id = ${Number(id)} and version_label = ${(valueBefore as [string, number])[0]}
          and not exists (
            select 1 from upload_version o where o.upload_song_id = v.upload_song_id and o.version_label = ${label}
              and o.song_version_id <> v.song_version_id)`
    }
  }
}

/** An expired upload would be unpublished again immediately: it is renewed, not restored. Throws `song_expired`. */
export async function rejectExpired(sql: Sql, entityId: number, now: Date): Promise<void> {
  const [upload] = await sql<{ is_expired: boolean | null }[]>`
    select bool_and(expires_at <= ${now}) as is_expired from upload_song where entity_id = ${entityId} and deleted_at is null`
  if (!upload?.is_expired) return
  throw new ApiError('song_expired', 'This song has expired. Renew it or set a new expiry date.')
}
