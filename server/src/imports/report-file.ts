import { Readable } from 'node:stream'
import { imports, type ReplyOf } from '@dubplate/contract'
import type { FastifyInstance } from 'fastify'
import { type Asker, admit, doorRules, findAskerOf } from '../membership/asker.ts'
import { asCsv } from '../membership/export-files.ts'
import type { OwnRow } from '../membership/own-data.ts'
import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import { readFiles, readImport } from './import-runs.ts'

const PURPOSE = 'import-report'
const LINK_MINUTES = 15

/** Where the report of an import is fetched as CSV. Refuses `unknown_import`. */
export async function reportLink(
  { sql, signing, now }: Pick<World, 'sql' | 'signing' | 'now'>,
  { session_id }: Pick<Asker, 'session_id'>,
  runId: number,
): Promise<ReplyOf<typeof imports.getImportReport>> {
  const run = await readImport(sql, runId)
  const endsAt = new Date(now().getTime() + LINK_MINUTES * 60_000)
  const file = `import-${runId}-${run.created_at.slice(0, 10)}.csv`
  return { url: `/exports/import/${signing.sign(PURPOSE, [session_id, runId], endsAt)}/${file}`, file }
}

/** GET /exports/import/…: what became of each file of an import, as CSV, made while it is sent. */
export function serveImportReport(app: FastifyInstance, world: World): void {
  const rate = { config: { rateLimit: { max: 6, timeWindow: '1 minute' } } }
  app.get('/exports/import/:signed/:file', rate, async (request, reply) => {
    const { signed } = request.params as { signed: string }
    const [sessionId = 0, runId = 0] = world.signing.open(PURPOSE, signed, world.now()).map(Number)
    const staff = await findAskerOf(world, sessionId).catch((error) => {
      if (!(error instanceof Refusal)) throw error
      throw new Refusal('link_expired', 'This link belongs to a session that has ended. Sign in again.')
    })
    admit(imports.getImportReport, staff, doorRules(world))
    await readImport(world.sql, runId)
    const text = Readable.from(asCsv(rowsOf(world, runId)), { objectMode: false })
    text.on('error', (error) => world.log.error(error, 'Import report export failed'))
    return reply
      .type('text/csv; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-disposition', 'attachment')
      .send(text)
  })
}

async function* rowsOf({ sql }: World, runId: number): AsyncGenerator<OwnRow> {
  for await (const { n, outcome, entity_id, is_new_song, ...file } of readFiles(sql, runId)) {
    const { path, bytes, reason, detail, artist, title, version_label, note } = file
    yield {
      ...{ n, path, bytes, outcome: outcome ?? 'waiting', reason, detail },
      ...{ artist, title, version_label, new_song: is_new_song ? 'yes' : '', song: entity_id, note },
    }
  }
}
