import type { Values as SongValues } from '../catalogue/song-values.ts'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Sources } from './value-sources.ts'

type Own = {
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
 * Brings what staff corrected of a song in the pool into the members' songs it came from, wherever that says what the pool
 * said: or the next change of the member would put the old value back. What the member has changed meanwhile stays, and
 * waits for review. Part of the caller's transaction.
 */
export async function carryCorrections(sql: Sql, entityId: number, { before, after }: Corrected): Promise<void> {
  const owns = await sql<Own[]>`
    select upload_song_id, title, artist, year, song_key, min_bpm, max_bpm, song_section_id, genres, sources
    from upload_song where entity_id = ${entityId} and deleted_at is null order by upload_song_id for update`
  for (const own of owns) await carryValues(sql, own, { before, after })
  if (owns.length > 0) await carryVersions(sql, before, after)
}

type Corrected = { before: SongValues; after: SongValues }

async function carryValues(sql: Sql, own: Own, { before, after }: Corrected): Promise<void> {
  const changed = correctedOf(own, before, after)
  if (after.genres && before.genres)
    await carryGenres(sql, own, changed, { before: before.genres, after: after.genres })
  if (Object.keys(changed).length > 0) await writeOwn(sql, { ...own, ...changed })
}

function correctedOf(own: Own, before: SongValues, after: SongValues): Partial<Own> {
  const changed: Partial<Own> = {}
  const sources: Partial<Sources> = {}
  if (after.title && before.title?.[0] === own.title) {
    changed.title = after.title[0]
    sources.title = after.title[1] ?? 'staff'
  }
  if (after.artist && before.artist?.[0] === own.artist) {
    changed.artist = after.artist[0]
    sources.artist = after.artist[1] ?? 'staff'
  }
  // A member's song has a year, a key and a tempo: one that staff took away stays there.
  if (after.year && after.year[0] !== null && before.year?.[0] === own.year) {
    changed.year = after.year[0]
    sources.year = after.year[1] ?? 'staff'
  }
  if (after.song_key && after.song_key[0] !== null && before.song_key?.[0] === own.song_key) {
    changed.song_key = after.song_key[0]
    sources.song_key = after.song_key[1] ?? 'staff'
  }
  const [min, max, source] = after.bpm ?? [null, null, null]
  if (min !== null && max !== null && before.bpm?.[0] === own.min_bpm && before.bpm[1] === own.max_bpm) {
    Object.assign(changed, { min_bpm: min, max_bpm: max })
    sources.bpm = source ?? 'staff'
  }
  if (after.song_section_id !== undefined && before.song_section_id === own.song_section_id)
    changed.song_section_id = after.song_section_id
  if (Object.keys(sources).length > 0) changed.sources = { ...own.sources, ...sources }
  return changed
}

type Genres = NonNullable<SongValues['genres']>

/** A member chooses genres without the main ones above them, and no moods. */
async function carryGenres(
  sql: Sql,
  own: Own,
  changed: Partial<Own>,
  { before, after }: { before: Genres; after: Genres },
): Promise<void> {
  const tree = await sql<{ genre_id: number; parent_id: number | null }[]>`
    select genre_id, parent_id from genre where kind = 'genre'`
  const parents = new Map(tree.map(({ genre_id, parent_id }) => [genre_id, parent_id]))
  const whole = (ids: readonly number[]) =>
    [...new Set(ids.flatMap((id) => [id, parents.get(id) ?? id]))].filter((id) => parents.has(id)).sort((a, b) => a - b)
  if (whole(own.genres).join() !== whole(before[0]).join()) return
  const genres = whole(after[0])
  if (genres.length === 0) return
  changed.genres = genres
  changed.sources = { ...(changed.sources ?? own.sources), genres: after[1] ?? 'staff' }
}

const writeOwn = (sql: Sql, own: Own) => sql`
  update upload_song set title = ${own.title}, artist = ${own.artist}, year = ${own.year}, song_key = ${own.song_key},
    min_bpm = ${own.min_bpm}, max_bpm = ${own.max_bpm}, song_section_id = ${own.song_section_id},
    genres = ${own.genres}::int[], sources = ${sql.json(own.sources)}, version = version + 1
  where upload_song_id = ${own.upload_song_id}`

async function carryVersions(sql: Sql, before: SongValues, after: SongValues): Promise<void> {
  for (const [field, value] of Object.entries(after)) {
    const [, id, what] = /^version\.(\d+)\.(name|start)$/.exec(field) ?? []
    const was = before[field as keyof SongValues]
    if (what === 'start')
      await sql`
        update upload_version set start_seconds = ${value as number}
        where song_version_id = ${Number(id)} and start_seconds = ${was as number}::real`
    if (what === 'name') {
      const [label, kindId] = value as [string, number]
      await sql`
        update upload_version v set version_label = ${label},
          version_kind_id = (select version_kind_id from version_kind where version_kind_id = ${kindId} and offered and name = ${label})
        where song_version_id = ${Number(id)} and version_label = ${(was as [string, number])[0]}
          and not exists (
            select 1 from upload_version o where o.upload_song_id = v.upload_song_id and o.version_label = ${label}
              and o.song_version_id <> v.song_version_id)`
    }
  }
}

/**
 * A member's song whose days are over would leave again at once: it is renewed, not restored. Refuses `song_expired`.
 */
export async function refuseExpired(sql: Sql, entityId: number, now: Date): Promise<void> {
  const [upload] = await sql<{ is_over: boolean | null }[]>`
    select bool_and(expires_at <= ${now}) as is_over from upload_song where entity_id = ${entityId} and deleted_at is null`
  if (!upload?.is_over) return
  throw new Refusal('song_expired', 'This song has expired. Renew it or set a new expiry date.')
}
