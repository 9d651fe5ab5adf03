import { digging, type ParsedInputOf } from '@dubplate/contract'
import { artistsOf } from '../catalogue/artist-credit.ts'
import { findGenre } from '../catalogue/genres.ts'
import { currentSong } from '../catalogue/merged-songs.ts'
import { normalizePhrase } from '../catalogue/words.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Pool, Sql } from '../platform/db.ts'
import { withDeadlockRetry } from '../platform/deadlock-retry.ts'

type MuteRow = Omit<digging.Mute, 'muted_at'> & { muted_at: Date }

/** Returns what a member has muted, most recent first. */
export async function listMutes(sql: Sql, customerId: number): Promise<digging.Mute[]> {
  const rows = await sql<MuteRow[]>`
    select m.mute_id, m.kind, coalesce(s.title, g.name, k.name, m.name, '') as name, s.artist, m.entity_id, m.genre_id, m.muted_at
    from mute m left join song s using (entity_id) left join genre g using (genre_id)
      left join version_kind k using (version_kind_id)
    where m.customer_id = ${customerId} order by m.muted_at desc, m.mute_id desc`
  return rows.map((row) => ({ ...row, muted_at: row.muted_at.toISOString() }))
}

/**
 * An SQL condition: whether a member has muted song `s`, or the kinds of all its published versions. A mute of “A feat. B”
 * covers the songs of both together.
 */
export const isMuted = (sql: Sql, customerId: number) => sql`(
  exists (select 1 from mute m where m.customer_id = ${customerId} and (
    m.entity_id = s.entity_id
    or exists (select 1 from song_genre sg where sg.entity_id = s.entity_id and sg.genre_id = m.genre_id)
    or m.credit_keys <@ (select array_agg(sc.credit_key) from song_credit sc
      where sc.entity_id = s.entity_id and sc.kind = m.kind)))
  or not exists (select 1 from song_version v where v.entity_id = s.entity_id and v.status = 'published'
    and not exists (select 1 from mute m where m.customer_id = ${customerId} and m.version_kind_id = v.version_kind_id)))`

/** Returns the songs that a member has not muted, in their order. */
export async function withoutMuted(sql: Sql, customerId: number, songIds: readonly number[]): Promise<number[]> {
  const rows = await sql<{ entity_id: number }[]>`
    select s.entity_id from song s
    where s.entity_id = any(${[...songIds]}::bigint[]) and ${isMuted(sql, customerId)}`
  const muted = new Set(rows.map(({ entity_id }) => entity_id))
  return songIds.filter((id) => !muted.has(id))
}

/** Returns the codes of the version kinds that a member has muted. */
export async function listMutedVersionCodes(sql: Sql, customerId: number): Promise<string[]> {
  const rows = await sql<{ version_code: string }[]>`
    select k.version_code from mute m join version_kind k using (version_kind_id) where m.customer_id = ${customerId}`
  return rows.map(({ version_code }) => version_code)
}

/**
 * Adds and removes mutes, and returns all of them. What is muted already stays. Throws `unknown_song`, `unknown_artist`,
 * `unknown_label`, `unknown_genre`, `unknown_version_type` and `too_many_mutes`.
 */
export const changeMutes = (
  pool: Pool,
  customerId: number,
  { add, remove }: ParsedInputOf<typeof digging.changeMutes>,
): Promise<digging.Mute[]> =>
  withDeadlockRetry(pool, async (sql) => {
    await sql`select 1 from customer where customer_id = ${customerId} for no key update`
    await sql`delete from mute where customer_id = ${customerId} and mute_id = any(${remove}::bigint[])`
    for (const reference of add) await addMute(sql, customerId, reference)
    return listMutes(sql, customerId)
  })

async function addMute(sql: Sql, customerId: number, reference: digging.MuteReference): Promise<void> {
  const { kind, id = 0, name } = reference
  if (kind === 'song') await muteSong(sql, customerId, await currentSong(sql, id))
  else if (kind === 'genre') await muteGenre(sql, customerId, id)
  else if (kind === 'version') await muteVersionKind(sql, customerId, name)
  else await muteName(sql, customerId, { kind, name })
  await rejectTooMany(sql, customerId)
}

/** Mutes a song, in the caller's transaction; returns false if it was muted before. Throws `unknown_song` and `too_many_mutes`. */
export async function muteSong(sql: Sql, customerId: number, entityId: number): Promise<boolean> {
  const [song] = await sql`select 1 from song where entity_id = ${entityId} and status = 'published'`
  if (!song) throw new ApiError('unknown_song', 'Song not found. It may have been unpublished.')
  const added = await sql`
    insert into mute (customer_id, kind, entity_id) values (${customerId}, 'song', ${entityId})
    on conflict do nothing returning 1`
  if (added.length > 0) await rejectTooMany(sql, customerId)
  return added.length > 0
}

/** Removes the mute of a song, in the caller's transaction. */
export async function unmuteSong(sql: Sql, customerId: number, entityId: number): Promise<void> {
  await sql`delete from mute where customer_id = ${customerId} and entity_id = ${entityId}`
}

async function muteGenre(sql: Sql, customerId: number, genreId: number): Promise<void> {
  const { genre_id } = await findGenre(sql, genreId)
  await sql`
    insert into mute (customer_id, kind, genre_id) values (${customerId}, 'genre', ${genre_id}) on conflict do nothing`
}

async function muteVersionKind(sql: Sql, customerId: number, versionCode: string): Promise<void> {
  const [kind] = await sql<{ version_kind_id: number }[]>`
    select version_kind_id from version_kind where version_code = ${versionCode}`
  if (!kind) throw new ApiError('unknown_version_type', 'This version type doesn’t exist.')
  await sql`
    insert into mute (customer_id, kind, version_kind_id) values (${customerId}, 'version', ${kind.version_kind_id})
    on conflict do nothing`
}

type MutedName = { kind: 'artist' | 'label'; name: string }

async function muteName(sql: Sql, customerId: number, { kind, name }: MutedName): Promise<void> {
  const keys = kind === 'artist' ? artistsOf(name).map(({ key }) => key) : [normalizePhrase(name)].filter(Boolean)
  if (keys.length === 0)
    throw kind === 'artist'
      ? new ApiError('unknown_artist', 'Enter the name of an artist.')
      : new ApiError('unknown_label', 'Enter the name of a label.')
  await sql`
    insert into mute (customer_id, kind, name, credit_keys)
    values (${customerId}, ${kind}, ${name}, ${[...new Set(keys)].sort()}::text[]) on conflict do nothing`
}

async function rejectTooMany(sql: Sql, customerId: number): Promise<void> {
  const [own] = await sql<{ n: number }[]>`select count(*)::int as n from mute where customer_id = ${customerId}`
  if ((own?.n ?? 0) > digging.MAX_MUTES)
    throw new ApiError(
      'too_many_mutes',
      `You’ve reached the limit of ${digging.MAX_MUTES.toLocaleString('en')} mutes. Remove some first.`,
    )
}
