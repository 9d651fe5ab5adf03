import { helpdesk, type ReplyOf } from '@dubplate/contract'
import { IconMessageOff } from '@tabler/icons-react'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { AccountPage } from '../membership/account/AccountPage.tsx'
import { useMarkSeen } from '../notices/useMarkSeen.ts'
import { ApiError, callApi } from '../platform/api.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { formatExactDate, formatShortDate } from '../platform/format.ts'
import { format } from '../platform/message.ts'
import { useApiQuery } from '../platform/queries.ts'
import { useCleaner } from '../site/Html.tsx'
import buttonCss from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { toast, toastError } from '../ui/toast.ts'
import { MessageForm, type Outgoing } from './MessageForm.tsx'
import { Status } from './Status.tsx'
import { Thread } from './Thread.tsx'
import css from './TicketView.module.css'
import * as texts from './texts.ts'
import { refetchTicketLists } from './ticketForm.ts'
import { waitingText } from './ticketTexts.ts'
import { useTicketWatch } from './ticketWatch.ts'

/** One ticket: its messages, and the form for a reply. */
export function TicketView() {
  const { ticketNumber } = useParams({ from: '/ticket/details/$ticketNumber' })
  return (
    <AccountPage title={format(texts.ticket, { ticketNumber })} isWide skeleton={<Skeleton />}>
      {() => <TicketPage key={ticketNumber} ticketNumber={ticketNumber} />}
    </AccountPage>
  )
}

/** For a URL without a page: the last one, with the newest replies. */
const LAST_PAGE = 0

function TicketPage({ ticketNumber }: { ticketNumber: number }) {
  const { page = LAST_PAGE } = useSearch({ from: '/ticket/details/$ticketNumber' })
  const input = { ticket_number: ticketNumber, page, pageLimit: helpdesk.REPLIES_PER_PAGE }
  const { data, error, isPlaceholderData, refetch } = useApiQuery(helpdesk.getTicket, input, { keepPrevious: true })
  const refetchTicket = async () => {
    const { data, isSuccess } = await refetch()
    return isSuccess ? data?.watch_url : undefined
  }
  useTicketWatch(data?.watch_url, refetchTicket)
  useMarkSeen(data)
  const isReady = useCleaner()
  useEffect(() => {
    // Showing the ticket marks it as read, so the lists are outdated.
    if (data && data.ticket.unread > 0) void refetchTicketLists()
  }, [data])
  if (error && isUnknown(error)) return <NoSuchTicket />
  if (!data && error)
    return <ErrorState error={error} title={texts.couldntLoadThisTicket} retry={() => void refetch()} />
  if (!data || !isReady) return <Skeleton />
  return <TicketContent shown={data} isStale={isPlaceholderData} refetchTicket={refetchTicket} />
}

const isUnknown = (error: Error) => error instanceof ApiError && error.status === 404

type TicketContentProps = {
  shown: ReplyOf<typeof helpdesk.getTicket>
  isStale: boolean
  refetchTicket: () => Promise<unknown>
}

const isOwn = ({ admin_id }: helpdesk.Reply) => admin_id === 0

function TicketContent({ shown: { ticket, replies, pagination }, isStale, refetchTicket }: TicketContentProps) {
  const { ticket_number, status } = ticket
  const navigate = useNavigate({ from: '/ticket/details/$ticketNumber' })
  const reply = async ({ details, attachments }: Outgoing) => {
    await callApi(helpdesk.replyToTicket, { ticket_number, details, attachments })
    void navigate({ search: {}, replace: true, resetScroll: false })
    void refetchTicketLists()
    await refetchTicket()
  }
  return (
    <div className={css.ticket}>
      <TicketHeader ticket={ticket} refetchTicket={refetchTicket} />
      <Thread ticket={ticket} replies={replies} pagination={pagination} isStale={isStale} isOwn={isOwn} />
      <MessageForm
        label={texts.yourReply}
        draftName={`reply.${ticket_number}`}
        resetKey={replies}
        hint={status === 'close' ? texts.thisTicketIsClosedReplying : ''}
        onSend={reply}
        sentMessage={texts.replySent}
      >
        {(sending) => (
          <Button type="submit" variant="primary" busy={sending !== undefined}>
            {texts.sendReply}
          </Button>
        )}
      </MessageForm>
    </div>
  )
}

function TicketHeader({
  ticket,
  refetchTicket,
}: {
  ticket: helpdesk.TicketDetails
  refetchTicket: () => Promise<unknown>
}) {
  const { subject, status, department, priority, created_at, closed_at } = ticket
  return (
    <header className={css.head}>
      <h2 dir="auto">{subject}</h2>
      <p className={css.about}>
        <Status status={status} />
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
        {waitingText(ticket) && <span>{waitingText(ticket)}</span>}
      </p>
      <TicketStatusButton ticket={ticket} refetchTicket={refetchTicket} />
    </header>
  )
}

/** Closes or reopens the ticket. */
function TicketStatusButton({
  ticket,
  refetchTicket,
}: {
  ticket: helpdesk.TicketDetails
  refetchTicket: () => Promise<unknown>
}) {
  const [isBusy, setBusy] = useState(false)
  const { ticket_number, status } = ticket
  const changeStatus = async (to: helpdesk.Ticket['status']) => {
    setBusy(true)
    try {
      await callApi(to === 'close' ? helpdesk.closeTicket : helpdesk.reopenTicket, { ticket_number })
      void refetchTicketLists()
      await refetchTicket()
      if (to === 'close')
        void toast({
          message: format(texts.ticketClosed, { ticket_number }),
          action: { label: texts.reopen, run: () => void changeStatus('open') },
        })
    } catch (error) {
      void toastError(to === 'close' ? texts.couldntCloseTheTicket : texts.couldntReopenTheTicket, error)
    }
    setBusy(false)
  }
  const isOpen = status === 'open'
  return (
    <Button busy={isBusy} onClick={() => void changeStatus(isOpen ? 'close' : 'open')}>
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

const Skeleton = () => (
  <div className={css.ticket} aria-busy>
    <div className={css.headBone} />
    <div className={css.bone} />
    <div className={css.bone} />
  </div>
)
