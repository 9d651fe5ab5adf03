import type { cloud } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { type DownloadProfile, findDefaultProfile } from '../booth/profiles.ts'
import { findPlanLimits, requireCrateBundles } from '../downloads/plan-limits.ts'
import type { Caller } from '../membership/caller.ts'
import type { Sql } from '../platform/db.ts'
import { notifyOfFailure } from './notifications.ts'
import { addFiles, profileValue } from './sending.ts'

/** “Always send my crate”: songs are queued after they were added to the crate. */

type NewSongs = Pick<Caller, 'customer_id' | 'staff_role'> & {
  connection_id: number
  provider: cloud.CloudProviderName
  version_ids: number[]
}

const MAX_CONNECTIONS = 50

const DAY = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' })

/** Queues the songs that were added to crates since the last call. */
export async function queueCrateSongs(ctx: AppContext): Promise<void> {
  for (const found of await findNewSongs(ctx.sql)) await queueSongs(ctx, found)
}

/** Versions of crates that were added after sending was turned on, and not queued since. */
async function findNewSongs(sql: Sql): Promise<NewSongs[]> {
  return sql<NewSongs[]>`
    select c.connection_id, c.provider, c.customer_id, m.staff_role,
      array_agg(i.song_version_id order by i.added_at, i.song_version_id) as version_ids
    from cloud_connection c join customer m using (customer_id) join crate_item i using (customer_id)
    where c.crate_since is not null and c.state = 'connected' and i.added_at > c.crate_since
      and not exists (
        select 1 from cloud_delivery_file f
        where f.connection_id = c.connection_id and f.song_version_id = i.song_version_id and f.queued_at >= i.added_at)
    group by c.connection_id, c.provider, c.customer_id, m.staff_role order by c.connection_id limit ${MAX_CONNECTIONS}`
}

async function queueSongs(ctx: AppContext, { connection_id, version_ids, ...member }: NewSongs): Promise<void> {
  const profile = await findDefaultProfile(ctx.sql, member.customer_id)
  const problem = await findPlanProblem(ctx, member)
  await ctx.sql.begin(async (sql) => {
    // Another worker may have queued them: it has the lock, or its rows are visible now.
    const [locked] = await sql`
      select 1 from cloud_connection where connection_id = ${connection_id} for update skip locked`
    if (!locked) return
    const added = await withoutQueued(sql, connection_id, version_ids.map(Number))
    if (added.length === 0) return
    const delivery_id = await findOrAddDelivery(sql, {
      connection_id,
      profile,
      title: `Crate, ${DAY.format(ctx.now())}`,
    })
    await addFiles(sql, { delivery_id, connection_id }, added)
    if (problem === null) return
    await sql`
      update cloud_delivery_file set state = 'failed', reason = ${problem}, finished_at = now()
      where delivery_id = ${delivery_id} and state = 'waiting'`
    await notifyOfFailure(sql, member, false)
  })
}

async function withoutQueued(sql: Sql, connectionId: number, versionIds: number[]): Promise<number[]> {
  const rows = await sql<{ song_version_id: number }[]>`
    select i.song_version_id from cloud_connection c join crate_item i using (customer_id)
    where c.connection_id = ${connectionId} and i.song_version_id = any(${versionIds}::bigint[]) and not exists (
      select 1 from cloud_delivery_file f
      where f.connection_id = c.connection_id and f.song_version_id = i.song_version_id and f.queued_at >= i.added_at)`
  const isNew = new Set(rows.map(({ song_version_id }) => song_version_id))
  return versionIds.filter((id) => isNew.has(id))
}

/** The sentence that is shown with songs that the plan no longer lets the member send; null if it does. */
async function findPlanProblem(
  ctx: AppContext,
  member: Pick<Caller, 'customer_id' | 'staff_role'>,
): Promise<string | null> {
  const limits = await findPlanLimits(ctx, member)
  try {
    requireCrateBundles(limits)
    return null
  } catch (error) {
    return (error as Error).message
  }
}

type NewDelivery = { connection_id: number; profile: DownloadProfile | null; title: string }

/** One delivery for the songs of a day, unless the profile was changed. */
async function findOrAddDelivery(sql: Sql, { connection_id, profile, title }: NewDelivery): Promise<number> {
  const [found] = await sql<{ delivery_id: number }[]>`
    select delivery_id from cloud_delivery
    where connection_id = ${connection_id} and is_automatic and title = ${title}
      and profile is not distinct from ${profileValue(sql, profile)}
    order by delivery_id desc limit 1`
  if (found) return found.delivery_id
  const [added] = await sql<{ delivery_id: number }[]>`
    insert into cloud_delivery (connection_id, title, is_automatic, profile)
    values (${connection_id}, ${title}, true, ${profileValue(sql, profile)}) returning delivery_id`
  if (!added) throw new Error('Insert of a delivery returned no row')
  return added.delivery_id
}
