import { invoices } from '@dubplate/contract'
import { Button, Menu } from '@mantine/core'
import { IconDownload, IconFileInvoice, IconFileSpreadsheet, IconSend } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { cappedCount, rowCount } from '../../admin/cappedCount.ts'
import { DateCell, MainCell } from '../../admin/cells.tsx'
import { downloadFile } from '../../admin/downloadFile.ts'
import { emptyState } from '../../admin/emptyState.tsx'
import { type Column, ResourceTable } from '../../admin/ResourceTable.tsx'
import type { RowAction } from '../../admin/RowMenu.tsx'
import { TablePage } from '../../admin/TablePage.tsx'
import { DateFilter, TableToolbar, ViewTabs } from '../../admin/TableToolbar.tsx'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { money } from '../../billing/money.ts'
import { isReversedRange, parseDay } from '../../format/dates.ts'
import { format, rich } from '../../format/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { oneOf, positiveInteger, trimmedText } from '../../platform/search-fields.ts'
import { useApiMutation } from '../../platform/useApiMutation.ts'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { useAction } from '../../ui/useAction.ts'
import { MemberFilter } from './filters.tsx'
import * as texts from './texts.ts'

type Invoice = invoices.StaffInvoice

const NumberCell = ({ invoice: { number, kind, corrects, mailed_at } }: { invoice: Invoice }) => (
  <MainCell
    title={<span className="num">{number}</span>}
    text={
      <>
        {kind === 'credit_note' &&
          rich(texts.creditNoteFor, {
            invoice_number: corrects,
            link: (inside) => (
              <Link to="/staff/invoices" search={{ find: corrects ?? '' }}>
                {inside}
              </Link>
            ),
          })}
        {kind === 'invoice' && texts.invoice}
        {mailed_at === null && ` · ${texts.notEmailedYet}`}
      </>
    }
  />
)

const MemberCell = ({ invoice: { customer_id, dj_name, buyer } }: { invoice: Invoice }) => (
  <MainCell
    title={
      <Link to="/staff/members/$customerId" params={{ customerId: customer_id }}>
        {dj_name}
      </Link>
    }
    text={buyer !== dj_name && buyer}
  />
)

const COLUMNS: Column<Invoice>[] = [
  { id: 'number', header: texts.number, width: 'auto', cell: (invoice) => <NumberCell invoice={invoice} /> },
  { id: 'member', header: texts.member, width: 220, cell: (invoice) => <MemberCell invoice={invoice} /> },
  {
    id: 'subscription',
    header: texts.subscription,
    width: 270,
    showFrom: 980,
    cell: ({ subscription_id, text }) => (
      <Link to="/staff/subscriptions/$subscriptionId" params={{ subscriptionId: subscription_id }}>
        {text}
      </Link>
    ),
  },
  {
    id: 'tax',
    header: texts.tax,
    width: 120,
    isNumeric: true,
    showFrom: 860,
    cell: ({ tax, tax_percent, currency }) => `${tax_percent}% ${money(tax, currency)}`,
  },
  {
    id: 'total',
    header: texts.total,
    width: 110,
    isNumeric: true,
    cell: ({ total, currency }) => money(total, currency),
  },
  {
    id: 'date',
    header: texts.date,
    width: 124,
    isNumeric: true,
    showFrom: 640,
    cell: ({ issued_at }) => <DateCell at={issued_at} />,
  },
]

const download = (invoice: Invoice, format: 'pdf' | 'excel') =>
  void downloadFile(invoices.getInvoiceFile, { invoice_id: invoice.invoice_id, format }, texts.couldntCreateTheFile)

/** Invoices and credit notes, newest first. */
export function Invoices() {
  const { search, change } = useTableSearch({
    page: positiveInteger,
    kind: oneOf(invoices.INVOICE_KINDS),
    find: trimmedText,
    member: positiveInteger,
    from: trimmedText,
    to: trimmedText,
  })
  const { page = 1, kind, find, member, from, to } = search
  const filters = {
    ...(kind ? { kind } : {}),
    ...{ search: find ?? '', customer_id: member, from: parseDay(from), to: parseDay(to) },
  }
  const isReversed = isReversedRange({ from, to })
  const query = useApiQuery(invoices.getInvoices, { ...filters, page }, { keepPrevious: true, enabled: !isReversed })
  const { data } = query
  const [resent, setResent] = useState<Invoice>()
  const resend = useApiMutation(invoices.mailInvoice, {
    success: ({ invoice: { number, dj_name } }) => ({ message: format(texts.sentTo, { number, dj_name }) }),
    invalidates: [invoices.getInvoices],
  })
  const actions: RowAction<Invoice>[] = [
    { label: texts.downloadPdf, icon: IconDownload, key: 'o', run: (invoice) => download(invoice, 'pdf') },
    { label: texts.downloadExcel, icon: IconFileSpreadsheet, run: (invoice) => download(invoice, 'excel') },
    { label: texts.resend, icon: IconSend, key: 'm', isAvailable: ({ can_mail }) => can_mail, run: setResent },
  ]
  return (
    <TablePage
      total={data?.pagination}
      actions={<Exports filters={filters} total={rowCount(data?.pagination)} />}
      top={
        <ViewTabs
          label={texts.type}
          views={[
            { value: 'all', name: texts.all },
            { value: 'invoice', name: texts.invoices },
            { value: 'credit_note', name: texts.creditNotes },
          ]}
          current={kind ?? 'all'}
          onChange={(value) => change({ kind: value === 'all' ? undefined : value })}
        />
      }
    >
      <ResourceTable
        name={texts.invoices}
        columns={COLUMNS}
        rows={isReversed ? [] : data?.invoices}
        pagination={isReversed ? undefined : data?.pagination}
        query={query}
        errorTitle={texts.couldntLoadInvoices}
        idOf={({ invoice_id }) => invoice_id}
        labelOf={({ number }) => number}
        narrowRow={(invoice) => ({
          start: <MainCell title={invoice.number} text={invoice.dj_name} />,
          end: (
            <>
              {money(invoice.total, invoice.currency)}
              <DateCell at={invoice.issued_at} />
            </>
          ),
        })}
        rowActions={actions}
        onPage={(page) => change({ page })}
        toolbar={
          <TableToolbar
            searchLabel={texts.searchByNumberNameOr}
            search={find}
            onSearch={(find) => change({ find }, { replace: true })}
          >
            <DateFilter range={{ from, to }} onChange={(range, replace) => change(range, { replace })} />
            <MemberFilter member={member} onRemove={() => change({ member: undefined })} />
          </TableToolbar>
        }
        empty={emptyState({
          icon: <IconFileInvoice size={24} />,
          none: { title: texts.noInvoicesYet, text: texts.everyPaymentCreatesAnInvoice },
          noMatches: { title: texts.noMatchingInvoices, text: texts.tryADifferentSearchOr },
          isFiltered: [kind, find, member, from, to].some(Boolean),
          isReversed,
        })}
      />
      {resent && (
        <ConfirmDialog
          title={format(texts.resendNumberQuestion, resent)}
          what={format(texts.wellEmailItToAt, resent)}
          confirmLabel={texts.resend}
          onConfirm={() => resend.mutateAsync({ invoice_id: resent.invoice_id })}
          onClose={() => setResent(undefined)}
        />
      )}
    </TablePage>
  )
}

type ExportsProps = {
  filters: Omit<Parameters<typeof useApiQuery<typeof invoices.getInvoices>>[1], 'page'>
  total: number
}

/** Downloads all matching invoices in one file. */
function Exports({ filters, total }: ExportsProps) {
  const [send, isBusy] = useAction((type: 'pdf' | 'excel') =>
    downloadFile(invoices.getInvoiceFile, { ...filters, format: type }, texts.couldntCreateTheFile),
  )
  return (
    <Menu position="bottom-end" shadow="none">
      <Menu.Target>
        <Button variant="default" leftSection={<IconDownload size={16} />} loading={isBusy} disabled={total === 0}>
          {texts.download}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconFileInvoice size={16} />} onClick={() => send('pdf')}>
          {format(texts.downloadCountAsPdf, { total: cappedCount(total) })}
        </Menu.Item>
        <Menu.Item leftSection={<IconFileSpreadsheet size={16} />} onClick={() => send('excel')}>
          {format(texts.downloadCountAsExcel, { total: cappedCount(total) })}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  )
}
