import type { dashboard, ReplyOf } from '@dubplate/contract'
import { useId } from 'react'
import { format, rich } from '../../platform/message.ts'
import { Chart, type Point } from './Chart.tsx'
import css from './Desk.module.css'
import { MEANINGS, nameOf, pointInWords, pointName, summaryOf, valueInWords } from './figureWords.ts'
import * as texts from './texts.ts'

type Told = ReplyOf<typeof dashboard.getFigures>
type Props = { figure: dashboard.FigureShown; told: Told }

/** Momentary values: they cannot be summed. */
const OF_A_MOMENT: readonly dashboard.Figure[] = ['subscribers', 'first_answer']

const BY = { hour: texts.byHour, day: texts.byDay, week: texts.byWeek } as const satisfies Record<Told['unit'], string>

/** One metric: its value, its comparison, a chart and a table. */
export function FigureCard({ figure, told }: Props) {
  const id = useId()
  const points = pointsOf(figure, told)
  const { unit } = told
  return (
    <article className={css.figure} aria-labelledby={id}>
      <h3 id={id} title={MEANINGS[figure.figure]}>
        {nameOf(figure)}
      </h3>
      <p className={`${css.value} num`} aria-hidden>
        {valueInWords(figure, figure.now)}
      </p>
      <p className={css.summary}>{summaryOf(figure, told)}.</p>
      <Chart
        label={format(BY[unit], { name: nameOf(figure) })}
        points={points}
        look={OF_A_MOMENT.includes(figure.figure) ? 'line' : 'bars'}
      />
      <details className={css.table}>
        <summary>{rich(texts.tableFor, { name: nameOf(figure), span: (inside) => <span>{inside}</span> })}</summary>
        <p>{MEANINGS[figure.figure]}</p>
        <Table figure={figure} told={told} />
      </details>
    </article>
  )
}

function pointsOf(figure: dashboard.FigureShown, { unit, starts }: Told): Point[] {
  return starts.map((start, n) => {
    const [value, before] = [figure.points[n] ?? null, figure.points_before[n] ?? null]
    return { name: pointName(unit, start), value, before, words: valuesInWords(figure, value, before) }
  })
}

function valuesInWords(figure: desk.FigureShown, value: number | null, before: number | null): string {
  const [now, then] = [pointInWords(figure, value), pointInWords(figure, before)]
  if (before === null) return value === null ? texts.noData : now
  return value === null
    ? format(texts.inThePreviousPeriod, { then })
    : format(texts.nowAndInThePreviousPeriod, { now, then })
}

function Table({ figure, told: { unit, starts, starts_before } }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: focusable, so that the keyboard can scroll it
    <section className={css.scroll} tabIndex={0} aria-label={format(texts.table, { name: nameOf(figure) })}>
      <table>
        <thead>
          <tr>
            <th scope="col">
              {unit === 'hour' ? texts.fromUtc : unit === 'day' ? texts.dayUtc : texts.weekStartingUtc}
            </th>
            <th scope="col">{figure.figure === 'churn' ? texts.lost : texts.current}</th>
            <th scope="col">{texts.previousDate}</th>
            <th scope="col">{texts.previous}</th>
          </tr>
        </thead>
        <tbody className="num">
          {starts.map((start, n) => (
            <tr key={start}>
              <th scope="row">{pointName(unit, start)}</th>
              <td>{pointInWords(figure, figure.points[n] ?? null)}</td>
              <td>{pointName(unit, starts_before[n] ?? '')}</td>
              <td>{pointInWords(figure, figure.points_before[n] ?? null)}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}
