import type { digging, ParsedInputOf } from '@dubplate/contract'
import { currentSong } from '../catalogue/merged-songs.ts'
import { addSongsToCrate, addVersionsToCrate, removeVersionsFromCrate } from '../library/crate.ts'
import { changeFavouritesInBulk } from '../library/favourites.ts'
import { muteSong, unmuteSong } from '../library/mutes.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Pool, Sql } from '../platform/db.ts'
import { withDeadlockRetry } from '../platform/deadlock-retry.ts'

type Decision = ParsedInputOf<typeof digging.digDecide>
/** What a decision added, so that undo removes nothing else. */
type Effect = { crate_versions: number[]; has_added: boolean }
type DecisionRow = Effect & { action: digging.DigAction }

/**
 * Decides about a song of a list. A request that is repeated changes nothing; another action replaces the first one and
 * what it added. A page may still show a song by its id from before a merge. Throws `unknown_song`, `unknown_version`,
 * `crate_full` and `too_many_mutes`.
 */
export const decide = (pool: Pool, customerId: number, decision: Decision): Promise<void> =>
  withDeadlockRetry(pool, async (sql) => {
    await lockMember(sql, customerId)
    const { list, action } = decision
    const songId = await currentSong(sql, decision.entity_id)
    const before = await findDecision(sql, customerId, { list, entity_id: songId })
    if (before?.action === action) return
    if (before) await removeAdded(sql, customerId, songId, before)
    const [song] = await sql`select 1 from song where entity_id = ${songId} and status = 'published'`
    if (!song) throw new ApiError('unknown_song', 'Song not found. It may have been unpublished.')
    const { crate_versions, has_added } = await apply(sql, customerId, songId, decision)
    await sql`
      insert into dig_decision (customer_id, list, entity_id, action, crate_versions, has_added)
      values (${customerId}, ${list}, ${songId}, ${action}, ${crate_versions}::bigint[], ${has_added})
      on conflict (customer_id, list, entity_id) do update set action = excluded.action,
        crate_versions = excluded.crate_versions, has_added = excluded.has_added, decided_at = now()`
  })

/** Serialises the decisions of a member: two simultaneous ones have the same result as two consecutive ones. */
const lockMember = async (sql: Sql, customerId: number): Promise<void> => {
  await sql`select 1 from customer where customer_id = ${customerId} for no key update`
}

async function findDecision(
  sql: Sql,
  customerId: number,
  { list, entity_id }: Pick<Decision, 'list' | 'entity_id'>,
): Promise<DecisionRow | undefined> {
  const [row] = await sql<DecisionRow[]>`
    select action, crate_versions, has_added from dig_decision
    where customer_id = ${customerId} and list = ${list} and entity_id = ${entity_id}`
  return row && { ...row, crate_versions: row.crate_versions.map(Number) }
}

async function apply(sql: Sql, customerId: number, songId: number, decision: Decision): Promise<Effect> {
  if (decision.action === 'crate') return addToCrate(sql, customerId, songId, decision.song_version_id)
  if (decision.action === 'favourite')
    return addedOnly((await changeFavouritesInBulk(sql, customerId, { song_ids: [songId], action: 'add' })) > 0)
  if (decision.action === 'never') return addedOnly(await muteSong(sql, customerId, songId))
  return addedOnly(false)
}

const addedOnly = (has_added: boolean): Effect => ({ crate_versions: [], has_added })

async function addToCrate(
  sql: Sql,
  customerId: number,
  songId: number,
  versionId: number | undefined,
): Promise<Effect> {
  const before = await findCrateVersions(sql, customerId, songId)
  if (versionId === undefined) await addSongsToCrate(sql, customerId, [songId])
  else {
    const [version] = await sql`
      select 1 from song_version where song_version_id = ${versionId} and entity_id = ${songId} and status = 'published'`
    if (!version) throw new ApiError('unknown_version', 'Version not found. It may have been unpublished.')
    await addVersionsToCrate(sql, customerId, [versionId])
  }
  const after = await findCrateVersions(sql, customerId, songId)
  const crate_versions = after.filter((id) => !before.includes(id))
  return { crate_versions, has_added: crate_versions.length > 0 }
}

async function findCrateVersions(sql: Sql, customerId: number, songId: number): Promise<number[]> {
  const rows = await sql<{ song_version_id: number }[]>`
    select song_version_id from crate_item where customer_id = ${customerId} and entity_id = ${songId}`
  return rows.map(({ song_version_id }) => song_version_id)
}

async function removeAdded(sql: Sql, customerId: number, songId: number, decision: DecisionRow): Promise<void> {
  if (!decision.has_added) return
  if (decision.action === 'crate') await removeVersionsFromCrate(sql, customerId, decision.crate_versions)
  if (decision.action === 'favourite')
    await changeFavouritesInBulk(sql, customerId, { song_ids: [songId], action: 'remove' })
  if (decision.action === 'never') await unmuteSong(sql, customerId, songId)
}

/** Undoes the decision about a song, with what it added. Without a decision, nothing changes. */
export const undoDecision = (
  pool: Pool,
  customerId: number,
  { list, entity_id }: Pick<Decision, 'list' | 'entity_id'>,
): Promise<void> =>
  withDeadlockRetry(pool, async (sql) => {
    await lockMember(sql, customerId)
    const songId = await currentSong(sql, entity_id)
    const decision = await findDecision(sql, customerId, { list, entity_id: songId })
    if (!decision) return
    await removeAdded(sql, customerId, songId, decision)
    await sql`delete from dig_decision where customer_id = ${customerId} and list = ${list} and entity_id = ${songId}`
  })

/** Forgets the decisions of a list. What they added stays. Returns how many there were. */
export async function resetList(sql: Sql, customerId: number, list: string): Promise<number> {
  const forgotten = await sql`
    delete from dig_decision where customer_id = ${customerId} and list = ${list} returning 1`
  return forgotten.length
}

/** Deletes decisions that no longer matter: about songs that are no longer new, and those of lists not used for a year. */
export async function sweepDecisions(sql: Sql): Promise<void> {
  await sql`
    delete from dig_decision where (list = 'new' and decided_at < now() - interval '30 days')
      or decided_at < now() - interval '1 year'`
}
