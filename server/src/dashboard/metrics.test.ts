import { dashboard, type ReplyOf, type StaffRole } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { aTicket } from '../../test/ticket-makers.ts'
import { rollUpListens } from '../player/chart-outbox.ts'
import { countMetrics, recountMetrics } from './metric-days.ts'

/** A Saturday afternoon in UTC. */
const NOW = new Date('2026-11-21T15:30:00Z')
const HOUR_MS = 3_600_000
const hoursAgo = (hours: number) => new Date(NOW.getTime() - hours * HOUR_MS)

let pool: TestPool
let member: Awaited<ReturnType<typeof aMember>>
let song: Awaited<ReturnType<typeof aSong>>
const tokens: Partial<Record<StaffRole, string>> = {}
let made = 0

beforeAll(async () => {
  pool = await openTestPool()
  pool.ctx.now = () => NOW
  member = await aMember(pool.ctx, { application: 'none' })
  song = await aSong(pool.ctx)
  for (const role of ['admin', 'support', 'curator', 'billing'] as const)
    tokens[role] = (await aMember(pool.ctx, { staff_role: role, application: 'none' })).token
  await fillBusyMonth()
})
afterAll(() => pool.close())

const sql = () => pool.ctx.sql

async function addDownload(at: Date, free = false) {
  await sql()`
    insert into download (download_id, customer_id, song_version_id, entity_id, at, free)
    values (nextval('download_id'), ${member.customer_id}, ${song.versionIds[0]!}, ${song.entity_id}, ${at}, ${free})`
}

async function addListen(at: Date) {
  await sql()`
    insert into listen (listen_key, customer_id, song_version_id, entity_id, at)
    values (${`key ${++made}`}, ${member.customer_id}, ${song.versionIds[0]!}, ${song.entity_id}, ${at})`
  await sql()`insert into listen_outbox (entity_id, at) values (${song.entity_id}, ${at})`
}

type PaymentOptions = {
  at: Date
  from?: Date
  until: Date | null
  amount?: number
  currency?: string
  customer_id?: number
}

/** Adds a subscription with one payment and its ledger row. */
async function addPayment({
  at,
  from = at,
  until,
  amount = 1000,
  currency = 'EUR',
  customer_id = member.customer_id,
}: PaymentOptions) {
  const [plan] = await sql()<{ plan_id: number }[]>`
    insert into plan (title, price_minor, currency, is_published) values ('Club', 1000, ${currency}, false) returning plan_id`
  const [subscription] = await sql()<{ subscription_id: number }[]>`
    insert into subscription (customer_id, plan_id, gateway, gateway_ref, method, price_minor, first_price_minor, currency,
      interval, checkout_ends_at, status, paid_since, access_until)
    values (${customer_id}, ${plan!.plan_id}, 'sandbox', ${`sub ${++made}`}, 'credit_card', 1000, 1000, ${currency}, 'month',
      now(), 'ended', ${from}, ${until}) returning subscription_id`
  const [charge] = await sql()<{ charge_id: number }[]>`
    insert into charge (subscription_id, customer_id, plan_id, gateway, gateway_ref, reason, status, amount_minor, currency,
      period_start, period_end, method, at)
    values (${subscription!.subscription_id}, ${customer_id}, ${plan!.plan_id}, 'sandbox', ${`charge ${made}`}, 'first',
      'paid', ${amount}, ${currency}, ${from}, ${new Date(from.getTime() + 30 * 24 * HOUR_MS)}, 'credit_card', ${at})
    returning charge_id`
  await addInvoiceLine({ charge_id: charge!.charge_id, amount, currency, at, customer_id })
  return charge!.charge_id
}

const addInvoiceLine = (line: {
  charge_id: number
  amount: number
  currency: string
  at: Date
  customer_id: number
}) => sql()`
  insert into ledger (customer_id, charge_id, amount_minor, currency, at)
  values (${line.customer_id}, ${line.charge_id}, ${line.amount}, ${line.currency}, ${line.at})`

async function addRefund(charge_id: number, amount: number, at: Date) {
  const [refund] = await sql()<{ refund_id: number }[]>`
    insert into refund (charge_id, gateway, gateway_ref, amount_minor, at)
    values (${charge_id}, 'sandbox', ${`refund ${++made}`}, ${amount}, ${at}) returning refund_id`
  await sql()`
    insert into ledger (customer_id, charge_id, refund_id, amount_minor, currency, at)
    values (${member.customer_id}, ${charge_id}, ${refund!.refund_id}, ${-amount}, 'EUR', ${at})`
}

/** Adds a ticket that was created and answered this many hours before NOW. */
async function addAnswer(writtenHoursAgo: number, answeredHoursAgo: number) {
  const ticket_number = await aTicket(pool, member.token)
  await sql()`
    update ticket set created_at = ${hoursAgo(writtenHoursAgo)}, first_reply_at = ${hoursAgo(answeredHoursAgo)}
    where ticket_number = ${ticket_number}`
  for (const hours of [answeredHoursAgo, answeredHoursAgo - 1])
    await sql()`
      insert into reply (ticket_number, by_staff, details, created_at)
      values (${ticket_number}, true, 'x', ${hoursAgo(hours)})`
}

async function fillBusyMonth() {
  for (let hours = 1; hours < 30 * 24; hours += 7) {
    await addDownload(hoursAgo(hours), hours % 3 === 0)
    await addListen(hoursAgo(hours))
    if (hours % 2 === 0) await addListen(hoursAgo(hours + 0.5))
  }
  // Times on both sides of midnight, and one later in the day than NOW.
  for (const at of ['2026-11-19T23:59:59.999Z', '2026-11-20T00:00:00Z', '2026-11-14T20:00:00Z'])
    await addDownload(new Date(at))
  const paid = await addPayment({ at: hoursAgo(50), until: hoursAgo(2) })
  await addPayment({ at: hoursAgo(49), until: null, currency: 'USD', amount: 250 })
  await addRefund(paid, 1000, hoursAgo(30))
  for (const [hours, state] of [
    [40, 'approved'],
    [41, 'pending'],
    [200, 'approved'],
  ] as const) {
    const { customer_id } = await aMember(pool.ctx, { application: 'none' })
    await sql()`
      insert into dj_application (customer_id, state, applied_at, decided_at)
      values (${customer_id}, ${state}, ${hoursAgo(hours + 24)}, ${state === 'approved' ? hoursAgo(hours) : null})`
  }
  await sql()`
    insert into upload (customer_id, name, bytes, sha256, uploaded_at)
    values (${member.customer_id}, 'one.mp3', 10, ${Buffer.alloc(32, 1)}, ${hoursAgo(60)})`
  await addAnswer(10, 4)
  await addAnswer(60, 50)
  await addAnswer(400, 390)
  // A worker rolls up a limited number at once; the rest is counted in the outbox.
  await rollUpListens(sql(), 40)
}

const storedDays = () =>
  sql()`select metric, currency, day::text as day, n from daily_metric order by metric, currency, day`

const metricsOf = (period: dashboard.Period = 'week', role: StaffRole = 'admin') =>
  pool.ask(dashboard.getMetrics, { period }, tokens[role])

type MetricsReply = ReplyOf<typeof dashboard.getMetrics>
const one = ({ metrics }: MetricsReply, name: dashboard.Metric, currency = '') =>
  metrics.find(({ metric, currency: its }) => metric === name && its === currency)

test('counts days in UTC as a direct count does, and counting twice returns the same', async () => {
  await countMetrics(sql(), NOW)
  const countedDirectly = await sql()`
    select 'downloads' as metric, '' as currency, (at at time zone 'UTC')::date as day, count(*)::int as n from download
      where not free and at < '2026-11-21' group by 3
    union all select 'listens', '', (at at time zone 'UTC')::date, count(*) from listen where at < '2026-11-21' group by 3
    union all select 'revenue', currency, (at at time zone 'UTC')::date, sum(amount_minor) from ledger group by 2, 3
    union all select 'new_members', '', (decided_at at time zone 'UTC')::date, count(*) from dj_application
      where state = 'approved' group by 3
    union all select 'applications', '', (applied_at at time zone 'UTC')::date, count(*) from dj_application group by 3
    union all select 'uploads', '', (uploaded_at at time zone 'UTC')::date, count(*) from upload group by 3
    union all select 'tickets_answered', '', (min at time zone 'UTC')::date, count(*) from (
      select min(created_at) from reply where by_staff group by ticket_number) first
      where min < '2026-11-21' group by 3
    order by metric, currency, day`
  const named = (rows: readonly Record<string, unknown>[]) =>
    rows.map(({ metric, currency, day, n }) => `${metric} ${currency} ${day} ${n}`)
  const asDays = countedDirectly.map((row) => ({ ...row, day: row.day.toISOString().slice(0, 10) }))
  const counted = await storedDays()
  expect(named(counted.filter(({ n }) => n !== 0))).toEqual(named(asDays))
  // Every day has a row, even without activity.
  expect(counted.filter(({ metric }) => metric === 'uploads')).toHaveLength(
    counted.filter(({ metric }) => metric === 'downloads').length,
  )
  await countMetrics(sql(), NOW)
  expect(await storedDays()).toEqual(counted)
  await recountMetrics(sql(), NOW)
  expect(await storedDays()).toEqual(counted)
})

test('compares a period with the one before, up to the same time of day', async () => {
  const metrics = await metricsOf('week')
  const count = async (from: string, to: string) => {
    const [row] = await sql()<{ n: number }[]>`
      select count(*)::int as n from download where not free and at >= ${from} and at < ${to}`
    return row?.n
  }
  expect(metrics.starts.map((start) => start.slice(0, 10))).toEqual(
    ['15', '16', '17', '18', '19', '20', '21'].map((day) => `2026-11-${day}`),
  )
  const downloads = one(metrics, 'downloads')
  expect(downloads?.now).toBe(await count('2026-11-15', '2026-11-21T15:30Z'))
  expect(downloads?.before).toBe(await count('2026-11-08', '2026-11-14T15:30Z'))
  expect(downloads?.points.at(-1)).toBe(await count('2026-11-21', '2026-11-21T15:30Z'))
  expect(downloads?.previous_points.at(-1)).toBe(await count('2026-11-14', '2026-11-15'))
  expect(downloads?.points.reduce((sum: number, n) => sum + (n ?? 0), 0)).toBe(downloads?.now)
})

test('shows today by the hour, compared with the same weekday of last week', async () => {
  const metrics = await metricsOf('day')
  const { points, previous_points } = one(metrics, 'listens') ?? { points: [], previous_points: [] }
  const hours = async (from: string) => {
    const rows = await sql()<{ hour: number; n: number }[]>`
      select extract(hour from at)::int as hour, count(*)::int as n from listen
      where at >= ${from}::timestamptz and at < ${from}::timestamptz + interval '1 day' group by 1`
    return Array.from({ length: 24 }, (_, hour) => rows.find((row) => row.hour === hour)?.n ?? 0)
  }
  const today = await hours('2026-11-21')
  // Hours in the future are null, not 0.
  expect(points).toEqual(today.map((n, hour) => (hour > 15 ? null : n)))
  expect(previous_points).toEqual(await hours('2026-11-14'))
  expect(metrics.previous_starts[0]).toBe('2026-11-14T00:00:00.000Z')
})

test('includes events since the days were last counted', async () => {
  const before = one(await metricsOf('month'), 'downloads')?.now ?? 0
  await addDownload(hoursAgo(0.1))
  expect(one(await metricsOf('month'), 'downloads')?.now).toBe(before + 1)
})

test('counts every day after the worker was stopped for several days', async () => {
  await sql()`delete from daily_metric where day >= '2026-11-10'`
  const missing = await metricsOf('month')
  await countMetrics(sql(), NOW)
  const completeMonth = await metricsOf('month')
  expect({ ...missing, as_of: '' }).toEqual({ ...completeMonth, as_of: '' })
  expect(one(completeMonth, 'listens')?.now).toBeGreaterThan(100)
})

test('a year has 52 whole weeks', async () => {
  const { starts, unit, metrics } = await metricsOf('year')
  expect([starts.length, unit, starts.at(-1)]).toEqual([52, 'week', '2026-11-15T00:00:00.000Z'])
  const [row] = await sql()<{ n: number }[]>`select count(*)::int as n from download where not free`
  expect(metrics.find(({ metric }) => metric === 'downloads')?.now).toBe(row?.n)
})

test('shows revenue in each currency, minus refunds', async () => {
  const metrics = await metricsOf('week')
  expect([one(metrics, 'revenue', 'EUR')?.now, one(metrics, 'revenue', 'USD')?.now]).toEqual([0, 250])
  expect(one(metrics, 'revenue', 'EUR')?.points).toEqual([0, 0, 0, 0, 1000, -1000, 0])
})

test('counts a payment reported late on the day it was made', async () => {
  const at = new Date('2026-10-25T12:00:00Z')
  await addPayment({ at, until: null, amount: 777, currency: 'GBP' })
  await countMetrics(sql(), NOW)
  expect(one(await metricsOf('month'), 'revenue', 'GBP')).toBeUndefined()
  await recountMetrics(sql(), NOW)
  expect(one(await metricsOf('month'), 'revenue', 'GBP')?.points[2]).toBe(777)
})

test('keeps activity counted after the account is deleted', async () => {
  const before = await metricsOf('month')
  await sql()`delete from dj_application where decided_at < ${hoursAgo(190)}`
  await recountMetrics(sql(), NOW)
  expect(one(await metricsOf('month'), 'new_members')?.now).toBe(one(before, 'new_members')?.now)
})

test('subscribers are members with paid access; churn is the share of those at the beginning who left', async () => {
  const day = 24
  const people = await Promise.all([1, 2, 3, 4].map(() => aMember(pool.ctx, { application: 'none' })))
  const [staying, leaving, returning, joining] = people.map(({ customer_id }) => customer_id)
  const paid = (customer_id: number | undefined, fromDays: number, untilDays: number) =>
    addPayment({ at: hoursAgo(fromDays * day), until: hoursAgo(untilDays * day), customer_id: customer_id ?? 0 })
  await sql()`update subscription set access_until = null`
  await paid(staying, 20, -5)
  await paid(leaving, 20, 3)
  // Consecutive subscriptions count as one; a member who returns within the period does not count as churned.
  await paid(returning, 20, 5)
  await paid(returning, 5, 4)
  await paid(returning, 2, -5)
  await paid(joining, 3, -5)
  const metrics = await metricsOf('week')
  expect(one(metrics, 'subscribers')).toMatchObject({ now: 3, before: 3, points: [3, 3, 2, 2, 3, 3, 3] })
  expect(one(metrics, 'churn')?.now).toBeCloseTo(1 / 3)
  expect(one(metrics, 'churn')?.points.reduce((sum: number, n) => sum + (n ?? 0), 0)).toBe(2)
  expect(one(metrics, 'churn')?.before).toBe(0)
})

test('the time to the first reply is the median of the first replies in the period', async () => {
  const eightDays = 8 * 24
  await addAnswer(eightDays + 4, eightDays)
  const laterThanNowAWeekAgo = 7 * 24 - 2
  await addAnswer(laterThanNowAWeekAgo + 20, laterThanNowAWeekAgo)
  const replies = one(await metricsOf('week'), 'first_reply')
  expect(replies?.now).toBe(8 * 3600)
  expect(replies?.points).toEqual([null, null, null, null, 10 * 3600, null, 6 * 3600])
  expect(replies?.before).toBe(4 * 3600)
  expect(replies?.previous_points).toEqual([null, null, null, null, null, 4 * 3600, 20 * 3600])
  expect(one(await metricsOf('week'), 'tickets_answered')?.now).toBe(2)
})

test('each role sees the metrics of its own work', async () => {
  const names = async (role: StaffRole) => [
    ...new Set((await metricsOf('week', role)).metrics.map(({ metric }) => metric)),
  ]
  expect(await names('support')).toEqual([
    ...['listens', 'downloads', 'new_members', 'applications', 'tickets_answered', 'first_reply'],
  ])
  expect(await names('curator')).toEqual(['listens', 'downloads', 'uploads'])
  expect(await names('billing')).toEqual(['listens', 'downloads', 'new_members', 'revenue', 'subscribers', 'churn'])
})

const fileOf = async (role: StaffRole) => {
  const { url, file } = await pool.ask(dashboard.getMetricsFile, {}, tokens[role])
  const reply = await pool.app.inject({ url })
  return { file, status: reply.statusCode, lines: reply.body.replace('\ufeff', '').trim().split('\r\n') }
}

test('exports all metrics by day as CSV, with a column for each metric the role can see', async () => {
  const { file, lines } = await fileOf('admin')
  expect(file).toBe('metrics-2026-11-21.csv')
  const names = lines[0]?.split(',') ?? []
  expect(names).toContain('revenue_EUR')
  const days = lines.slice(1).map((line) => Object.fromEntries(line.split(',').map((value, n) => [names[n], value])))
  expect(days.at(-1)?.day_utc).toBe('2026-11-21')
  const [row] = await sql()<{ n: number }[]>`select count(*)::int as n from download where not free`
  expect(days.reduce((sum, day) => sum + Number(day.downloads), 0)).toBe(row?.n)
  // A negative amount is a number, not a formula.
  expect(days.find(({ day_utc }) => day_utc === '2026-11-20')?.revenue_EUR).toBe('-10')
  expect((await fileOf('curator')).lines[0]).toBe('day_utc,listens,downloads,uploads')
})

test('the metrics file link expires with the session, and the export is in the audit log', async () => {
  const { token, customer_id } = await aMember(pool.ctx, { staff_role: 'billing', application: 'none' })
  const { url } = await pool.ask(dashboard.getMetricsFile, {}, token)
  expect((await pool.app.inject({ url })).statusCode).toBe(200)
  const [auditEntry] = await sql()`select action from audit where staff_id = ${customer_id}`
  expect(auditEntry?.action).toBe('dashboard metrics exported')
  await sql()`delete from session where customer_id = ${customer_id}`
  expect((await pool.app.inject({ url })).statusCode).toBe(410)
})
