import { Readable } from 'node:stream'
import { decimalsOf, desk, type ReplyOf, type StaffRole } from '@dubplate/contract'
import type { FastifyInstance } from 'fastify'
import type { Asker } from '../membership/asker.ts'
import { asCsv } from '../membership/export-files.ts'
import type { OwnRow } from '../membership/own-data.ts'
import type { Pool } from '../platform/db.ts'
import { recordDeed } from '../staff/audit.ts'
import { FILE_HEADERS, FILE_RATE, type FileKind, fileLink, openFileLink } from '../staff/signed-files.ts'
import type { World } from '../world.ts'
import { daysLater, nameOfDay, startOfDay } from './days.ts'
import { maySee, readAndCount } from './figures.ts'
import { medianOf, readFirstAnswers } from './first-answers.ts'
import { type Counted, FLOW_NAMES, firstMoment } from './flows.ts'
import { lostBetween, readSpans, type Span, subscribersAt } from './subscribers.ts'

const FIGURES: FileKind = { purpose: 'figures', call: desk.getFiguresFile }

/** Where the figures are fetched as CSV. */
export const figuresLink = (
  world: Pick<World, 'signing' | 'now'>,
  staff: Pick<Asker, 'session_id'>,
): ReplyOf<typeof desk.getFiguresFile> =>
  fileLink(world, staff, { kind: FIGURES, wanted: {}, file: `metrics-${nameOfDay(world.now())}.csv` })

/** GET /exports/figures/…: a line for each day, a column for each figure of the role. That it was taken is written down. */
export function serveFiguresFile(app: FastifyInstance, world: World): void {
  app.get('/exports/figures/:signed/:file', FILE_RATE, async (request, reply) => {
    const { signed } = request.params as { signed: string }
    const { staff } = await openFileLink(world, FIGURES, signed)
    const rows = await readRows(world.sql, staff.staff_role ?? 'support', world.now())
    await recordDeed(world.sql, {
      staff_id: staff.customer_id,
      action: 'dashboard metrics exported',
      subject: 'figures',
      ip: request.ip,
    })
    return reply
      .type('text/csv; charset=utf-8')
      .headers(FILE_HEADERS)
      .send(Readable.from(asCsv(oneByOne(rows)), { objectMode: false }))
  })
}

async function* oneByOne(rows: OwnRow[]): AsyncGenerator<OwnRow> {
  yield* rows
}

/** All days from the first that anything is known of to today, as far as it is. */
async function readRows(sql: Pool, role: StaffRole, now: Date): Promise<OwnRow[]> {
  const first = startOfDay((await firstMoment(sql)) ?? now)
  const [counted, spans, answers] = await Promise.all([
    readAndCount(sql, first, now),
    readSpans(sql),
    readFirstAnswers(sql, first, now),
  ])
  const currencies = [...new Set(counted.map(({ currency }) => currency).filter(Boolean))].sort()
  const byDay = groupByDay(counted, ({ start }) => start)
  const answered = groupByDay(answers, ({ at }) => at)
  const rows: OwnRow[] = []
  for (let day = first; day <= now; day = daysLater(day, 1)) {
    rows.push({
      day_utc: nameOfDay(day),
      ...flowsOf(byDay.get(day.getTime()) ?? [], role, currencies),
      ...(maySee(role, 'subscribers') ? subscribersOf(spans, day, now) : {}),
      ...(maySee(role, 'first_answer')
        ? { first_answer_seconds: medianOf((answered.get(day.getTime()) ?? []).map(({ seconds }) => seconds)) }
        : {}),
    })
  }
  return rows
}

function groupByDay<T>(all: readonly T[], at: (one: T) => Date): Map<number, T[]> {
  const days = new Map<number, T[]>()
  for (const one of all) {
    const day = startOfDay(at(one)).getTime()
    const own = days.get(day)
    if (own) own.push(one)
    else days.set(day, [one])
  }
  return days
}

function flowsOf(counted: readonly Counted[], role: StaffRole, currencies: readonly string[]): OwnRow {
  const row: OwnRow = {}
  for (const figure of FLOW_NAMES.filter((name) => maySee(role, name))) {
    for (const currency of figure === 'revenue' ? currencies : ['']) {
      const n = counted.find((one) => one.figure === figure && one.currency === currency)?.n ?? 0
      // A number, not a text: what begins with a minus would be taken for a formula, and made harmless as one.
      row[currency ? `revenue_${currency}` : figure] = currency ? n / 10 ** decimalsOf(currency) : n
    }
  }
  return row
}

function subscribersOf(spans: readonly Span[], day: Date, now: Date): OwnRow {
  const end = daysLater(day, 1) < now ? daysLater(day, 1) : now
  return { subscribers: subscribersAt(spans, end), subscribers_lost: lostBetween(spans, day, end) }
}
