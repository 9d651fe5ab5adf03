import type { imports } from '@dubplate/contract'
import type { ReactNode } from 'react'
import { format, rich } from '../../platform/message.ts'
import css from './Imports.module.css'
import * as texts from './texts.ts'

const b = (inside: ReactNode) => <b>{inside}</b>

/** The spreadsheets in an import, and the errors in them. */
export function SheetReports({ sheets }: { sheets: imports.ImportRun['sheets'] }) {
  if (sheets.length === 0) return null
  return (
    <section className={css.head} aria-label={texts.sheets}>
      <h2>{texts.sheets}</h2>
      {sheets.map(({ path, files_described, problems }) => (
        <div key={path}>
          <p>
            {problems.length > 0
              ? rich(texts.filesDescribedWithProblems, { path, b, files_described, problems: problems.length })
              : rich(texts.filesDescribed, { path, b, files_described })}
          </p>
          {problems.length > 0 && (
            <ul className={css.left} aria-label={format(texts.problemsIn, { path })}>
              {problems.map(({ row, message }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a row can have two identical problems
                <li key={at}>{row > 0 ? format(texts.rowMessage, { row, message }) : message}</li>
              ))}
            </ul>
          )}
        </div>
      ))}
    </section>
  )
}
