import { useNavigate } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { parseDay, type Range, rangeOfYear, recentYears, yearOfRange } from '../format/dates.ts'
import { Button } from './Button.tsx'
import { Chips } from './Chips.tsx'
import css from './DayRange.module.css'
import { EmptyState } from './EmptyState.tsx'
import * as texts from './texts.ts'
import { useEditableCopy } from './useEditableCopy.ts'

type Props = {
  range: Range
  /** `replace`: a day being typed does not create its own history entry. */
  onChange: (range: Range, replace: boolean) => void
  /** False if the year is chosen in another way. */
  hasYears?: boolean
  /** Shown at the end of the row of dates. */
  children?: ReactNode
}

/** The years as badges, and fields for two dates. */
export function DayRange({ range: { from, to }, onChange, hasYears = true, children }: Props) {
  const year = yearOfRange({ from, to })
  return (
    <div className={css.range}>
      {hasYears && (
        <Chips
          label={texts.year}
          choices={[
            { value: undefined, label: texts.all },
            ...recentYears().map((value) => ({ value, label: String(value) })),
          ]}
          chosen={year === null ? [] : year}
          onChoose={(year) => onChange(year ? rangeOfYear(year) : { from: undefined, to: undefined }, false)}
        />
      )}
      <div className={css.bar}>
        <div className={css.days}>
          <DayField label={texts.from} day={from} onChange={(from) => onChange({ from, to }, true)} />
          <DayField label={texts.to} day={to} onChange={(to) => onChange({ from, to }, true)} />
        </div>
        {children}
      </div>
    </div>
  )
}

type DayProps = { label: string; day: string | undefined; onChange: (day: string | undefined) => void }

/** A date field; an incomplete date does not change the list. */
function DayField({ label, day = '', onChange }: DayProps) {
  const [typed, setTyped] = useEditableCopy(day)
  const handleChange = (text: string) => {
    setTyped(text)
    if (text === '' || parseDay(text)) onChange(text || undefined)
  }
  return (
    <label className={css.day}>
      <span>{label}</span>
      <input
        type="date"
        min="2000-01-01"
        max="2200-12-31"
        value={typed}
        onChange={({ currentTarget }) => handleChange(currentTarget.value)}
      />
    </label>
  )
}

type NoResultsProps = { icon: ReactNode; title: string; children: ReactNode }

/** Shown in place of a list when the filters in the URL match nothing. */
export function NoResultsInRange({ icon, title, children }: NoResultsProps) {
  const navigate = useNavigate()
  const showAll = <Button onClick={() => void navigate({ to: '.', search: {} })}>{texts.showAll}</Button>
  return (
    <EmptyState icon={icon} title={title} action={showAll}>
      {children}
    </EmptyState>
  )
}

export const InvalidRange = ({ icon }: { icon: ReactNode }) => (
  <NoResultsInRange icon={icon} title={texts.invalidDateRange}>
    {texts.startMustBeBeforeEnd}
  </NoResultsInRange>
)
