import type { ownLibrary } from '@dubplate/contract'
import type { PendingQuery, Row } from 'postgres'
import type { LibraryVersions } from '../downloads/left-out.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'

/** A member's libraries, and what is being imported. */

export const unknownLibraryError = () =>
  new ApiError('unknown_library', 'Library not found. It may have been deleted or replaced. Reload the page.')

export type ImportRow = Omit<ownLibrary.LibraryImport, 'started_at'> & { started_at: Date }

export const importColumns = (sql: Sql) => sql`library_id, name, format, state, entries, done, started_at`

export const toImport = ({ started_at, ...row }: ImportRow): ownLibrary.LibraryImport => ({
  ...row,
  started_at: started_at.toISOString(),
})

type LibraryRow = Omit<ownLibrary.OwnLibrary, 'imported_at' | 'matched_at'> & { imported_at: Date; matched_at: Date }

export async function getOverview(sql: Sql, customerId: number): Promise<ownLibrary.LibraryOverview> {
  const [libraries, imports, songs] = await Promise.all([
    sql<LibraryRow[]>`
      select l.library_id, l.name, l.format, l.entries, counted.*, l.imported_at, l.matched_at
      from own_library l cross join lateral (
        select (count(*) filter (where state = 'matched'))::int as matched,
          (count(*) filter (where state = 'review'))::int as to_review,
          (count(*) filter (where state = 'not_found'))::int as not_found
        from own_library_entry e where e.library_id = l.library_id) counted
      where l.customer_id = ${customerId} and l.is_listed order by lower(l.name), l.library_id`,
    sql<ImportRow[]>`
      select ${importColumns(sql)} from own_library
      where customer_id = ${customerId} and state <> 'ready' order by started_at desc, library_id desc`,
    countOwnedSongs(sql, customerId),
  ])
  return {
    libraries: libraries.map(({ imported_at, matched_at, ...row }) => ({
      ...row,
      imported_at: imported_at.toISOString(),
      matched_at: matched_at.toISOString(),
    })),
    imports: imports.map(toImport),
    songs,
  }
}

async function countOwnedSongs(sql: Sql, customerId: number): Promise<ownLibrary.LibraryOverview['songs']> {
  const [counted] = await sql<ownLibrary.LibraryOverview['songs'][]>`
    select count(distinct entity_id) filter (where is_file)::int as in_library,
      count(distinct entity_id) filter (where not is_file)::int as downloaded, count(distinct entity_id)::int as owned
    from (${ownedVersions(sql, customerId)}) owned`
  return counted!
}

/** The files `e` of a member's libraries that were found in the pool. */
const matchedEntries = (sql: Sql, customerId: number) => sql`
  (select e.entity_id, e.song_version_id from own_library l join own_library_entry e using (library_id)
    where l.customer_id = ${customerId} and l.is_listed and e.entity_id is not null) e`

/** The versions of a member's libraries, as rows of song_version_id. */
export const libraryVersions: LibraryVersions = (sql, customerId) => sql`
  select e.song_version_id from ${matchedEntries(sql, customerId)} where e.song_version_id is not null`

/**
 * What a member owns, as rows of (entity_id, song_version_id, is_file): the matched files of their libraries, whose
 * version may be unknown, and the versions they have downloaded.
 */
export const ownedVersions = (sql: Sql, customerId: number) => sql`
  select e.entity_id, e.song_version_id, true as is_file
  from ${matchedEntries(sql, customerId)}
  union all
  select v.entity_id, v.song_version_id, false
  from download_grant g join song_version v using (song_version_id)
  where g.customer_id = ${customerId} and g.used > 0`

/** Deletes a library, also one that is still being imported or matched. Throws `unknown_library`. */
export async function removeLibrary(sql: Sql, customerId: number, libraryId: number): Promise<void> {
  const removed = await sql`
    delete from own_library where library_id = ${libraryId} and customer_id = ${customerId}`
  if (removed.count === 0) throw unknownLibraryError()
}

/** Compares a library with the pool again, also after it failed. Throws `unknown_library`. */
export async function matchLibraryAgain(sql: Sql, customerId: number, libraryId: number): Promise<void> {
  const [library] = await sql`
    select 1 from own_library where library_id = ${libraryId} and customer_id = ${customerId}`
  if (!library) throw unknownLibraryError()
  await queueLibraries(sql, sql`library_id = ${libraryId}`)
}

/** Songs are added to the pool all the time, and members already have some of them. */
export const matchOldLibraries = (sql: Sql): Promise<void> =>
  queueLibraries(sql, sql`is_listed and matched_at < now() - interval '6 days 12 hours'`)

async function queueLibraries(sql: Sql, chosen: PendingQuery<Row[]>): Promise<void> {
  await sql`
    update own_library set state = 'matching', done = 0, attempts = 0, claimed_until = null, started_at = now()
    where ${chosen} and state in ('ready', 'failed')`
}

/** Deletes imports that were not continued for a day. */
export async function sweepImports(sql: Sql): Promise<void> {
  await sql`
    delete from own_library
    where not is_listed and state in ('receiving', 'failed') and started_at < now() - interval '1 day'`
}
