import '../styles/mantine-layout.css'
import { helpdesk, type ReplyOf } from '@dubplate/contract'
import { replyToTicket } from '@dubplate/contract/schemas/helpdesk'
import { Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconMessageOff } from '@tabler/icons-react'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { formatExactDate, formatShortDate } from '../format/format.ts'
import { format } from '../format/message.ts'
import { AccountPage } from '../membership/account/AccountPage.tsx'
import { useMarkSeen } from '../notices/useMarkSeen.ts'
import { ApiError } from '../platform/api.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { useCleaner } from '../platform/Html.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { refreshReplies, useApiMutation } from '../platform/useApiMutation.ts'
import buttonCss from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Mantine } from '../ui/Mantine.tsx'
import css from './HelpDesk.module.css'
import { MessageForm } from './MessageForm.tsx'
import { Thread } from './Thread.tsx'
import { TicketStatus } from './TicketRows.tsx'
import * as texts from './texts.ts'
import { TICKET_LISTS, waitingText } from './tickets.ts'
import { useTicketWatch } from './ticketWatch.ts'

/** One ticket: its messages, and the form for a reply. */
export function TicketView() {
  const { ticketNumber } = useParams({ from: '/ticket/details/$ticketNumber' })
  return (
    <Mantine>
      <AccountPage title={format(texts.ticket, { ticketNumber })} isWide skeleton={<TicketSkeleton />}>
        {() => <TicketPage key={ticketNumber} ticketNumber={ticketNumber} />}
      </AccountPage>
    </Mantine>
  )
}

/** For a URL without a page: the last one, with the newest replies. */
const LAST_PAGE = 0

function TicketPage({ ticketNumber }: { ticketNumber: number }) {
  const { page = LAST_PAGE } = useSearch({ from: '/ticket/details/$ticketNumber' })
  const input = { ticket_number: ticketNumber, page, pageLimit: helpdesk.REPLIES_PER_PAGE }
  const { data, error, isPlaceholderData, refetch } = useApiQuery(helpdesk.getTicket, input, { keepPrevious: true })
  useTicketWatch(data?.watch_url, async () => {
    const { data, isSuccess } = await refetch()
    return isSuccess ? data?.watch_url : undefined
  })
  useMarkSeen(data)
  const isReady = useCleaner()
  useEffect(() => {
    // Showing the ticket marks it as read, so the lists are outdated.
    if (data && data.ticket.unread > 0) void refreshReplies(TICKET_LISTS)
  }, [data])
  if (error instanceof ApiError && error.status === 404) return <NoSuchTicket />
  if (!data && error)
    return <ErrorState error={error} title={texts.couldntLoadThisTicket} retry={() => void refetch()} />
  if (!data || !isReady) return <TicketSkeleton />
  return <TicketContent data={data} isStale={isPlaceholderData} />
}

type TicketReply = ReplyOf<typeof helpdesk.getTicket>

const TICKET_CALLS = [helpdesk.getTicket, ...TICKET_LISTS]

const isOwn = ({ admin_id }: helpdesk.Reply) => admin_id === 0

function TicketContent({ data: { ticket, replies, pagination }, isStale }: { data: TicketReply; isStale: boolean }) {
  const { ticket_number, status } = ticket
  const navigate = useNavigate({ from: '/ticket/details/$ticketNumber' })
  return (
    <Stack gap={20} maw={820}>
      <TicketHeader ticket={ticket} />
      <Thread ticket={ticket} replies={replies} pagination={pagination} isStale={isStale} isOwn={isOwn} />
      <MessageForm
        label={texts.yourReply}
        draftName={`reply.${ticket_number}`}
        resetKey={replies}
        hint={status === 'close' ? texts.thisTicketIsClosedReplying : ''}
        call={replyToTicket}
        toInput={({ details, attachments }) => ({ ticket_number, details, attachments })}
        invalidates={TICKET_CALLS}
        save={async (send) => {
          const reply = await send()
          // To the last page, where the reply is.
          void navigate({ search: {}, replace: true, resetScroll: false })
          return reply
        }}
        sentMessage={texts.replySent}
      >
        {(sendingAction) => (
          <Button type="submit" variant="primary" busy={sendingAction !== undefined}>
            {texts.sendReply}
          </Button>
        )}
      </MessageForm>
    </Stack>
  )
}

type TicketProps = { ticket: helpdesk.TicketDetails }

function TicketHeader({ ticket }: TicketProps) {
  const { subject, status, department, priority, created_at, closed_at } = ticket
  const waiting = waitingText(ticket)
  return (
    <Group component="header" align="flex-start" justify="space-between" gap="8px 16px">
      <Stack gap={6} miw={0} flex="1 1 320px">
        <Text component="h2" dir="auto" fz="xl" fw={680} lh={1.3} style={{ overflowWrap: 'anywhere' }}>
          {subject}
        </Text>
        <Group gap="4px 10px">
          <TicketStatus status={status} />
          <p className={css.facts}>
            <span>{department}</span>
            <span>{priority}</span>
            <time dateTime={created_at} title={formatExactDate(created_at)}>
              {format(texts.opened, { created_at: formatShortDate(created_at) })}
            </time>
            {closed_at && (
              <time dateTime={closed_at} title={formatExactDate(closed_at)}>
                {format(texts.closed, { closed_at: formatShortDate(closed_at) })}
              </time>
            )}
            {waiting && <span>{waiting}</span>}
          </p>
        </Group>
      </Stack>
      <TicketStatusButton ticket={ticket} />
    </Group>
  )
}

/** Closes or reopens the ticket. */
function TicketStatusButton({ ticket: { ticket_number, status } }: TicketProps) {
  const reopen = useApiMutation(helpdesk.reopenTicket, {
    invalidates: TICKET_CALLS,
    errorTitle: texts.couldntReopenTheTicket,
  })
  const close = useApiMutation(helpdesk.closeTicket, {
    invalidates: TICKET_CALLS,
    success: () => ({
      message: format(texts.ticketClosed, { ticket_number }),
      action: { label: texts.reopen, run: () => reopen.mutate({ ticket_number }) },
    }),
    errorTitle: texts.couldntCloseTheTicket,
  })
  const isOpen = status === 'open'
  return (
    <Button
      busy={close.isPending || reopen.isPending}
      onClick={() => (isOpen ? close : reopen).mutate({ ticket_number })}
    >
      {isOpen ? texts.closeTicket : texts.reopenTicket}
    </Button>
  )
}

const NoSuchTicket = () => (
  <EmptyState
    icon={<IconMessageOff size={24} />}
    title={texts.ticketNotFound}
    action={
      <Link to="/tickets/$status" params={{ status: 'all' }} className={buttonCss.button}>
        {texts.seeAllTickets}
      </Link>
    }
  >
    {texts.youDontHaveATicket}
  </EmptyState>
)

const TicketSkeleton = () => (
  <Stack gap={20} maw={820} aria-busy>
    <Skeleton height={56} width="60%" radius="lg" />
    <Skeleton height={128} radius="lg" />
    <Skeleton height={128} radius="lg" />
  </Stack>
)
