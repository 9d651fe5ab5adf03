import type { openings, ParsedInputOf, site } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { cachedMarkdown } from './pages.ts'

/** Work that is open at the pool. */

type Row = openings.StaffOpening

const columns = (sql: Sql) => sql`job_opening_id, title, place, hours, markdown, apply_at, published`

/** Those that are published, as everybody reads them. */
export async function listOpenings(sql: Sql): Promise<site.Opening[]> {
  const rows = await sql<Row[]>`
    select ${columns(sql)} from job_opening where published order by position, job_opening_id`
  return Promise.all(
    rows.map(async ({ markdown, published: _, ...row }) => ({ ...row, html: await cachedMarkdown(markdown) })),
  )
}

export const listAllOpenings = async (sql: Sql): Promise<Row[]> =>
  sql<Row[]>`select ${columns(sql)} from job_opening order by position, job_opening_id`

/** Writes an opening, in the caller's transaction, and answers it; a new one comes last. Refuses `unknown_opening`. */
export async function saveOpening(
  sql: Sql,
  { job_opening_id, ...rawInput }: ParsedInputOf<typeof openings.saveOpening>,
): Promise<Row> {
  const { title, place, hours, markdown, apply_at, published } = rawInput
  const [saved] =
    job_opening_id === undefined
      ? await sql<Row[]>`
          insert into job_opening (title, place, hours, markdown, apply_at, published, position)
          select ${title}, ${place}, ${hours}, ${markdown}, ${apply_at}, ${published}, coalesce(max(position), 0) + 1
          from job_opening returning ${columns(sql)}`
      : await sql<Row[]>`
          update job_opening set title = ${title}, place = ${place}, hours = ${hours}, markdown = ${markdown},
            apply_at = ${apply_at}, published = ${published}, updated_at = now()
          where job_opening_id = ${job_opening_id} returning ${columns(sql)}`
  if (!saved) throw unknownOpeningError()
  return saved
}

/** Throws an opening away, in the caller's transaction. Refuses `unknown_opening`. */
export async function removeOpening(sql: Sql, openingId: number): Promise<void> {
  const [deletedOpening] =
    await sql`delete from job_opening where job_opening_id = ${openingId} returning job_opening_id`
  if (!deletedOpening) throw unknownOpeningError()
}

const unknownOpeningError = () => new ApiError('unknown_opening', 'This job opening no longer exists.')
