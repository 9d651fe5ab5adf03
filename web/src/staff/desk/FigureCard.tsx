import type { desk, ReplyOf } from '@dubplate/contract'
import { useId } from 'react'
import { Chart, type Point } from './Chart.tsx'
import css from './Desk.module.css'
import { MEANINGS, nameOf, pointInWords, pointName, summaryOf, valueInWords } from './figureWords.ts'

type Told = ReplyOf<typeof desk.getFigures>
type Props = { figure: desk.FigureShown; told: Told }

/** Values of a moment: they do not add up. */
const OF_A_MOMENT: readonly desk.Figure[] = ['subscribers', 'first_answer']

const BY: Record<Told['unit'], string> = { hour: 'by hour', day: 'by day', week: 'by week' }

/** One figure: how much, how that compares, drawn, and as a table. */
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
        label={`${nameOf(figure)} ${BY[unit]}`}
        points={points}
        look={OF_A_MOMENT.includes(figure.figure) ? 'line' : 'bars'}
      />
      <details className={css.table}>
        <summary>
          Table<span> for {nameOf(figure).toLowerCase()}</span>
        </summary>
        <p>{MEANINGS[figure.figure]}</p>
        <Table figure={figure} told={told} />
      </details>
    </article>
  )
}

function pointsOf(figure: desk.FigureShown, { unit, starts }: Told): Point[] {
  return starts.map((start, n) => {
    const [value, before] = [figure.points[n] ?? null, figure.points_before[n] ?? null]
    const beside = before === null ? '' : `, ${pointInWords(figure, before)} in the previous period`
    const words = value === null && before === null ? 'No data' : `${pointInWords(figure, value)}${beside}`
    return { name: pointName(unit, start), value, before, words: value === null ? words.replace('–, ', '') : words }
  })
}

function Table({ figure, told: { unit, starts, starts_before } }: Props) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is scrolled by keyboard as well
    <section className={css.scroll} tabIndex={0} aria-label={`${nameOf(figure)} table`}>
      <table>
        <thead>
          <tr>
            <th scope="col">{unit === 'hour' ? 'From (UTC)' : unit === 'day' ? 'Day (UTC)' : 'Week starting (UTC)'}</th>
            <th scope="col">{figure.figure === 'churn' ? 'Lost' : 'Current'}</th>
            <th scope="col">Previous date</th>
            <th scope="col">Previous</th>
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
