import type { openings, ParsedInputOf, site } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { cachedMarkdown } from './pages.ts'

/** Open positions at the pool. */

type StaffOpening = openings.StaffOpening

const columns = (sql: Sql) => sql`job_opening_id, title, place, hours, markdown, apply_at, published`

/** Returns the published openings, as everyone sees them. */
export async function listOpenings(sql: Sql): Promise<site.Opening[]> {
  const rows = await sql<StaffOpening[]>`
    select ${columns(sql)} from job_opening where published order by position, job_opening_id`
  return Promise.all(
    rows.map(async ({ markdown, published: _, ...row }) => ({ ...row, html: await cachedMarkdown(markdown) })),
  )
}

export const listAllOpenings = async (sql: Sql): Promise<StaffOpening[]> =>
  sql<StaffOpening[]>`select ${columns(sql)} from job_opening order by position, job_opening_id`

/** Saves an opening, in the caller's transaction, and returns it; a new one is last. Throws `unknown_opening`. */
export async function saveOpening(
  sql: Sql,
  { job_opening_id, ...rawInput }: ParsedInputOf<typeof openings.saveOpening>,
): Promise<StaffOpening> {
  const { title, place, hours, markdown, apply_at, published } = rawInput
  const [saved] =
    job_opening_id === undefined
      ? await sql<StaffOpening[]>`
          insert into job_opening (title, place, hours, markdown, apply_at, published, position)
          select ${title}, ${place}, ${hours}, ${markdown}, ${apply_at}, ${published}, coalesce(max(position), 0) + 1
          from job_opening returning ${columns(sql)}`
      : await sql<StaffOpening[]>`
          update job_opening set title = ${title}, place = ${place}, hours = ${hours}, markdown = ${markdown},
            apply_at = ${apply_at}, published = ${published}, updated_at = now()
          where job_opening_id = ${job_opening_id} returning ${columns(sql)}`
  if (!saved) throw unknownOpeningError()
  return saved
}

/** Deletes an opening, in the caller's transaction. Throws `unknown_opening`. */
export async function removeOpening(sql: Sql, openingId: number): Promise<void> {
  const [deletedOpening] =
    await sql`delete from job_opening where job_opening_id = ${openingId} returning job_opening_id`
  if (!deletedOpening) throw unknownOpeningError()
}

const unknownOpeningError = () => new ApiError('unknown_opening', 'This job opening no longer exists.')
