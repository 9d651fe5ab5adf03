import type { helpdesk } from '@dubplate/contract'
import { Badge, Group, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core'
import { IconMessage } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { count, formatExactDate } from '../format/format.ts'
import { format } from '../format/message.ts'
import { formatTimeAgo, useCurrentMinute } from '../platform/timeAgo.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import css from './HelpDesk.module.css'
import * as texts from './texts.ts'
import { STATUS_WORDS, waitingText } from './tickets.ts'

const COUNT_LINKS = [
  { status: 'all', countKey: 'total', text: texts.total },
  { status: 'open', countKey: 'open', text: texts.open },
  { status: 'close', countKey: 'close', text: texts.closedStatus },
] as const

/** The numbers of the member's tickets; each links to its list. */
export const TicketCounts = ({ summary }: { summary: helpdesk.TicketSummary | undefined }) => (
  <SimpleGrid component="nav" cols={3} spacing={{ base: 'sm', xs: 'md' }} aria-label={texts.yourTickets}>
    {COUNT_LINKS.map(({ status, countKey, text }) => (
      <Link key={status} to="/tickets/$status" params={{ status }} className={css.count}>
        <Text className="num" fz="xl" fw={680} px="lg" pt="md">
          {summary ? count(summary[countKey]) : '–'}
        </Text>
        <Text fz="sm" c="var(--text-2)" px="lg" pb="md">
          {text}
        </Text>
      </Link>
    ))}
  </SimpleGrid>
)

/** The status of a ticket: open or closed. */
export const TicketStatus = ({ status }: Pick<helpdesk.Ticket, 'status'>) => (
  <Badge variant="light" color={status === 'open' ? 'var(--ok)' : 'var(--text-2)'} tt="none" fz="xs" fw={560}>
    {STATUS_WORDS[status]}
  </Badge>
)

type RowsProps = { tickets: readonly helpdesk.Ticket[]; label: string; isStale?: boolean }

/** Tickets, one per row; each row links to its ticket. */
export const TicketRows = ({ tickets, label, isStale = false }: RowsProps) => (
  <Stack component="ol" gap={0} opacity={isStale ? 0.6 : undefined} aria-label={label} aria-busy={isStale || undefined}>
    {tickets.map((ticket) => (
      <TicketRow key={ticket.ticket_number} ticket={ticket} />
    ))}
  </Stack>
)

function TicketRow({ ticket }: { ticket: helpdesk.Ticket }) {
  const now = useCurrentMinute()
  const { ticket_number, subject, status, department, priority, modified_at, unread } = ticket
  const waiting = waitingText(ticket)
  return (
    <Group
      component="li"
      className={css.row}
      gap="md"
      wrap="nowrap"
      align="flex-start"
      mih={66}
      mx={-12}
      p="md"
      data-unread={unread > 0 || undefined}
    >
      <Stack gap={2} miw={0} flex={1}>
        <Text component="h3" fw={unread > 0 ? 700 : 560} truncate title={subject}>
          <bdi>{subject}</bdi>
        </Text>
        <p className={css.facts}>
          <span className="num">#{ticket_number}</span>
          <span>{department}</span>
          <span>{priority}</span>
          {waiting && <span>{waiting}</span>}
          <time dateTime={modified_at} title={formatExactDate(modified_at)}>
            {formatTimeAgo(modified_at, now)}
          </time>
          {unread > 0 && (
            <Text component="b" inherit fw={620} c="var(--accent-ink)">
              {format(texts.newReplies, { count: unread })}
            </Text>
          )}
        </p>
      </Stack>
      <Stack gap={2} align="flex-end">
        <TicketStatus status={status} />
        <Text
          className={css.view}
          fz="sm"
          fw={560}
          c="var(--text-2)"
          aria-label={format(texts.viewTicketLabel, { ticket_number, subject })}
          renderRoot={(props) => (
            <Link to="/ticket/details/$ticketNumber" params={{ ticketNumber: ticket_number }} {...props} />
          )}
        >
          {texts.view}
        </Text>
      </Stack>
    </Group>
  )
}

/** Placeholder rows while tickets load. */
export const TicketSkeleton = ({ rows }: { rows: number }) => (
  <ol aria-busy aria-label={texts.loadingTickets}>
    {[...Array(rows).keys()].map((n) => (
      <Skeleton key={n} component="li" height={42} my="md" aria-hidden />
    ))}
  </ol>
)

export const NoTickets = ({ children = texts.yourTicketsAndOurReplies }: { children?: string }) => (
  <EmptyState icon={<IconMessage size={24} />} title={texts.youHaveNoTickets}>
    {children}
  </EmptyState>
)
