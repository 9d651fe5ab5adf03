import { choosePreferredVersions, library, type ReplyOf } from '@dubplate/contract'
import { currentSong } from '../catalogue/merged-songs.ts'
import type { KeepMatching } from '../catalogue/song-filtering.ts'
import { songsOf, theseSongs, versionOrder } from '../catalogue/songs.ts'
import { getPreferredVersions } from '../membership/display.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Pool, Sql } from '../platform/db.ts'
import { withDeadlockRetry } from '../platform/deadlock-retry.ts'
import { crateSongOrder, crateVersionOrder, findCrateSort, placeBelow } from './crate-order.ts'

type CrateItem = { song_version_id: number; entity_id: number }
type CrateToggle = { songId: number; versionId: number | undefined }

/**
 * Adds a version to the crate or removes it. Without a version it adds the member's preferred versions of the song, or
 * removes all of its versions. A version joins those of its song that are in the crate, so that the song keeps its
 * position. Locks the member's row, so that two simultaneous clicks have the same result as two consecutive ones. A
 * page may still show a song by its id from before a merge. Throws `unknown_song`, `unknown_version` and `crate_full`.
 */
export async function toggleCrate(pool: Pool, customerId: number, { songId: visibleSongId, versionId }: CrateToggle) {
  return withDeadlockRetry(pool, async (sql) => {
    await sql`select 1 from customer where customer_id = ${customerId} for no key update`
    const songId = await currentSong(sql, visibleSongId)
    const versionCondition = versionId === undefined ? sql`` : sql`and song_version_id = ${versionId}`
    const removed = await sql`
      delete from crate_item where customer_id = ${customerId} and entity_id = ${songId} ${versionCondition} returning 1`
    const in_crate = removed.length === 0
    if (in_crate) {
      const requestedIds = await resolveVersions(sql, customerId, songId, versionId)
      await rejectFullCrate(sql, customerId, requestedIds.length)
      await sql`insert into crate_item (customer_id, song_version_id, entity_id, added_at, position)
        select ${customerId}, unnest(${requestedIds}::bigint[]), ${songId}, coalesce(max(added_at), now()), min(position)
        from crate_item where customer_id = ${customerId} and entity_id = ${songId}`
    }
    return { in_crate, count: await crateCount(sql, customerId) }
  })
}

type CrateChange = { song_ids: number[]; version_ids: number[]; action: 'add' | 'remove'; below: number | undefined }

/**
 * Adds or removes many songs and versions in one change. Songs are added with their preferred versions and removed with
 * all of their versions. Throws `crate_full` and then changes nothing.
 */
export async function changeCrate(pool: Pool, customerId: number, params: CrateChange) {
  return withDeadlockRetry(pool, async (sql) => {
    await sql`select 1 from customer where customer_id = ${customerId} for no key update`
    const changed =
      params.action === 'add'
        ? await addToCrate(sql, customerId, params)
        : await removeFromCrate(sql, customerId, params)
    return { changed, count: await crateCount(sql, customerId) }
  })
}

/** Adds songs with their preferred versions at the top, in the caller's transaction. Throws `crate_full`. */
export const addSongsToCrate = (sql: Sql, customerId: number, songIds: number[]): Promise<number> =>
  addToCrate(sql, customerId, { song_ids: songIds, version_ids: [], action: 'add', below: undefined })

/** Adds versions at the top, in the caller's transaction. Throws `crate_full`. */
export const addVersionsToCrate = (sql: Sql, customerId: number, versionIds: number[]): Promise<number> =>
  addToCrate(sql, customerId, { song_ids: [], version_ids: versionIds, action: 'add', below: undefined })

/** Removes versions in the caller's transaction. */
export const removeVersionsFromCrate = (sql: Sql, customerId: number, versionIds: number[]): Promise<number> =>
  removeFromCrate(sql, customerId, { song_ids: [], version_ids: versionIds, action: 'remove', below: undefined })

async function removeFromCrate(sql: Sql, customerId: number, { song_ids, version_ids }: CrateChange): Promise<number> {
  const removed = await sql`
    delete from crate_item where customer_id = ${customerId}
      and (entity_id = any(${song_ids}::bigint[]) or song_version_id = any(${version_ids}::bigint[])) returning 1`
  return removed.length
}

/**
 * Adds versions at the top in their order, or right below a song. New ones are a millisecond apart, so that others fit
 * in between.
 */
async function addToCrate(
  sql: Sql,
  customerId: number,
  { song_ids, version_ids, below }: CrateChange,
): Promise<number> {
  const inCrate = await sql<{ entity_id: number }[]>`
    select distinct entity_id from crate_item where customer_id = ${customerId} and entity_id = any(${song_ids}::bigint[])`
  const added = new Set(inCrate.map((row) => row.entity_id))
  const preferred = await findPreferredVersions(
    sql,
    customerId,
    song_ids.filter((songId) => !added.has(songId)),
  )
  const preferredIds = preferred.map((row) => row.song_version_id)
  const named = await sql<CrateItem[]>`
    select v.song_version_id, v.entity_id from song_version v join song s using (entity_id)
    where v.song_version_id = any(${version_ids}::bigint[]) and v.song_version_id <> all(${preferredIds}::bigint[])
      and v.status = 'published' and s.status = 'published'
      and not exists (select 1 from crate_item c where c.customer_id = ${customerId} and c.song_version_id = v.song_version_id)
    order by array_position(${version_ids}::bigint[], v.song_version_id)`
  const requested = [...preferred, ...named]
  await rejectFullCrate(sql, customerId, requested.length)
  const step = below ? sql`interval '1 microsecond'` : sql`interval '1 millisecond'`
  const newest = sql`(select max(added_at) from crate_item where customer_id = ${customerId})`
  // Above everything, also above what was added within the last milliseconds.
  const top = sql`greatest(now(), ${newest} + ${requested.length + 1}::int * ${step})`
  const { order } = await findCrateSort(sql, customerId)
  const start = below && order === 'newest' ? sql`coalesce(${nextPosition(sql, customerId, below)}, ${top})` : top
  const inserted = await sql<{ entity_id: number; position: number | null }[]>`
    insert into crate_item (customer_id, song_version_id, entity_id, added_at, position)
    select ${customerId}, version, song,
      ${start} - n * ${step},
      (select min(position) from crate_item i where i.customer_id = ${customerId} and i.entity_id = song)
    from unnest(${requested.map((row) => row.song_version_id)}::bigint[], ${requested.map((row) => row.entity_id)}::bigint[])
      with ordinality wanted (version, song, n) returning entity_id, position`
  const newIds = inserted.filter((row) => row.position === null).map((row) => row.entity_id)
  if (below && order === 'own' && newIds.length > 0) await placeBelow(sql, customerId, newIds, below)
  return requested.length
}

/**
 * The position right below a song in the crate: below its consecutive versions at the top, so that nothing comes
 * between them.
 */
const nextPosition = (sql: Sql, customerId: number, entityId: number) => sql`(
  with song as (select added_at from crate_item where customer_id = ${customerId} and entity_id = ${entityId})
  select min(added_at) from song where not exists (
    select 1 from crate_item other where other.customer_id = ${customerId} and other.entity_id <> ${entityId}
      and other.added_at > song.added_at and other.added_at < (select max(added_at) from song)))`

/** Returns the requested version of a song, or the preferred ones. */
async function resolveVersions(
  sql: Sql,
  customerId: number,
  songId: number,
  versionId: number | undefined,
): Promise<number[]> {
  const preferred = await findPreferredVersions(sql, customerId, [songId])
  if (preferred.length === 0) throw new ApiError('unknown_song', 'Song not found. It may have been unpublished.')
  if (versionId === undefined) return preferred.map((row) => row.song_version_id)
  const [version] = await sql`
    select 1 from song_version
    where song_version_id = ${versionId} and entity_id = ${songId} and status = 'published'`
  if (!version) throw new ApiError('unknown_version', 'Version not found. It may have been unpublished.')
  return [versionId]
}

type SongWithVersions = {
  entity_id: number
  genres: { genre_id: number }[]
  version: { song_version_id: number; version_code: string; available: boolean }[] | null
}

/** Returns the versions of songs that a member prefers, in the order of the ids; unpublished songs are left out. */
async function findPreferredVersions(sql: Sql, customerId: number, songIds: readonly number[]): Promise<CrateItem[]> {
  if (songIds.length === 0) return []
  const songs = await sql<SongWithVersions[]>`
    select s.entity_id,
      coalesce((select json_agg(json_build_object('genre_id', sg.genre_id)) from song_genre sg
        where sg.entity_id = s.entity_id), '[]') as genres,
      (select json_agg(json_build_object('song_version_id', v.song_version_id, 'version_code', k.version_code,
          'available', f.missing_since is null) order by ${versionOrder(sql)})
        from song_version v join version_kind k using (version_kind_id) left join file f using (file_id)
        where v.entity_id = s.entity_id and v.status = 'published') as version
    from (${theseSongs(sql, [...new Set(songIds)])}) chosen join song s using (entity_id)
    where s.status = 'published' order by chosen.n`
  const preference = await getPreferredVersions(sql, customerId)
  return songs.flatMap(({ entity_id, genres, version }) =>
    choosePreferredVersions({ genres, version: version ?? [] }, preference).map(({ song_version_id }) => ({
      song_version_id,
      entity_id,
    })),
  )
}

async function rejectFullCrate(sql: Sql, customerId: number, additionalCount: number): Promise<void> {
  const [crate] = await sql<
    { n: number }[]
  >`select count(*)::int as n from crate_item where customer_id = ${customerId}`
  if ((crate?.n ?? 0) + additionalCount > library.CRATE_LIMIT) {
    throw new ApiError(
      'crate_full',
      `Your crate is full (${library.CRATE_LIMIT.toLocaleString('en')} versions). Download or empty it first.`,
    )
  }
}

async function crateCount(sql: Sql, customerId: number): Promise<number> {
  const [crate] = await sql<
    { n: number }[]
  >`select count(distinct entity_id)::int as n from crate_item where customer_id = ${customerId}`
  return crate?.n ?? 0
}

/** Returns the ids in the crate, in its order, for the marks on every row. */
export async function listCrateIds(sql: Sql, customerId: number) {
  const rows = await sql<CrateItem[]>`
    select c.song_version_id, c.entity_id from crate_item c
    join song s using (entity_id) join song_version v using (song_version_id) left join crate_order o using (customer_id)
    where c.customer_id = ${customerId} and s.status = 'published' order by ${crateVersionOrder(sql)}`
  const crates = [...new Set(rows.map((row) => row.entity_id))]
  return { version: rows.map((row) => row.song_version_id), crates, count: crates.length }
}

/** Returns a page of the crate's songs, in its order, each with all of its versions. */
export async function getCratePage(
  sql: Sql,
  customerId: number,
  params: { page: number; pageLimit: number; genre_id: number | undefined },
  downloadLimit: number,
  keep?: KeepMatching,
) {
  const genreCondition = params.genre_id
    ? sql`and exists (select 1 from song_genre g where g.entity_id = c.entity_id and g.genre_id = ${params.genre_id})`
    : sql``
  const all = await sql<{ entity_id: number }[]>`
    select c.entity_id from crate_item c join song s using (entity_id) left join crate_order o using (customer_id)
    where c.customer_id = ${customerId} and s.status = 'published' ${genreCondition}
    group by c.entity_id, o.sort order by ${crateSongOrder(sql)}`
  const crateIds = all.map((row) => row.entity_id)
  const entityIds = keep ? await keep(crateIds) : crateIds
  const shown = entityIds.slice((params.page - 1) * params.pageLimit, params.page * params.pageLimit)
  const [songs, crateGenres, { order }] = await Promise.all([
    songsOf(sql, shown, downloadLimit),
    listCrateGenres(sql, customerId),
    findCrateSort(sql, customerId),
  ])
  return {
    songs,
    list: entityIds,
    order,
    crateGenres,
    pagination: { page: params.page, perPageLimit: params.pageLimit, totalCount: entityIds.length },
  }
}

const listCrateGenres = async (sql: Sql, customerId: number): Promise<{ genre_id: number; name: string }[]> =>
  sql<{ genre_id: number; name: string }[]>`
    select g.genre_id, g.name from genre g
    where g.kind = 'genre' and g.parent_id is null and exists (
      select 1 from crate_item c join song_genre sg using (entity_id) where c.customer_id = ${customerId} and sg.genre_id = g.genre_id)
    order by g.position, g.genre_id`

export async function clearCrate(sql: Sql, customerId: number): Promise<number> {
  const removed = await sql`delete from crate_item where customer_id = ${customerId} returning 1`
  return removed.length
}

/** Returns the kinds of versions and the main genres that preferred versions can be chosen for. */
export async function listVersionKinds(sql: Sql): Promise<ReplyOf<typeof library.getVersionKinds>> {
  const [versions, genres] = await Promise.all([
    sql<{ version_code: string; name: string }[]>`
      select version_code, name from version_kind k where offered order by position = 0, position, name`,
    sql<{ genre_id: number; name: string }[]>`
      select genre_id, name from genre where kind = 'genre' and parent_id is null order by position, genre_id`,
  ])
  return { versions, genres }
}
