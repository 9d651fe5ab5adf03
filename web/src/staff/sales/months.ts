import type { Range } from '../../format/dates.ts'
import * as texts from './texts.ts'

const two = (n: number) => String(n).padStart(2, '0')

/** The first and last day of a month, as in the URL. Months below 1 belong to the previous year. */
export function rangeOfMonth(year: number, month: number): Required<Range> {
  const first = new Date(Date.UTC(year, month - 1, 1))
  const last = new Date(Date.UTC(year, month, 0))
  const stem = `${first.getUTCFullYear()}-${two(first.getUTCMonth() + 1)}`
  return { from: `${stem}-01`, to: `${stem}-${two(last.getUTCDate())}` }
}

const inWords = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', timeZone: 'UTC' })

export type Preset = { label: string; range: Required<Range> }

const MONTHS = 4

/** The last months, newest first, then the previous quarter, this year and last year, in UTC like the ledger. */
export function presets(now = new Date()): Preset[] {
  const [year, month] = [now.getUTCFullYear(), now.getUTCMonth() + 1]
  const months = Array.from({ length: MONTHS }, (_, ago) => {
    const range = rangeOfMonth(year, month - ago)
    return { label: inWords.format(new Date(`${range.from}T00:00:00Z`)), range }
  })
  const quarter = Math.floor((month - 1) / 3)
  const before = { from: rangeOfMonth(year, quarter * 3 - 2).from, to: rangeOfMonth(year, quarter * 3).to ?? '' }
  return [
    ...months,
    { label: texts.lastQuarter, range: before },
    { label: String(year), range: { from: `${year}-01-01`, to: `${year}-12-31` } },
    { label: String(year - 1), range: { from: `${year - 1}-01-01`, to: `${year - 1}-12-31` } },
  ]
}
