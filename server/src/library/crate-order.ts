import type { library } from '@dubplate/contract'
import { versionOrder } from '../catalogue/songs.ts'
import { knownBpm, knownKey } from '../catalogue/version-values.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Pool, Sql } from '../platform/db.ts'
import { withDeadlockRetry } from '../platform/deadlock-retry.ts'
import { arrangeSet } from './set-arranging.ts'

/**
 * The order of the versions in a crate, of crate items `c` with their versions `v`, left joined with `crate_order o`. In
 * the member's own order, new songs come first and the versions of a song are together.
 */
export const crateVersionOrder = (sql: Sql) => sql`
  case when o.sort = 'own' then min(c.position) over (partition by c.entity_id) end nulls first,
  case when o.sort = 'own' then max(c.added_at) over (partition by c.entity_id) else c.added_at end desc,
  c.entity_id desc, v.position, c.song_version_id`

/** The order of the songs in a crate, of crate items `c` grouped by song and by the sort of `crate_order o`. */
export const crateSongOrder = (sql: Sql) =>
  sql`case when o.sort = 'own' then min(c.position) end nulls first, max(c.added_at) desc, c.entity_id desc`

/** Returns how the crate is ordered, and how often its order was changed. */
export async function findCrateSort(sql: Sql, customerId: number) {
  const [row] = await sql<{ sort: library.CrateOrder; revision: number }[]>`
    select sort, revision from crate_order where customer_id = ${customerId}`
  return { order: row?.sort ?? 'newest', revision: row?.revision ?? 0 }
}

/** A song in the crate; an unpublished one is hidden. */
type OrderedSong = { entity_id: number; is_shown: boolean }

const readSongs = async (sql: Sql, customerId: number, order: library.CrateOrder): Promise<OrderedSong[]> =>
  sql<OrderedSong[]>`
    select c.entity_id, s.status = 'published' as is_shown
    from crate_item c join song s using (entity_id) cross join (select ${order}::text as sort) o
    where c.customer_id = ${customerId} group by c.entity_id, s.status, o.sort order by ${crateSongOrder(sql)}`

const shownIds = (songs: readonly OrderedSong[]): number[] =>
  songs.filter(({ is_shown }) => is_shown).map(({ entity_id }) => entity_id)

/** Saves the own order of a crate whose member is locked, and how the crate is ordered. */
async function saveOrder(
  sql: Sql,
  customerId: number,
  { order, songs }: { order: library.CrateOrder; songs?: readonly OrderedSong[] },
): Promise<library.OrderedCrate> {
  const ids = songs?.map(({ entity_id }) => entity_id)
  if (ids)
    await sql`
      update crate_item c set position = n
      from unnest(${ids}::bigint[]) with ordinality songs (entity_id, n)
      where c.customer_id = ${customerId} and c.entity_id = songs.entity_id and c.position is distinct from n`
  await sql`
    insert into crate_order (customer_id, sort, revision) values (${customerId}, ${order}, 1)
    on conflict (customer_id) do update set sort = excluded.sort, revision = crate_order.revision + 1`
  const saved = await findCrateSort(sql, customerId)
  return { ...saved, song_ids: shownIds(await readSongs(sql, customerId, order)) }
}

/** Changes of one crate wait for each other, as in crate.ts. */
const changeOrder = <T>(pool: Pool, customerId: number, change: (sql: Sql) => Promise<T>): Promise<T> =>
  withDeadlockRetry(pool, async (sql) => {
    await sql`select 1 from customer where customer_id = ${customerId} for no key update`
    return change(sql)
  })

/**
 * Moves a song to a position, counted from 1 among the visible songs of the order that is shown, which becomes the own
 * order. Throws `unknown_song`.
 */
export const moveInCrate = (pool: Pool, customerId: number, params: { song_id: number; position: number }) =>
  changeOrder(pool, customerId, async (sql) => {
    const { order } = await findCrateSort(sql, customerId)
    const songs = await readSongs(sql, customerId, order)
    const moved = songs.find(({ entity_id, is_shown }) => is_shown && entity_id === params.song_id)
    if (!moved) throw new ApiError('unknown_song', 'This song is no longer in your crate.')
    const others = songs.filter((song) => song !== moved)
    const next = others.filter(({ is_shown }) => is_shown)[params.position - 1]
    const at = next ? others.indexOf(next) : others.length
    return saveOrder(sql, customerId, { order: 'own', songs: others.toSpliced(at, 0, moved) })
  })

/** Moves songs right below another one in the own order of a crate whose member is locked. */
export async function placeBelow(sql: Sql, customerId: number, songIds: readonly number[], below: number) {
  const songs = await readSongs(sql, customerId, 'own')
  const others = songs.filter(({ entity_id }) => !songIds.includes(entity_id))
  const above = others.findIndex(({ entity_id }) => entity_id === below)
  if (above < 0) return
  const placed = songs.filter(({ entity_id }) => songIds.includes(entity_id))
  await saveOrder(sql, customerId, { order: 'own', songs: others.toSpliced(above + 1, 0, ...placed) })
}

type OrderChange = { order: library.CrateOrder; song_ids?: number[] | undefined; revision?: number | undefined }

/**
 * Chooses how the crate is ordered, optionally with an own order: songs that it does not name come first, hidden ones
 * last. Throws `conflict` if the order was changed since the revision.
 */
export const orderCrate = (pool: Pool, customerId: number, { order, song_ids, revision }: OrderChange) =>
  changeOrder(pool, customerId, async (sql) => {
    const current = await findCrateSort(sql, customerId)
    if (revision !== undefined && revision !== current.revision)
      throw new ApiError('conflict', 'The order was changed in another window. Your crate now shows that order.')
    if (!song_ids) return saveOrder(sql, customerId, { order })
    const places = new Map(song_ids.map((id, n) => [id, n]))
    const songs = await readSongs(sql, customerId, 'own')
    const placeOf = ({ entity_id, is_shown }: OrderedSong) =>
      places.get(entity_id) ?? (is_shown ? -1 : Number.POSITIVE_INFINITY)
    return saveOrder(sql, customerId, { order, songs: sortByNumber(songs, placeOf) })
  })

/** Sorts by a number that may be infinite; equal ones keep their order. */
const sortByNumber = <T>(items: readonly T[], numberOf: (item: T) => number): T[] =>
  items.toSorted((a, b) => (numberOf(a) === numberOf(b) ? 0 : numberOf(a) < numberOf(b) ? -1 : 1))

type Arrangement = { curve: library.EnergyCurve; first_song_id?: number | undefined }

/** Arranges the crate as a set, with hidden songs last, and returns what it replaces. */
export const arrangeCrate = (pool: Pool, customerId: number, { curve, first_song_id }: Arrangement) =>
  changeOrder(pool, customerId, async (sql) => {
    const { order } = await findCrateSort(sql, customerId)
    const songs = await readSongs(sql, customerId, 'own')
    const known = await readTempos(sql, customerId)
    const isFirstFixed = known.some(({ entity_id }) => entity_id === first_song_id)
    // By id, so that the result does not depend on the order before.
    const sorted = sortByNumber(known, ({ entity_id }) => (entity_id === first_song_id ? 0 : entity_id))
    const arranged = arrangeSet(sorted, { curve, isFirstFixed }).map(({ entity_id }) => ({ entity_id, is_shown: true }))
    const hidden = songs.filter(({ is_shown }) => !is_shown)
    const saved = await saveOrder(sql, customerId, { order: 'own', songs: [...arranged, ...hidden] })
    return { ...saved, previous: { order, song_ids: shownIds(songs) } }
  })

/** Returns tempo, key, energy and length of the visible songs in the crate, in its order. */
export async function listCrateTempos(sql: Sql, customerId: number): Promise<library.CrateMixingSong[]> {
  const { order } = await findCrateSort(sql, customerId)
  const [songs, tempos] = await Promise.all([readSongs(sql, customerId, order), readTempos(sql, customerId)])
  const byId = new Map(tempos.map((song) => [song.entity_id, song]))
  return shownIds(songs).flatMap((id) => byId.get(id) ?? [])
}

/**
 * A song is mixed with its first published version in the crate. A version without a tempo or key has that of its song,
 * if it has only one.
 */
const readTempos = async (sql: Sql, customerId: number): Promise<library.CrateMixingSong[]> =>
  sql<library.CrateMixingSong[]>`
    select distinct on (c.entity_id) c.entity_id, v.duration_seconds,
      coalesce(${knownBpm(sql)}, case when s.min_bpm = s.max_bpm then s.min_bpm end) as bpm, v.bpm_to,
      coalesce(${knownKey(sql)}, s.song_key) as song_key, g.energy
    from crate_item c join song s using (entity_id) join song_version v on v.song_version_id = c.song_version_id
    join version_kind k using (version_kind_id) left join beat_grid g on g.file_id = v.file_id
    where c.customer_id = ${customerId} and s.status = 'published'
    order by c.entity_id, v.status <> 'published', ${versionOrder(sql)}`
