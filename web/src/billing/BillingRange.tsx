import { useNavigate, useSearch } from '@tanstack/react-router'
import { parseDay } from '../format/dates.ts'
import { format } from '../format/message.ts'
import { DayRange } from '../ui/DayRange.tsx'
import css from './BillingHistory.module.css'
import { InvoiceMenu } from './InvoiceMenu.tsx'
import * as texts from './texts.ts'

/**
 * Filters by year or by two dates, and downloads all invoices of the range. The range is stored in the URL; a change
 * returns to page 1.
 */
export function BillingRange() {
  const { from, to } = useSearch({ from: '/account/billing' })
  const navigate = useNavigate({ from: '/account/billing' })
  return (
    <DayRange
      range={{ from, to }}
      onChange={(range, replace) =>
        void navigate({ search: ({ sort, dir }) => ({ sort, dir, ...range }), replace, resetScroll: false })
      }
    >
      <div className={css.all}>
        <span>{texts.downloadAllInvoices}</span>
        <InvoiceMenu
          what={{ startDate: parseDay(from), endDate: parseDay(to) }}
          label={(fileFormat) => format(texts.downloadAllInvoicesAs, { fileFormat })}
        />
      </div>
    </DayRange>
  )
}
