import type { imports } from '@dubplate/contract'
import { plural } from '../../platform/format.ts'
import { format, rich } from '../../platform/message.ts'
import css from './Imports.module.css'
import * as texts from './texts.ts'

/** The spreadsheets in an import, and the errors in them. */
export function SheetReports({ sheets }: { sheets: imports.ImportRun['sheets'] }) {
  if (sheets.length === 0) return null
  return (
    <section className={css.head} aria-label={texts.sheets}>
      <h2>{sheets.length === 1 ? 'Sheet' : 'Sheets'}</h2>
      {sheets.map(({ path, files_described, problems }) => (
        <div key={path}>
          <p>
            {rich(texts.filesDescribed, { path, b: (inside) => <b>{inside}</b>, files_described })}
            {problems.length > 0 && `, ${plural(problems.length, 'problem')}`}
          </p>
          {problems.length > 0 && (
            <ul className={css.left} aria-label={format(texts.problemsIn, { path })}>
              {problems.map(({ row, message }, at) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: a row can have two identical problems
                <li key={at}>
                  {row > 0 && `Row ${row}: `}
                  {message}
                </li>
              ))}
            </ul>
          )}
        </div>
      ))}
    </section>
  )
}
