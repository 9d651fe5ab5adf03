import { imports } from '@dubplate/contract'
import type { FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import type { SheetFile } from './file-details.ts'
import { lockImport, rejectSent } from './import-runs.ts'
import { SHEET_EXTENSION } from './song-sheet.ts'
import { normalisePath } from './uploaded-files.ts'

/** Sheets sent by a browser with a folder: stored in the database until their import ends, and read by the scan. */

const MAX_SHEETS = 50
const { MAX_SHEET_BYTES } = imports

/**
 * Stores the sheet of a form (`import_run_id`, `path`, `sheet`), replacing one with the same path. Throws
 * `unknown_import`, `import_finished`, `invalid_request`, `file_required`, `too_large` and `too_many_sheets`.
 */
export async function receiveSheet({ sql: pool }: Pick<AppContext, 'sql'>, request: FastifyRequest): Promise<void> {
  const { runId, path, content } = await parseSheetForm(request)
  await pool.begin(async (sql) => {
    rejectSent(await lockImport(sql, runId))
    await sql`
      insert into import_sheet (import_run_id, path, content) values (${runId}, ${path}, ${content})
      on conflict (import_run_id, path) do update set content = excluded.content, files_described = 0, problems = '[]'`
    const [counted] = await sql<{ n: number }[]>`
      select count(*)::int as n from import_sheet where import_run_id = ${runId}`
    if (counted && counted.n > MAX_SHEETS)
      throw new ApiError('too_many_sheets', `An import can have at most ${MAX_SHEETS} sheets. Combine them into one.`)
    await sql`update import_run set updated_at = now() where import_run_id = ${runId}`
  })
}

async function parseSheetForm(request: FastifyRequest): Promise<{ runId: number; path: string; content: Buffer }> {
  const fields = new Map<string, string>()
  let content: Buffer | undefined
  try {
    const limits = { files: 1, fileSize: MAX_SHEET_BYTES, fields: 10, fieldSize: 4000 }
    for await (const part of request.parts({ limits })) {
      if (part.type === 'file') content = await part.toBuffer()
      else fields.set(part.fieldname, String(part.value))
    }
  } catch (error) {
    if ((error as { code?: string }).code === 'FST_REQ_FILE_TOO_LARGE')
      throw new ApiError(
        'too_large',
        `Sheets can be up to ${MAX_SHEET_BYTES / 1024 / 1024} MB. Split it into smaller ones.`,
      )
    throw new ApiError('invalid_request', 'The upload was incomplete. Upload the sheet again.')
  }
  const runId = Number(fields.get('import_run_id'))
  const path = normalisePath(fields.get('path') ?? '').slice(0, 1000)
  if (!Number.isInteger(runId) || runId < 1 || runId > 2_147_483_647)
    throw new ApiError('invalid_request', 'import_run_id must be a whole number above zero.')
  if (!SHEET_EXTENSION.test(path)) throw new ApiError('invalid_request', 'path must end in .csv or .xlsx.')
  if (!content || content.length === 0) throw new ApiError('file_required', 'Choose a sheet first.')
  return { runId, path, content }
}

/** The sheets of an import, each read from the database when it is needed. */
export async function listSentSheets(sql: Sql, runId: number): Promise<SheetFile[]> {
  const rows = await sql<{ path: string; bytes: number }[]>`
    select path, octet_length(content) as bytes from import_sheet
    where import_run_id = ${runId} and content is not null order by path`
  return rows.map(({ path, bytes }) => ({ path, bytes, read: () => readContent(sql, runId, path) }))
}

async function readContent(sql: Sql, runId: number, path: string): Promise<Buffer> {
  const [row] = await sql<{ content: Buffer | null }[]>`
    select content from import_sheet where import_run_id = ${runId} and path = ${path}`
  if (!row?.content) throw new Error(`The sheet ${path} is no longer in the database.`)
  return row.content
}

/** Deletes the content of an import's sheets; their reports remain. */
export const deleteSheets = (sql: Sql, runId: number) => sql`
  update import_sheet set content = null where import_run_id = ${runId} and content is not null`
