import type { ReactNode } from 'react'
import { formatDate } from '../format/dates.ts'
import { formatExactDate } from '../format/format.ts'
import { formatTimeAgo, useCurrentMinute } from '../platform/timeAgo.ts'
import css from './ResourceTable.module.css'

/** The cells that several tables of the back office have. */

export type Tone = 'ok' | 'warning' | 'danger' | 'neutral'

/** A status: its word with a coloured dot. */
export const Status = ({ tone = 'neutral', children }: { tone?: Tone; children: ReactNode }) => (
  <span className={css.status} data-tone={tone}>
    {children}
  </span>
)

/** What a row is about: a picture, its name and a second line. */
export const MainCell = ({ picture, title, text }: { picture?: ReactNode; title: ReactNode; text: ReactNode }) => (
  <div className={css.main}>
    {picture}
    <div>
      <span className={css.title}>{title}</span>
      <span className={css.quiet}>{text}</span>
    </div>
  </div>
)

/** A date; the exact time as its tooltip. */
export const DateCell = ({ at }: { at: string }) => (
  <time className={css.quiet} dateTime={at} title={formatExactDate(at)}>
    {formatDate(at)}
  </time>
)

/** A date and a time, in the user's time zone. */
export const TimeCell = ({ at }: { at: string }) => (
  <time dateTime={at} title={formatExactDate(at)}>
    {formatExactDate(at)}
  </time>
)

/** How long ago something was; the exact time as its tooltip. */
export function AgoCell({ at }: { at: string }) {
  const now = useCurrentMinute()
  return (
    <time className={css.quiet} dateTime={at} title={formatExactDate(at)}>
      {formatTimeAgo(at, now)}
    </time>
  )
}
