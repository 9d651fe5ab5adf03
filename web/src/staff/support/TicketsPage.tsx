import { type ReplyOf, support } from '@dubplate/contract'
import { Group, Text } from '@mantine/core'
import { IconMessage, IconUserMinus, IconUserPlus } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { MainCell } from '../../admin/cells.tsx'
import { emptyState } from '../../admin/emptyState.tsx'
import { type Column, ResourceTable } from '../../admin/ResourceTable.tsx'
import type { RowAction } from '../../admin/RowMenu.tsx'
import { TablePage } from '../../admin/TablePage.tsx'
import { FilterToggle, TableToolbar, ViewTabs } from '../../admin/TableToolbar.tsx'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { count } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { booleanFlag, oneOf, positiveInteger, trimmedText } from '../../platform/search-fields.ts'
import { useSession } from '../../platform/session.ts'
import { timeInWords } from '../dashboard/metricTexts.ts'
import { TicketStatus, TicketWait } from './TicketStatus.tsx'
import * as texts from './texts.ts'
import { useTicketChange } from './tickets.ts'

type Ticket = support.QueuedTicket

const VIEWS: Record<(typeof support.QUEUE_STATES)[number], { name: string; title: string; text: string }> = {
  waiting: { name: texts.needsReply, title: texts.noTicketsNeedAReply, text: texts.allTicketsAreAnsweredNew },
  answered: { name: texts.replied, title: texts.noRepliedTickets, text: texts.ticketsThatNeedTheMembers },
  close: { name: texts.closed, title: texts.noClosedTickets, text: texts.closedTicketsAppearHere },
  all: { name: texts.all, title: texts.noTicketsYet, text: texts.messagesToSupportAppearHere },
}

const SubjectCell = ({ ticket_number, subject, customer: { dj_name } }: Ticket) => (
  <MainCell
    title={
      <Link to="/staff/tickets/$ticketNumber" params={{ ticketNumber: ticket_number }}>
        <bdi>{subject}</bdi>
      </Link>
    }
    text={format(texts.numberAndMember, { ticket_number, dj_name })}
  />
)

const COLUMNS: Column<Ticket>[] = [
  { id: 'subject', header: texts.subject, width: 'auto', cell: SubjectCell },
  { id: 'status', header: texts.status, width: 100, showFrom: 900, cell: TicketStatus },
  {
    id: 'member',
    header: texts.member,
    width: 96,
    showFrom: 820,
    cell: ({ customer }) => (customer.payment_profile_status === 'paid' ? texts.paid : texts.unpaid),
  },
  { id: 'department', header: texts.department, width: 170, showFrom: 1040, cell: ({ department }) => department },
  { id: 'priority', header: texts.priority, width: 96, showFrom: 700, cell: ({ priority }) => priority },
  {
    id: 'assignedTo',
    header: texts.assignedTo,
    width: 130,
    showFrom: 760,
    cell: ({ assigned_to }) => assigned_to?.dj_name,
  },
  {
    id: 'wait',
    header: texts.waitingTime,
    width: 180,
    isNumeric: true,
    cell: (ticket) => <TicketWait ticket={ticket} />,
  },
]

/** Members' tickets: those that need a reply first. */
export function TicketsPage() {
  const { search, change } = useTableSearch({
    page: positiveInteger,
    state: oneOf(support.QUEUE_STATES),
    find: trimmedText,
    mine: booleanFlag,
  })
  const { page = 1, state = 'waiting', find, mine } = search
  const query = useApiQuery(
    support.getQueue,
    { page, state, search: find ?? '', mine: mine === 1 },
    { keepPrevious: true },
  )
  const { data } = query
  const navigate = useNavigate()
  const actions = useAssignActions()
  return (
    <TablePage
      total={data?.pagination}
      top={
        <>
          <ViewTabs
            label={texts.ticketStatus}
            views={support.QUEUE_STATES.map((value) => ({
              value,
              name: VIEWS[value].name,
              count: data?.counts[value],
            }))}
            current={state}
            onChange={(value) => change({ state: value === 'waiting' ? undefined : value })}
          />
          <Group px={{ base: 'lg', sm: 'xl' }} pt="sm" gap="md" mih={28}>
            <Text role="status" size="sm" fw={600} c="var(--danger)" hidden={!data?.counts.late}>
              {data && data.counts.late > 0 && format(texts.overdueCount, { n: count(data.counts.late) })}
            </Text>
            <Text size="sm" c="var(--text-2)">
              {data && mediansInWords(data.response_times)}
            </Text>
          </Group>
        </>
      }
    >
      <ResourceTable
        name={texts.tickets}
        columns={COLUMNS}
        rows={data?.tickets}
        pagination={data?.pagination}
        query={query}
        errorTitle={texts.couldntLoadTickets}
        idOf={({ ticket_number }) => ticket_number}
        labelOf={({ ticket_number, subject }) => `${ticket_number}: ${subject}`}
        narrowRow={(ticket) => ({
          start: <SubjectCell {...ticket} />,
          end: (
            <>
              <span>{ticket.assigned_to?.dj_name ?? ticket.priority}</span>
              <TicketWait ticket={ticket} />
            </>
          ),
        })}
        rowActions={actions}
        onOpen={({ ticket_number }) =>
          void navigate({ to: '/staff/tickets/$ticketNumber', params: { ticketNumber: ticket_number } })
        }
        onPage={(page) => change({ page })}
        toolbar={
          <TableToolbar
            searchLabel={texts.searchBySubjectNumberDj}
            search={find}
            onSearch={(find) => change({ find }, { replace: true })}
          >
            <FilterToggle
              label={texts.assignedToMe}
              isOn={mine === 1}
              onChange={(isOn) => change({ mine: isOn ? 1 : undefined })}
            />
          </TableToolbar>
        }
        empty={emptyState({
          icon: <IconMessage size={24} />,
          none: VIEWS[state],
          noMatches: { title: texts.noMatchingTickets, text: texts.tryADifferentSearchOr },
          isFiltered: Boolean(find || mine),
        })}
      />
    </TablePage>
  )
}

/** Assigns an open ticket to the current user, or unassigns it if it is theirs. */
function useAssignActions(): RowAction<Ticket>[] {
  const me = useSession(({ profile }) => profile?.customer_id) ?? 0
  const change = useTicketChange()
  const isMine = ({ assigned_to }: Ticket) => assigned_to?.customer_id === me
  const assign = (customerId: number) => (ticket: Ticket) => {
    if (!change.isPending) change.mutate({ ticket_number: ticket.ticket_number, assigned_to: customerId })
  }
  return [
    {
      label: texts.assignToMe,
      icon: IconUserPlus,
      key: 'm',
      isAvailable: (ticket) => ticket.status === 'open' && !isMine(ticket),
      run: assign(me),
    },
    {
      label: texts.unassign,
      icon: IconUserMinus,
      key: 'm',
      isAvailable: (ticket) => ticket.status === 'open' && isMine(ticket),
      run: assign(0),
    },
  ]
}

/** Median waiting times, in words. */
function mediansInWords({ median_seconds, first_reply_seconds }: ReplyOf<typeof support.getQueue>['response_times']) {
  const wait = median_seconds === null ? '' : timeInWords(median_seconds)
  const reply = first_reply_seconds === null ? '' : timeInWords(first_reply_seconds)
  if (wait && reply) return format(texts.medianWaitAndFirstReply, { wait, reply })
  if (wait) return format(texts.medianWait, { wait })
  return reply && format(texts.medianFirstReply, { reply })
}
