import type { desk, ReplyOf, StaffRole } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { daysLater, earlier, startOfDay } from './days.ts'
import { countDays, nextUncounted, readDays } from './figure-days.ts'
import { type FirstAnswer, medianOf, readFirstAnswers } from './first-answers.ts'
import { type Counted, countFlows, FLOW_NAMES } from './flows.ts'
import { pieceOf, startsBefore, type Window, windowOf } from './periods.ts'
import { churnBetween, lostBetween, readSpans, type Span, subscribersAt } from './subscribers.ts'

/** Whose work a figure is about; every role reads those that are not here. Admins read all. */
const ROLES: Partial<Record<desk.Figure, readonly StaffRole[]>> = {
  new_members: ['support', 'billing'],
  applications: ['support'],
  revenue: ['billing'],
  subscribers: ['billing'],
  churn: ['billing'],
  uploads: ['curator'],
  tickets_answered: ['support'],
  first_answer: ['support'],
}

export const maySee = (role: StaffRole, figure: desk.Figure): boolean =>
  role === 'admin' || (ROLES[figure]?.includes(role) ?? true)

type Shown = desk.FigureShown

/** What a figure is made of: what happened in the period, in the one before, and in that up to the same time. */
type Counts = { now: Counted[]; before: Counted[]; before_so_far: Counted[] }

/** The figures of a period for a role, beside those of the period before. */
export async function readFigures(
  sql: Sql,
  { period, role, now }: { period: desk.Period; role: StaffRole; now: Date },
): Promise<ReplyOf<typeof desk.getFigures>> {
  const window = windowOf(period, now)
  const before = startsBefore(window)
  const since = before[0] as Date
  const [counts, currencies, spans, answers] = await Promise.all([
    countPeriods(sql, window, now),
    pricedIn(sql),
    readSpans(sql),
    readFirstAnswers(sql, since, now),
  ])
  const figures = [
    ...flowsShown(counts, window, { now, currencies }),
    subscribersShown(spans, window, now),
    churnShown(spans, window, now),
    firstAnswerShown(answers, window, now),
  ]
  return {
    period,
    unit: window.unit,
    starts: window.starts.map((start) => start.toISOString()),
    starts_before: before.map((start) => start.toISOString()),
    figures: figures.filter(({ figure }) => maySee(role, figure)),
    as_of: now.toISOString(),
  }
}

async function countPeriods(sql: Sql, window: Window, now: Date): Promise<Counts> {
  const { unit, starts, shift_days, end_before } = window
  const first = starts[0] as Date
  const sameTime = daysLater(now, -shift_days)
  if (unit === 'hour') {
    const [hours, before, before_so_far] = await Promise.all([
      countFlows(sql, { from: first, to: now, unit }),
      countFlows(sql, { from: daysLater(first, -shift_days), to: end_before, unit }),
      countFlows(sql, { from: daysLater(first, -shift_days), to: sameTime, unit }),
    ])
    return { now: hours, before, before_so_far }
  }
  const sameDay = startOfDay(sameTime)
  const [days, soFar] = await Promise.all([
    readAndCount(sql, daysLater(first, -shift_days), now),
    countFlows(sql, { from: sameDay, to: sameTime, unit: 'day' }),
  ])
  const before = days.filter(({ start }) => start < end_before)
  return {
    now: days.filter(({ start }) => start >= first),
    before,
    before_so_far: [...before.filter(({ start }) => start < sameDay), ...soFar],
  }
}

/** Figures by day from `from` on: what was kept, what is not kept yet, and today as far as it is. */
export async function readAndCount(sql: Sql, from: Date, now: Date): Promise<Counted[]> {
  const next = await nextUncounted(sql)
  const today = startOfDay(now)
  const kept = earlier(next && next > from ? next : from, today)
  const parts = await Promise.all([
    readDays(sql, from, kept),
    kept < today ? countDays(sql, kept, today) : [],
    countFlows(sql, { from: today, to: now, unit: 'day' }),
  ])
  return parts.flat()
}

/** Currencies of plans on sale: what was not earned in them is told as well. */
async function pricedIn(sql: Sql): Promise<string[]> {
  const rows = await sql<{ currency: string }[]>`select distinct currency from plan where on_sale`
  return rows.map(({ currency }) => currency)
}

function flowsShown(counts: Counts, window: Window, { now, currencies }: { now: Date; currencies: string[] }): Shown[] {
  const earned = [...counts.now, ...counts.before].map(({ currency }) => currency).filter(Boolean)
  const money = [...new Set([...currencies, ...earned])].sort()
  return FLOW_NAMES.flatMap((figure) =>
    (figure === 'revenue' ? money : ['']).map((currency) => ({ figure, currency })),
  ).map(({ figure, currency }) => {
    const own = (all: Counted[]) => all.filter((one) => one.figure === figure && one.currency === currency)
    return {
      ...{ figure, currency },
      now: sum(own(counts.now)),
      before: sum(own(counts.before_so_far)),
      points: inPieces(own(counts.now), window.starts).map((n, at) => ((window.starts[at] as Date) > now ? null : n)),
      points_before: inPieces(own(counts.before), startsBefore(window)),
    }
  })
}

const sum = (counted: readonly Counted[]): number => counted.reduce((all, { n }) => all + n, 0)

function inPieces(counted: readonly Counted[], starts: readonly Date[]): number[] {
  const pieces = starts.map(() => 0)
  for (const { start, n } of counted) {
    const piece = pieceOf(starts, start)
    if (piece >= 0) pieces[piece] = (pieces[piece] ?? 0) + n
  }
  return pieces
}

/** Where each piece of a period ends: the last one that has begun now. Null for those that are still to come. */
const endsOf = ({ starts }: Window, now: Date): (Date | null)[] =>
  starts.map((start, at) => {
    const next = starts[at + 1]
    return start > now ? null : next && next < now ? next : now
  })

function subscribersShown(spans: readonly Span[], window: Window, now: Date): Shown {
  const ends = endsOf(window, now)
  const at = (end: Date | null, shift: number) => end && subscribersAt(spans, daysLater(end, -shift))
  return {
    ...{ figure: 'subscribers', currency: '' },
    now: subscribersAt(spans, now),
    before: subscribersAt(spans, daysLater(now, -window.shift_days)),
    points: ends.map((end) => at(end, 0)),
    points_before: ends.map((end) => at(end, window.shift_days)),
  }
}

function churnShown(spans: readonly Span[], window: Window, now: Date): Shown {
  const { starts, shift_days } = window
  const ends = endsOf(window, now)
  const share = (shift: number) => churnBetween(spans, daysLater(starts[0] as Date, -shift), daysLater(now, -shift))
  const lost = (shift: number) =>
    ends.map((end, n) => end && lostBetween(spans, daysLater(starts[n] as Date, -shift), daysLater(end, -shift)))
  return {
    ...{ figure: 'churn', currency: '' },
    now: share(0),
    before: share(shift_days),
    points: lost(0),
    points_before: lost(shift_days),
  }
}

function firstAnswerShown(answers: readonly FirstAnswer[], window: Window, now: Date): Shown {
  const first = window.starts[0] as Date
  const sameTime = daysLater(now, -window.shift_days)
  const median = (some: readonly FirstAnswer[]) => {
    const seconds = medianOf(some.map(({ seconds }) => seconds))
    return seconds === null ? null : Math.round(seconds)
  }
  const inPiece = (some: readonly FirstAnswer[], starts: readonly Date[]) => {
    const pieces = starts.map((): FirstAnswer[] => [])
    for (const answer of some) pieces[pieceOf(starts, answer.at)]?.push(answer)
    return pieces.map(median)
  }
  const before = answers.filter(({ at }) => at < window.end_before)
  const own = answers.filter(({ at }) => at >= first)
  return {
    ...{ figure: 'first_answer', currency: '' },
    now: median(own),
    before: median(before.filter(({ at }) => at < sameTime)),
    points: inPiece(own, window.starts),
    points_before: inPiece(before, startsBefore(window)),
  }
}
