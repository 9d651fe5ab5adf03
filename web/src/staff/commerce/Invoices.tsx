import { invoices } from '@dubplate/contract'
import { IconFileInvoice } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { money } from '../../billing/money.ts'
import { formatDate, isReversedRange, parseDay } from '../../platform/dates.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { count, formatExactDate } from '../../platform/format.ts'
import { format, rich } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { Chips } from '../../ui/Chips.tsx'
import { DayRange, InvalidRange } from '../../ui/DayRange.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import keys from '../Keys.module.css'
import lists from '../Lists.module.css'
import { queueKeys } from '../queueKeys.ts'
import { StaffPage } from '../StaffPage.tsx'
import css from './Commerce.module.css'
import { Fetch } from './Fetch.tsx'
import { MailAgain } from './MailAgain.tsx'
import { Narrowed } from './Narrowed.tsx'
import rows from './Rows.module.css'
import * as texts from './texts.ts'

export const Invoices = () => (
  <StaffPage title={texts.invoices}>
    <List />
  </StaffPage>
)

const FROM = { from: '/staff/invoices' } as const
const icon = <IconFileInvoice size={24} />

/** The filters in the URL, as the API takes them. */
function useFilters() {
  const { kind, find, member, from, to } = useSearch(FROM)
  return {
    ...(kind ? { kind } : {}),
    ...{ search: find ?? '', customer_id: member, from: parseDay(from), to: parseDay(to) },
  }
}

function List() {
  const { page = 1, kind, find, member, from, to } = useSearch(FROM)
  const isNoRange = isReversedRange({ from, to })
  const input = { ...useFilters(), page }
  const asked = useApiQuery(invoices.getInvoices, input, { keepPrevious: true, enabled: !isNoRange })
  const { data, error, isPlaceholderData, refetch } = asked
  const found = isNoRange ? undefined : data?.invoices
  return (
    <>
      <Filters total={data?.pagination.totalCount} />
      {isNoRange && <InvalidRange icon={icon} />}
      {error && !data && !isNoRange && (
        <ErrorState error={error} subject={texts.invoicesInSentence} retry={() => void refetch()} />
      )}
      {!data && !error && !isNoRange && <ToCome />}
      {found?.length === 0 && <Nothing isNarrowed={[kind, find, member, from, to].some(Boolean)} />}
      {data && found && found.length > 0 && (
        <>
          <ol
            className={lists.rows}
            data-wide
            aria-label={texts.invoices}
            aria-busy={isPlaceholderData || undefined}
            {...queueKeys}
          >
            {found.map((invoice) => (
              <Row key={invoice.invoice_id} invoice={invoice} />
            ))}
          </ol>
          <Pagination pagination={data.pagination} />
          <p className={keys.keys}>
            {rich(texts.shortcutsJKMoveO, {
              kbd: (inside) => <kbd>{inside}</kbd>,
              kbd2: (inside) => <kbd>{inside}</kbd>,
              kbd3: (inside) => <kbd>{inside}</kbd>,
              kbd4: (inside) => <kbd>{inside}</kbd>,
            })}
          </p>
        </>
      )}
    </>
  )
}

const DOWNLOAD = {
  pdf: { count: texts.downloadCountAsPdf, all: texts.downloadAllAsPdf },
  excel: { count: texts.downloadCountAsExcel, all: texts.downloadAllAsExcel },
} as const

function Filters({ total }: { total: number | undefined }) {
  const { kind, find, member, from, to } = useSearch(FROM)
  const navigate = useNavigate(FROM)
  const filters = useFilters()
  const change = (fields: object, replace = false) =>
    void navigate({ search: ({ page: _, ...was }) => ({ ...was, ...fields }), replace, resetScroll: false })
  return (
    <search className={css.filters}>
      <div className={css.head}>
        <Chips
          label={texts.type}
          choices={[
            { value: undefined, label: texts.all },
            { value: 'invoice', label: texts.invoices },
            { value: 'credit_note', label: texts.creditNotes },
          ]}
          chosen={kind}
          onChoose={(kind) => change({ kind })}
        />
        <SearchField
          label={texts.searchByNumberNameOr}
          value={find ?? ''}
          onSearch={(find) => change({ find }, true)}
        />
      </div>
      <DayRange range={{ from, to }} onChange={({ from, to }, replace) => change({ from, to }, replace)}>
        <div className={css.deeds}>
          {(['pdf', 'excel'] as const).map((type) => (
            <Fetch
              key={type}
              call={invoices.getInvoiceFile}
              input={{ ...filters, format: type }}
              isDisabled={!total}
              label={total ? format(DOWNLOAD[type].count, { total: count(total) }) : DOWNLOAD[type].all}
            />
          ))}
        </div>
      </DayRange>
      {member && <Narrowed member={member} onDrop={() => change({ member: undefined })} />}
    </search>
  )
}

function Row({ invoice }: { invoice: invoices.StaffInvoice }) {
  const { invoice_id, number, kind, issued_at, customer_id, buyer, dj_name, text, total, tax, tax_percent } = invoice
  const { currency, subscription_id, corrects, mailed_at } = invoice
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of the list move the focus between items
    <li className={rows.row} data-deeds="three" data-item tabIndex={0} aria-label={number}>
      <div>
        <h2 className="num">{number}</h2>
        <p>
          {kind === 'credit_note' && (
            <>
              {rich(texts.creditNoteFor, {
                corrects,
                link: (inside) => (
                  <Link to="/staff/invoices" search={{ find: corrects ?? '' }} className={css.link}>
                    {inside}
                  </Link>
                ),
              })}
              {' · '}
            </>
          )}
          <time dateTime={issued_at} title={formatExactDate(issued_at)}>
            {formatDate(issued_at)}
          </time>
          {mailed_at === null && ` · ${texts.notEmailedYet}`}
        </p>
      </div>
      <div>
        <Link to="/staff/members/$customerId" params={{ customerId: customer_id }} className={css.link}>
          {dj_name}
        </Link>
        <p>{buyer !== dj_name && buyer}</p>
        <p>
          <Link
            to="/staff/subscriptions/$subscriptionId"
            params={{ subscriptionId: subscription_id }}
            className={css.link}
          >
            {text}
          </Link>
        </p>
      </div>
      <div className={`${rows.end} num`}>
        <b>{money(total, currency)}</b>
        <p>
          {tax_percent}% {money(tax, currency)}
        </p>
      </div>
      <div className={css.deeds}>
        <Fetch
          call={invoices.getInvoiceFile}
          input={{ invoice_id, format: 'pdf' }}
          label={texts.pdf}
          name={format(texts.downloadAsPdf, { number })}
          hotkey="o"
        />
        <Fetch
          call={invoices.getInvoiceFile}
          input={{ invoice_id, format: 'excel' }}
          label={texts.excel}
          name={format(texts.downloadAsExcel, { number })}
        />
        <MailAgain invoice={invoice} />
      </div>
    </li>
  )
}

const Nothing = ({ isNarrowed }: { isNarrowed: boolean }) => (
  <EmptyState icon={icon} title={isNarrowed ? texts.noMatchingInvoices : texts.noInvoicesYet}>
    {isNarrowed ? texts.tryADifferentSearchOr : texts.everyPaymentCreatesAnInvoice}
  </EmptyState>
)

const ROWS = 10

const ToCome = () => (
  <ol className={lists.rows} data-wide aria-busy aria-label={texts.loadingInvoices}>
    {Array.from({ length: ROWS }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
      <li key={i} className={rows.rowBone} aria-hidden />
    ))}
  </ol>
)
