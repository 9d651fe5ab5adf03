import type { Pool, Sql } from '../platform/db.ts'

/** Libraries that wait to be matched: each is claimed by one worker. */

/** `attempts` distinguishes this attempt from earlier ones. */
export type ClaimedLibrary = {
  library_id: number
  customer_id: number
  is_listed: boolean
  entries: number
  done: number
  attempts: number
}

/** Claims the library that has waited longest, or one whose worker was killed. */
export async function claimLibrary(sql: Sql): Promise<ClaimedLibrary | undefined> {
  const [claimed] = await sql<ClaimedLibrary[]>`
    update own_library set claimed_until = now() + interval '2 minutes', attempts = attempts + 1
    where library_id = (
      select library_id from own_library where state = 'matching' and (claimed_until is null or claimed_until < now())
      order by started_at, library_id limit 1 for update skip locked)
    returning library_id, customer_id, is_listed, entries, done, attempts`
  return claimed
}

const isCurrent = (sql: Sql, { library_id, attempts }: ClaimedLibrary) =>
  sql`library_id = ${library_id} and attempts = ${attempts} and state = 'matching'`

/** Lets another worker continue it at once. */
export async function releaseLibrary(sql: Sql, claimed: ClaimedLibrary): Promise<void> {
  await sql`
    update own_library set claimed_until = null, attempts = attempts - 1 where ${isCurrent(sql, claimed)}`
}

/** After an error, it is tried again a little later. */
export async function delayLibrary(sql: Sql, claimed: ClaimedLibrary): Promise<void> {
  await sql`
    update own_library set claimed_until = now() + interval '10 seconds' where ${isCurrent(sql, claimed)}`
}

/** A library that is already listed keeps what was found before. */
export async function failLibrary(sql: Sql, claimed: ClaimedLibrary): Promise<void> {
  await sql`
    update own_library set state = case when is_listed then 'ready' else 'failed' end, claimed_until = null
    where ${isCurrent(sql, claimed)}`
}

/** Lists a library that was matched, instead of an earlier one of the same name, whose decisions it gets. */
export async function finishLibrary(pool: Pool, claimed: ClaimedLibrary): Promise<void> {
  await pool.begin(async (sql) => {
    const { customer_id, library_id } = claimed
    await sql`select 1 from customer where customer_id = ${customer_id} for no key update`
    const [library] = await sql<{ name: string }[]>`
      select name from own_library where ${isCurrent(sql, claimed)} for update`
    if (!library) return
    const replaced = sql`
      select library_id from own_library
      where customer_id = ${customer_id} and lower(name) = lower(${library.name}) and is_listed
        and library_id <> ${library_id}`
    await sql`
      update own_library_entry e set decision = old.decision, entity_id = old.entity_id, song_version_id = old.song_version_id
      from own_library_entry old
      where e.library_id = ${library_id} and old.library_id in (${replaced}) and old.decision is not null
        and (e.path_parts, e.artist, e.title) = (old.path_parts, old.artist, old.title)`
    await sql`delete from own_library where library_id in (${replaced})`
    await sql`
      update own_library set is_listed = true, state = 'ready', claimed_until = null, attempts = 0,
        imported_at = coalesce(imported_at, now()), matched_at = now()
      where library_id = ${library_id}`
  })
}
