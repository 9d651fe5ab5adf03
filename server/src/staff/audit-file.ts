import { Readable } from 'node:stream'
import { operations, type ReplyOf } from '@dubplate/contract'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../app-context.ts'
import type { Caller } from '../membership/caller.ts'
import { toCsv } from '../membership/export-files.ts'
import type { OwnRow } from '../membership/own-data.ts'
import { toDateRange } from '../platform/calendar.ts'
import { recordAudit } from './audit.ts'
import { type AuditFilters, iterateAuditEntries } from './audit-log.ts'
import { type FileKind, fileLink, parseFileLink } from './signed-files.ts'

const AUDIT_FILE: FileKind = { purpose: 'audit', call: operations.getAuditFile }

/** Returns a link to the audit log as CSV. Throws `invalid_request` for a day that does not exist. */
export function auditLink(
  ctx: Pick<AppContext, 'signing' | 'now'>,
  staff: Pick<Caller, 'session_id'>,
  filters: AuditFilters,
): ReplyOf<typeof operations.getAuditFile> {
  toDateRange(filters.from, filters.to)
  const file = `audit-${ctx.now().toISOString().slice(0, 10)}.csv`
  return fileLink(ctx, staff, { kind: AUDIT_FILE, wanted: filters, file })
}

/** GET /exports/audit/…: the audit log as CSV, streamed. The export is recorded in the audit log. */
export function serveAuditFile(app: FastifyInstance, ctx: AppContext): void {
  const rate = { config: { rateLimit: { max: 6, timeWindow: '1 minute' } } }
  app.get('/exports/audit/:signed/:file', rate, async (request, reply) => {
    const { signed } = request.params as { signed: string }
    const { staff, wanted: filters } = await parseFileLink<AuditFilters>(ctx, AUDIT_FILE, signed)
    const filterNames = toFilterNames(filters)
    await recordAudit(ctx.sql, {
      staff_id: staff.customer_id,
      action: 'audit log exported',
      subject: 'audit',
      ...(Object.keys(filterNames).length > 0 ? { after: filterNames } : {}),
      ip: request.ip,
    })
    const text = Readable.from(toCsv(auditRows(ctx, filters)), { objectMode: false })
    text.on('error', (error) => ctx.log.error(error, 'Audit log export failed'))
    return reply
      .type('text/csv; charset=utf-8')
      .header('cache-control', 'no-store')
      .header('content-disposition', 'attachment')
      .send(text)
  })
}

async function* auditRows({ sql }: AppContext, filters: AuditFilters): AsyncGenerator<OwnRow> {
  for await (const { audit_id, at, staff, action, subject, subject_name, changes, ip } of iterateAuditEntries(
    sql,
    filters,
  )) {
    yield {
      audit_id,
      at,
      staff_id: staff?.customer_id ?? null,
      staff: staff?.dj_name ?? '',
      action,
      subject,
      subject_name: subject_name ?? '',
      changes: changes.map(formatChange).join('\n'),
      ip,
    }
  }
}

/**
 * Filters as recorded in the log: a search text may contain words about a person, so only the name of a subject is
 * recorded.
 */
function toFilterNames({ subject, ...filters }: AuditFilters): object {
  const filterNames = { ...filters, subject: / \d+$/.test(subject) ? subject : '' }
  return Object.fromEntries(Object.entries(filterNames).filter(([, value]) => value))
}

function formatChange({ field, before, after }: operations.AuditEntry['changes'][number]): string {
  if (before === null) return `${field}: ${after}`
  return `${field}: ${before} → ${after ?? 'deleted'}`
}
