import { operations } from '@dubplate/contract'
import { DataList, Stack, Text, Title } from '@mantine/core'
import { IconHistory } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { MouseEvent } from 'react'
import { MainCell, TimeCell } from '../../admin/cells.tsx'
import { DownloadButton } from '../../admin/DownloadButton.tsx'
import { emptyState } from '../../admin/emptyState.tsx'
import { Fact } from '../../admin/PageSection.tsx'
import { type Column, ResourceTable } from '../../admin/ResourceTable.tsx'
import { SidePanel, TablePage } from '../../admin/TablePage.tsx'
import { DateFilter, FilterMenu, TableToolbar } from '../../admin/TableToolbar.tsx'
import { useOpenRow } from '../../admin/useOpenRow.ts'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { isReversedRange, parseDay } from '../../format/dates.ts'
import { count, formatExactDate } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { goTo } from '../../platform/address.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { positiveInteger, trimmedText } from '../../platform/search-fields.ts'
import { placeOf } from './auditLinks.ts'
import * as texts from './texts.ts'

type Entry = operations.AuditEntry

const subjectText = ({ subject, subject_name }: Entry) => (subject_name ? `${subject_name} (${subject})` : subject)
const fieldName = (field: string) => field.replaceAll('_', ' ')
const changeText = ({ before, after }: Entry['changes'][number]) =>
  [before, after].filter((value) => value !== null).join(' → ')

/** Navigates without reloading the page, unless the user opens another tab. */
function openHere(event: MouseEvent, place: string) {
  if (event.metaKey || event.ctrlKey || event.shiftKey) return
  event.preventDefault()
  goTo(place)
}

/** What was changed, as a link to its page if it has one. */
function Subject({ entry }: { entry: Entry }) {
  const place = placeOf(entry.subject)
  if (!place) return subjectText(entry)
  return (
    <a href={place} onClick={(event) => openHere(event, place)}>
      {subjectText(entry)}
    </a>
  )
}

const StaffName = ({ staff }: { staff: Entry['staff'] }) =>
  staff ? (
    <Link to="/staff/members/$customerId" params={{ customerId: staff.customer_id }}>
      {staff.dj_name}
    </Link>
  ) : (
    texts.formerStaffMember
  )

const idOf = ({ audit_id }: Entry) => audit_id

const COLUMNS: Column<Entry>[] = [
  { id: 'action', header: texts.action, width: 200, cell: ({ action }) => <b>{action}</b> },
  { id: 'subject', header: texts.subject, width: 'auto', cell: (entry) => <Subject entry={entry} /> },
  {
    id: 'changes',
    header: texts.changes,
    width: 320,
    showFrom: 940,
    cell: ({ changes }) => changes.map((change) => `${fieldName(change.field)}: ${changeText(change)}`).join(' · '),
  },
  { id: 'by', header: texts.by, width: 150, cell: ({ staff }) => <StaffName staff={staff} /> },
  { id: 'ip', header: texts.networkAddress, width: 140, showFrom: 1180, cell: ({ ip }) => ip },
  { id: 'time', header: texts.time, width: 170, isNumeric: true, cell: ({ at }) => <TimeCell at={at} /> },
]

/** Everything staff did, newest first. */
export function AuditLog() {
  const { search, change } = useTableSearch({
    page: positiveInteger,
    who: positiveInteger,
    action: trimmedText,
    subject: trimmedText,
    from: trimmedText,
    to: trimmedText,
  })
  const { page = 1, who, action, subject, from, to } = search
  const filters = {
    ...{ staff_id: who, action: action ?? '', subject: subject ?? '', from: parseDay(from), to: parseDay(to) },
  }
  const isReversed = isReversedRange({ from, to })
  const query = useApiQuery(operations.getAudit, { ...filters, page }, { keepPrevious: true, enabled: !isReversed })
  const { data } = query
  const total = data?.pagination.totalCount ?? 0
  const entries = isReversed ? [] : data?.entries
  const open = useOpenRow(entries, idOf)
  return (
    <TablePage
      total={data?.pagination}
      actions={
        <DownloadButton
          call={operations.getAuditFile}
          input={filters}
          errorTitle={texts.couldntExportTheAuditLog}
          label={total > 0 ? format(texts.exportAsCsv, { total: count(total) }) : texts.exportCsv}
          isDisabled={total === 0}
        />
      }
      panel={
        open.row && (
          <SidePanel label={open.row.action} {...open.panelProps}>
            <Details entry={open.row} />
          </SidePanel>
        )
      }
    >
      <ResourceTable
        name={texts.auditLogEntries}
        columns={COLUMNS}
        rows={entries}
        pagination={isReversed ? undefined : data?.pagination}
        query={query}
        errorTitle={texts.couldntLoadTheAuditLog}
        idOf={idOf}
        labelOf={(entry) => `${entry.action}, ${entry.subject_name ?? entry.subject}`}
        narrowRow={(entry) => ({
          start: <MainCell title={entry.action} text={<Subject entry={entry} />} />,
          end: (
            <>
              <StaffName staff={entry.staff} />
              <TimeCell at={entry.at} />
            </>
          ),
        })}
        {...open.tableProps}
        onPage={(page) => change({ page })}
        toolbar={
          <TableToolbar
            searchLabel={texts.subjectPlaceholder}
            search={subject}
            onSearch={(subject) => change({ subject }, { replace: true })}
          >
            <FilterMenu
              label={texts.staffMember}
              options={(data?.people ?? []).map(({ customer_id, dj_name }) => ({
                value: String(customer_id),
                name: dj_name,
              }))}
              value={who ? String(who) : undefined}
              onChange={(who) => change({ who })}
            />
            <FilterMenu
              label={texts.action}
              options={(data?.actions ?? []).map((value) => ({ value, name: value }))}
              value={action}
              onChange={(action) => change({ action })}
            />
            <DateFilter range={{ from, to }} onChange={(range, replace) => change(range, { replace })} />
          </TableToolbar>
        }
        empty={emptyState({
          icon: <IconHistory size={24} />,
          none: { title: texts.noActivityYet, text: texts.everythingStaffDoInThe },
          noMatches: { title: texts.noMatchingEntries, text: texts.tryADifferentSearchOrClear },
          isFiltered: [who, action, subject, from, to].some(Boolean),
          isReversed,
        })}
      />
    </TablePage>
  )
}

/** Who did what, on what, what changed, and from where. */
function Details({ entry }: { entry: Entry }) {
  const { action, at, staff, ip, changes } = entry
  return (
    <Stack gap="lg">
      <Title order={2}>{action}</Title>
      <DataList labelWidth="92px" gap={10}>
        <Fact label={texts.subject}>
          <Subject entry={entry} />
        </Fact>
        <Fact label={texts.by}>
          <StaffName staff={staff} />
        </Fact>
        <Fact label={texts.time}>{formatExactDate(at)}</Fact>
        {ip && <Fact label={texts.networkAddress}>{ip}</Fact>}
      </DataList>
      {changes.length > 0 && (
        <section>
          <Title order={3} size="h2" mb="sm">
            {texts.changes}
          </Title>
          <Stack gap="md">
            {changes.map(({ field, before, after }) => (
              <div key={field}>
                <Text size="xs" c="dimmed">
                  {fieldName(field)}
                </Text>
                {before !== null && (
                  <Text component="del" display="block" c="dimmed">
                    <span className="sr">{texts.before} </span>
                    {before}
                  </Text>
                )}
                {after !== null && (
                  <Text component="ins" display="block" td="none">
                    <span className="sr">{texts.after} </span>
                    {after}
                  </Text>
                )}
              </div>
            ))}
          </Stack>
        </section>
      )}
    </Stack>
  )
}
