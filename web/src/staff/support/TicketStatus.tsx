import type { support } from '@dubplate/contract'
import { Text } from '@mantine/core'
import { Status } from '../../admin/cells.tsx'
import { formatExactDate } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { useCurrentMinute } from '../../platform/timeAgo.ts'
import * as texts from './texts.ts'
import { waitsInWords } from './ticketWaits.ts'

type Ticket = support.QueuedTicket

export const TicketStatus = ({ status }: Pick<Ticket, 'status'>) => (
  <Status tone={status === 'open' ? 'ok' : 'neutral'}>{status === 'open' ? texts.open : texts.closed}</Status>
)

/** Who has to reply and since when; overdue tickets are marked. */
export function TicketWait({ ticket }: { ticket: Ticket }) {
  const now = useCurrentMinute()
  const { waiting_since, is_overdue } = ticket
  const wait = waitsInWords(ticket, now)
  return (
    <Text
      component="time"
      size="sm"
      c={is_overdue ? 'var(--danger)' : 'var(--text-2)'}
      {...{ dateTime: waiting_since }}
      title={formatExactDate(waiting_since)}
    >
      {is_overdue ? format(texts.overdueWait, { wait }) : wait}
    </Text>
  )
}
