import { Readable } from 'node:stream'
import { operations, type ReplyOf } from '@dubplate/contract'
import type { FastifyInstance } from 'fastify'
import type { Asker } from '../membership/asker.ts'
import { asCsv } from '../membership/export-files.ts'
import type { OwnRow } from '../membership/own-data.ts'
import { rangeOf } from '../platform/calendar.ts'
import type { World } from '../world.ts'
import { recordDeed } from './audit.ts'
import { type AuditFilters, readDeeds } from './audit-log.ts'
import { type FileKind, fileLink, openFileLink } from './signed-files.ts'

const AUDIT: FileKind = { purpose: 'audit', call: operations.getAuditFile }

/** Where the log is fetched as CSV. Refuses `invalid_request` for a day that no calendar has. */
export function auditLink(
  world: Pick<World, 'signing' | 'now'>,
  staff: Pick<Asker, 'session_id'>,
  filters: AuditFilters,
): ReplyOf<typeof operations.getAuditFile> {
  rangeOf(filters.from, filters.to)
  const file = `audit-${world.now().toISOString().slice(0, 10)}.csv`
  return fileLink(world, staff, { kind: AUDIT, wanted: filters, file })
}

/** GET /exports/audit/…: the log as CSV, made while it is sent. That it was taken is written down. */
export function serveAuditFile(app: FastifyInstance, world: World): void {
  const rate = { config: { rateLimit: { max: 6, timeWindow: '1 minute' } } }
  app.get('/exports/audit/:signed/:file', rate, async (request, reply) => {
    const { signed } = request.params as { signed: string }
    const { staff, wanted: filters } = await openFileLink<AuditFilters>(world, AUDIT, signed)
    const given = namesOnly(filters)
    await recordDeed(world.sql, {
      staff_id: staff.customer_id,
      action: 'audit log exported',
      subject: 'audit',
      ...(Object.keys(given).length > 0 ? { after: given } : {}),
      ip: request.ip,
    })
    const text = Readable.from(asCsv(rowsOf(world, filters)), { objectMode: false })
    text.on('error', (error) => world.log.error(error, 'Audit log export failed'))
    return reply
      .type('text/csv; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-disposition', 'attachment')
      .send(text)
  })
}

async function* rowsOf({ sql }: World, filters: AuditFilters): AsyncGenerator<OwnRow> {
  for await (const { audit_id, at, staff, action, subject, subject_name, changes, ip } of readDeeds(sql, filters)) {
    yield {
      audit_id,
      at,
      staff_id: staff?.customer_id ?? null,
      staff: staff?.dj_name ?? '',
      action,
      subject,
      subject_name: subject_name ?? '',
      changes: changes.map(changeInWords).join('\n'),
      ip,
    }
  }
}

/** What it was narrowed by, for the log: what was typed may be words about a person, the name of a thing is none. */
function namesOnly({ subject, ...filters }: AuditFilters): object {
  const given = { ...filters, subject: / \d+$/.test(subject) ? subject : '' }
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value))
}

function changeInWords({ field, before, after }: operations.Deed['changes'][number]): string {
  if (before === null) return `${field}: ${after}`
  return `${field}: ${before} → ${after ?? 'deleted'}`
}
