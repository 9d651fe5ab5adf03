import { camelotOrder, parseKey } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { findSong } from './artist-credit.ts'
import { indexSong } from './search-index.ts'
import type { Origins } from './value-sources.ts'
import type { VersionTempo } from './version-tempo.ts'
import { identityOf, wordsOf } from './words.ts'

/** The source of a value. */
export type Source = 'tag' | 'name' | 'analysis' | 'uploader' | 'staff'

export type NewSong = {
  title: string
  artist: string
  album?: string
  label?: string
  isrc?: string
  remixer?: string
  min_bpm?: number | null
  max_bpm?: number | null
  bpm_source?: Source | null
  song_key?: string | null
  key_source?: Source | null
  year?: number | null
  song_section_id?: number
  artwork_id?: number | null
  cover_seed?: number
  created_at?: Date
  genreIds?: readonly number[]
  /** The sources of values that have no source column of their own. */
  origins?: Origins
}

export type NewVersion = {
  label: string
  position?: number
  file_id?: number
  recipe?: unknown
  recipe_bytes?: number
  duration_seconds: number
  loudness_lufs?: number | null
  wave?: string
  uploaded_name?: string
  /** The tags of its file. */
  tag?: object
  created_at?: Date
  /** Without it, a version has the tempo and key of its song. */
  tempo?: Omit<VersionTempo, 'bpm_confidence' | 'key_confidence'>
}

/**
 * Returns the song with these artists, title and remix: the existing one, the one it was merged into, or a new one.
 * Part of the caller's transaction; the caller adds versions and then calls `listSong` once. Its tempo and key are those
 * of the song until `refreshTempoAndKey` derives them from its versions.
 */
export async function findOrAddSong(sql: Sql, song: NewSong): Promise<{ entity_id: number; added: boolean }> {
  const identity = identityOf(song)
  const section = song.song_section_id ?? 1
  const existing = await findSong(sql, section, song)
  if (existing !== undefined) return { entity_id: existing, added: false }
  const key = song.song_key ? parseKey(song.song_key) : undefined
  const [added] = await sql<{ entity_id: number }[]>`
    insert into song (title, artist, album, label, isrc, remixer, min_bpm, max_bpm, bpm_source, song_key, key_position, key_source,
      year, song_section_id, artwork_id, cover_seed, song_identity, origins, created_at)
    values (${song.title}, ${song.artist}, ${song.album ?? ''}, ${song.label ?? ''}, ${song.isrc ?? ''}, ${song.remixer ?? ''},
      ${song.min_bpm ?? null}, ${song.max_bpm ?? song.min_bpm ?? null}, ${song.bpm_source ?? null}, ${key ?? null},
      ${key ? camelotOrder(key) : null}, ${song.key_source ?? null}, ${song.year ?? null}, ${section}, ${song.artwork_id ?? null},
      ${song.cover_seed ?? 0}, ${identity}, ${sql.json(song.origins ?? {})}, ${song.created_at ?? sql`now()`})
    on conflict (song_section_id, song_identity) do nothing returning entity_id`
  if (added) return { entity_id: added.entity_id, added: true }
  const [found] = await sql<{ entity_id: number }[]>`
    select entity_id from song where song_section_id = ${section} and song_identity = ${identity}`
  if (!found) throw new Error(`Song ${identity} disappeared during lookup`)
  return { entity_id: found.entity_id, added: false }
}

/** Adds a version after the existing ones of a song. Its kind (Clean, Intro Dirty …) is created if it is new. */
export async function addVersion(sql: Sql, entityId: number, version: NewVersion): Promise<number> {
  const kindId = await versionKind(sql, version.label, { offered: true })
  const tempo = version.tempo ?? (await tempoOfSong(sql, entityId))
  const [added] = await sql<{ song_version_id: number }[]>`
    insert into song_version (entity_id, version_kind_id, version_label, position, file_id, recipe, recipe_bytes, duration_seconds,
      loudness_lufs, wave, uploaded_name, tag, created_at, bpm, bpm_to, bpm_source, song_key, key_source)
    values (${entityId}, ${kindId}, ${version.label}, ${version.position ?? 0}, ${version.file_id ?? null},
      ${version.recipe === undefined ? null : sql.json(version.recipe as never)}, ${version.recipe_bytes ?? null},
      ${version.duration_seconds}, ${version.loudness_lufs ?? null}, ${version.wave ?? ''}, ${version.uploaded_name ?? ''},
      ${sql.json((version.tag ?? {}) as never)}, ${version.created_at ?? sql`now()`}, ${tempo.bpm}, ${tempo.bpm_to},
      ${tempo.bpm_source}, ${tempo.song_key}, ${tempo.key_source})
    returning song_version_id`
  if (!added) throw new Error('Version insert returned no id')
  return added.song_version_id
}

/** Sets the name and the tags of the file that a version's values come from. */
export const replaceSource = (sql: Sql, versionId: number, source: { uploaded_name: string; tag: object }) => sql`
  update song_version set uploaded_name = ${source.uploaded_name}, tag = ${sql.json(source.tag as never)}
  where song_version_id = ${versionId}`

async function tempoOfSong(sql: Sql, entityId: number): Promise<NonNullable<NewVersion['tempo']>> {
  const [song] = await sql<NonNullable<NewVersion['tempo']>[]>`
    select min_bpm as bpm, nullif(max_bpm, min_bpm) as bpm_to, bpm_source, song_key, key_source
    from song where entity_id = ${entityId}`
  return song ?? { bpm: null, bpm_to: null, bpm_source: null, song_key: null, key_source: null }
}

/** "Intro Clean" → "intro_clean". */
export const versionCode = (label: string): string => wordsOf(label).join('_') || 'original'

/**
 * Returns the kind of version with this name, created if it is new; `offered` says whether others may then choose it.
 */
export async function versionKind(sql: Sql, label: string, { offered }: { offered: boolean }): Promise<number> {
  const code = versionCode(label)
  await sql`insert into version_kind (version_code, name, offered) values (${code}, ${label}, ${offered})
    on conflict do nothing`
  const [kind] = await sql<
    { version_kind_id: number }[]
  >`select version_kind_id from version_kind where version_code = ${code}`
  if (!kind) throw new Error(`The version type "${label}" has the name of another type`)
  return kind.version_kind_id
}

/**
 * Lists a song under genres (and their main genres), updates their counts, and adds it to the search index. Call it
 * once all versions are added, in the same transaction.
 */
export async function listSong(sql: Sql, entityId: number, genreIds: readonly number[]): Promise<void> {
  const listed = await sql<{ genre_id: number; listed_section: number }[]>`
    insert into song_genre (entity_id, genre_id, listed_section, year, min_bpm, max_bpm)
    select distinct ${entityId}::bigint, up.genre_id, s.song_section_id, s.year, s.min_bpm, s.max_bpm
    from genre g cross join lateral (values (g.genre_id), (g.parent_id)) up (genre_id) cross join song s
    where g.genre_id = any(${[...genreIds]}::int[]) and up.genre_id is not null and s.entity_id = ${entityId}
    order by up.genre_id
    on conflict do nothing returning genre_id, listed_section`
  for (const { genre_id, listed_section } of listed) await countListed(sql, genre_id, listed_section)
  await indexSong(sql, entityId)
}

/** Adds a new song to the counts of its section. */
export async function countNewSong(sql: Sql, section: number): Promise<void> {
  await countListed(sql, 0, section)
}

export const countListed = async (sql: Sql, genreId: number, section: number): Promise<void> => {
  await sql`insert into genre_counter (genre_id, song_section_id, songs) values (${genreId}, ${section}, 1)
    on conflict (genre_id, song_section_id) do update set songs = genre_counter.songs + 1`
}

/** Returns the genre with this name or former name, at any level; creates a main genre if there is none. */
export async function findOrAddGenre(sql: Sql, name: string): Promise<number> {
  const [found] = await sql<{ genre_id: number }[]>`
    select genre_id from (
      select genre_id, name, false as once, parent_id from genre where kind = 'genre'
      union all select genre_id, f.name, true, parent_id from genre_alias f join genre using (genre_id) where kind = 'genre') named
    where lower(name) = lower(${name}) order by once, parent_id nulls first limit 1`
  if (found) return found.genre_id
  const [added] = await sql<{ genre_id: number }[]>`
    insert into genre (genre_id, name, position)
    select greatest(max(genre_id), (select max(former_id) from genre_alias), 1000) + 1, ${name}, 1000 from genre
    on conflict do nothing returning genre_id`
  return added ? added.genre_id : findOrAddGenre(sql, name)
}
