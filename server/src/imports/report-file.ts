import { Readable } from 'node:stream'
import { imports, type ReplyOf } from '@dubplate/contract'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { accessRules, authorize, type Caller, findSessionCaller } from '../membership/caller.ts'
import { toCsv } from '../membership/export-files.ts'
import type { OwnRow } from '../membership/own-data.ts'
import { ApiError } from '../platform/api-error.ts'
import { readFiles, readImport } from './import-runs.ts'

const SIGNING_PURPOSE = 'import-report'
const LINK_MINUTES = 15

/** Returns the link to the report of an import as CSV. Throws `unknown_import`. */
export async function reportLink(
  { sql, signing, now }: Pick<AppContext, 'sql' | 'signing' | 'now'>,
  { session_id }: Pick<Caller, 'session_id'>,
  runId: number,
): Promise<ReplyOf<typeof imports.getImportReport>> {
  const run = await readImport(sql, runId)
  const endsAt = new Date(now().getTime() + LINK_MINUTES * 60_000)
  const file = `import-${runId}-${run.created_at.slice(0, 10)}.csv`
  return { url: `/exports/import/${signing.sign(SIGNING_PURPOSE, [session_id, runId], endsAt)}/${file}`, file }
}

/** GET /exports/import/…: streams the outcome of each file of an import as CSV. */
export function serveImportReport(app: FastifyInstance, ctx: AppContext): void {
  const rate = { config: { rateLimit: { max: 6, timeWindow: '1 minute' } } }
  app.get('/exports/import/:signed/:file', rate, async (request, reply) => {
    const { signed } = request.params as { signed: string }
    const [sessionId = 0, runId = 0] = ctx.signing.open(SIGNING_PURPOSE, signed, ctx.now()).map(Number)
    const staff = await findSessionCaller(ctx, sessionId).catch((error) => {
      if (!(error instanceof ApiError)) throw error
      throw new ApiError('link_expired', 'This link belongs to a session that has ended. Sign in again.')
    })
    authorize(imports.getImportReport, staff, accessRules(ctx))
    await readImport(ctx.sql, runId)
    const text = Readable.from(toCsv(reportRows(ctx, runId)), { objectMode: false })
    text.on('error', (error) => ctx.log.error(error, 'Import report export failed'))
    return reply
      .type('text/csv; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-disposition', 'attachment')
      .send(text)
  })
}

async function* reportRows({ sql }: AppContext, runId: number): AsyncGenerator<OwnRow> {
  for await (const { n, outcome, entity_id, is_new_song, ...file } of readFiles(sql, runId)) {
    const { path, bytes, reason, detail, artist, title, version_label, note } = file
    yield {
      ...{ n, path, bytes, outcome: outcome ?? 'waiting', reason, detail },
      ...{ artist, title, version_label, new_song: is_new_song ? 'yes' : '', song: entity_id, note },
    }
  }
}
