import type { Sql } from '../platform/db.ts'

/** Folders of backups that were found to be damaged when read, or that could not be restored. */
export async function findDamagedBackups(sql: Sql): Promise<Set<string>> {
  const [found] = await sql<{ there: boolean }[]>`select to_regclass('public.restore_rehearsal') is not null as there`
  // Backups can also be made of a database with pending migrations.
  if (!found?.there) return new Set()
  const rows = await sql<{ folder: string }[]>`
    select folder from backup where check_error <> ''
    union select folder from restore_rehearsal r where error_message <> '' and not exists (
      select 1 from restore_rehearsal later where later.folder = r.folder and later.ended_at > r.ended_at and later.error_message = '')`
  return new Set(rows.map(({ folder }) => folder))
}
