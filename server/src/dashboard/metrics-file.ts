import { Readable } from 'node:stream'
import { dashboard, decimalsOf, type ReplyOf, type StaffRole } from '@dubplate/contract'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../app-context.ts'
import type { Caller } from '../membership/caller.ts'
import { toCsv } from '../membership/export-files.ts'
import type { OwnRow } from '../membership/own-data.ts'
import type { Pool } from '../platform/db.ts'
import { recordAudit } from '../staff/audit.ts'
import { FILE_HEADERS, FILE_RATE_LIMIT, type FileKind, fileLink, parseFileLink } from '../staff/signed-files.ts'
import { addDays, startOfDay, toIsoDay } from './days.ts'
import { medianFirstReplies } from './first-replies.ts'
import { FLOW_NAMES, findFirstActivity, type MetricCount } from './flow-metrics.ts'
import { canSeeMetric, readAndCount } from './metrics.ts'
import { readSubscribers, Subscribers } from './subscribers.ts'

const METRICS_FILE: FileKind = { purpose: 'metrics', call: dashboard.getMetricsFile }

/** Returns the link to the metrics as CSV. */
export const metricsLink = (
  ctx: Pick<AppContext, 'signing' | 'now'>,
  staff: Pick<Caller, 'session_id'>,
): ReplyOf<typeof dashboard.getMetricsFile> =>
  fileLink(ctx, staff, { kind: METRICS_FILE, wanted: {}, file: `metrics-${toIsoDay(ctx.now())}.csv` })

/**
 * GET /exports/metrics/…: a row for each day and a column for each metric the role can see. Recorded in the audit log.
 */
export function serveMetricsFile(app: FastifyInstance, ctx: AppContext): void {
  app.get('/exports/metrics/:signed/:file', FILE_RATE_LIMIT, async (request, reply) => {
    const { signed } = request.params as { signed: string }
    const { staff } = await parseFileLink(ctx, METRICS_FILE, signed)
    const rows = await readRows(ctx.sql, staff.staff_role ?? 'support', ctx.now())
    await recordAudit(ctx.sql, {
      staff_id: staff.customer_id,
      action: 'dashboard metrics exported',
      subject: 'metrics',
      ip: request.ip,
    })
    return reply
      .type('text/csv; charset=utf-8')
      .headers(FILE_HEADERS)
      .send(Readable.from(toCsv(toAsync(rows)), { objectMode: false }))
  })
}

async function* toAsync(rows: OwnRow[]): AsyncGenerator<OwnRow> {
  yield* rows
}

/** All days from the first activity to today, which is incomplete. */
async function readRows(sql: Pool, role: StaffRole, now: Date): Promise<OwnRow[]> {
  const first = startOfDay((await findFirstActivity(sql)) ?? now)
  const days: Date[] = []
  for (let day = first; day <= now; day = addDays(day, 1)) days.push(day)
  const [counted, subscribers, firstReplies] = await Promise.all([
    readAndCount(sql, first, now),
    canSeeMetric(role, 'subscribers') ? readSubscribers(sql, first, now) : new Subscribers([]),
    medianFirstReplies(
      sql,
      days.map((day) => ({ from: day, to: addDays(day, 1) })),
    ),
  ])
  const currencies = [...new Set(counted.map(({ currency }) => currency).filter(Boolean))].sort()
  const byDay = groupByDay(counted)
  return days.map((day, n) => ({
    day_utc: toIsoDay(day),
    ...flowColumns(byDay.get(day.getTime()) ?? [], role, currencies),
    ...(canSeeMetric(role, 'subscribers') ? subscriberColumns(subscribers, day, now) : {}),
    ...(canSeeMetric(role, 'first_reply') ? { first_reply_seconds: firstReplies[n] ?? null } : {}),
  }))
}

function groupByDay(counted: readonly MetricCount[]): Map<number, MetricCount[]> {
  const days = new Map<number, MetricCount[]>()
  for (const count of counted) {
    const day = startOfDay(count.start).getTime()
    const group = days.get(day)
    if (group) group.push(count)
    else days.set(day, [count])
  }
  return days
}

function flowColumns(counted: readonly MetricCount[], role: StaffRole, currencies: readonly string[]): OwnRow {
  const row: OwnRow = {}
  for (const metric of FLOW_NAMES.filter((name) => canSeeMetric(role, name))) {
    for (const currency of metric === 'revenue' ? currencies : ['']) {
      const n = counted.find((one) => one.metric === metric && one.currency === currency)?.n ?? 0
      // A number, not text: text that begins with a minus is escaped as a formula.
      row[currency ? `revenue_${currency}` : metric] = currency ? n / 10 ** decimalsOf(currency) : n
    }
  }
  return row
}

function subscriberColumns(subscribers: Subscribers, day: Date, now: Date): OwnRow {
  const end = addDays(day, 1) < now ? addDays(day, 1) : now
  return { subscribers: subscribers.countAt(end), subscribers_lost: subscribers.lostBetween(day, end) }
}
