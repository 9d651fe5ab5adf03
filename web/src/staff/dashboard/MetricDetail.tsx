import type { dashboard, ReplyOf } from '@dubplate/contract'
import { useId } from 'react'
import { format, rich } from '../../platform/message.ts'
import { Chart, type Point } from './Chart.tsx'
import css from './Desk.module.css'
import { MEANINGS, nameOf, pointInWords, pointName, summaryOf, valueInWords } from './figureWords.ts'
import * as texts from './texts.ts'

type Told = ReplyOf<typeof dashboard.getMetrics>
type Props = { metric: dashboard.MetricValues; told: Told }

/** Momentary values: they cannot be summed. */
const OF_A_MOMENT: readonly dashboard.Metric[] = ['subscribers', 'first_reply']

const BY = { hour: texts.byHour, day: texts.byDay, week: texts.byWeek } as const satisfies Record<Told['unit'], string>

/** One metric: its value, its comparison, a chart and a table. */
export function FigureCard({ metric, told }: Props) {
  const id = useId()
  const points = pointsOf(metric, told)
  const { unit } = told
  return (
    <article className={css.figure} aria-labelledby={id}>
      <h3 id={id} title={MEANINGS[metric.metric]}>
        {nameOf(metric)}
      </h3>
      <p className={`${css.value} num`} aria-hidden>
        {valueInWords(metric, metric.now)}
      </p>
      <p className={css.summary}>{summaryOf(metric, told)}.</p>
      <Chart
        label={format(BY[unit], { name: nameOf(metric) })}
        points={points}
        look={OF_A_MOMENT.includes(metric.metric) ? 'line' : 'bars'}
      />
      <details className={css.table}>
        <summary>{rich(texts.tableFor, { name: nameOf(metric), span: (inside) => <span>{inside}</span> })}</summary>
        <p>{MEANINGS[metric.metric]}</p>
        <Table metric={metric} told={told} />
      </details>
    </article>
  )
}

function pointsOf(metric: dashboard.MetricValues, { unit, starts }: Told): Point[] {
  return starts.map((start, n) => {
    const [value, before] = [metric.points[n] ?? null, metric.previous_points[n] ?? null]
    return { name: pointName(unit, start), value, before, words: valuesInWords(metric, value, before) }
  })
}

function valuesInWords(metric: dashboard.MetricValues, value: number | null, before: number | null): string {
  const [now, then] = [pointInWords(metric, value), pointInWords(metric, before)]
  if (before === null) return value === null ? texts.noData : now
  return value === null
    ? format(texts.inThePreviousPeriod, { then })
    : format(texts.nowAndInThePreviousPeriod, { now, then })
}

function Table({ metric, told: { unit, starts, previous_starts } }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that the keyboard can scroll it
    <section className={css.scroll} tabIndex={0} aria-label={format(texts.table, { name: nameOf(metric) })}>
      <table>
        <thead>
          <tr>
            <th scope="col">
              {unit === 'hour' ? texts.fromUtc : unit === 'day' ? texts.dayUtc : texts.weekStartingUtc}
            </th>
            <th scope="col">{metric.metric === 'churn' ? texts.lost : texts.current}</th>
            <th scope="col">{texts.previousDate}</th>
            <th scope="col">{texts.previous}</th>
          </tr>
        </thead>
        <tbody className="num">
          {starts.map((start, n) => (
            <tr key={start}>
              <th scope="row">{pointName(unit, start)}</th>
              <td>{pointInWords(metric, metric.points[n] ?? null)}</td>
              <td>{pointName(unit, previous_starts[n] ?? '')}</td>
              <td>{pointInWords(metric, metric.previous_points[n] ?? null)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
