import { helpdesk, type ReplyOf } from '@dubplate/contract'
import { IconMessageOff } from '@tabler/icons-react'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { AccountPage } from '../membership/account/AccountPage.tsx'
import { useSeen } from '../notices/useSeen.ts'
import { ask, RefusalError } from '../platform/api.ts'
import { Trouble } from '../platform/errors.tsx'
import { exactDate, shortDate } from '../platform/format.ts'
import { format } from '../platform/message.ts'
import { useAsk } from '../platform/queries.ts'
import { useCleaner } from '../site/Html.tsx'
import buttonCss from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { toast, toastTrouble } from '../ui/toast.ts'
import { MessageForm, type Outgoing } from './MessageForm.tsx'
import { Status } from './Status.tsx'
import { Thread } from './Thread.tsx'
import css from './TicketView.module.css'
import * as texts from './texts.ts'
import { askListsAnew } from './ticketForm.ts'
import { useTicketWatch } from './ticketWatch.ts'
import { waitingWords } from './ticketWords.ts'

/** One ticket: what was asked, the replies, where to reply. */
export function TicketView() {
  const { ticketNumber } = useParams({ from: '/ticket/details/$ticketNumber' })
  return (
    <AccountPage title={format(texts.ticket, { ticketNumber })} isWide bones={<Bones />}>
      {() => <Whole key={ticketNumber} ticketNumber={ticketNumber} />}
    </AccountPage>
  )
}

/** Of an address without a page: the last one, where the talk goes on. */
const LAST_PAGE = 0

function Whole({ ticketNumber }: { ticketNumber: number }) {
  const { page = LAST_PAGE } = useSearch({ from: '/ticket/details/$ticketNumber' })
  const input = { ticket_number: ticketNumber, page, pageLimit: helpdesk.REPLIES_A_PAGE }
  const { data, error, isPlaceholderData, refetch } = useAsk(helpdesk.getTicket, input, { keepPrevious: true })
  const askAnew = async () => {
    const { data, isSuccess } = await refetch()
    return isSuccess ? data?.watch_url : undefined
  }
  useTicketWatch(data?.watch_url, askAnew)
  useSeen(data)
  const isReady = useCleaner()
  useEffect(() => {
    // What is shown counts as seen: the lists still say otherwise.
    if (data && data.ticket.unread > 0) void askListsAnew()
  }, [data])
  if (error && isUnknown(error)) return <NoSuchTicket />
  if (!data && error) return <Trouble error={error} what={texts.thisTicket} retry={() => void refetch()} />
  if (!data || !isReady) return <Bones />
  return <Shown shown={data} isStale={isPlaceholderData} askAnew={askAnew} />
}

const isUnknown = (error: Error) => error instanceof RefusalError && error.status === 404

type ShownProps = {
  shown: ReplyOf<typeof helpdesk.getTicket>
  isStale: boolean
  askAnew: () => Promise<unknown>
}

const isOwn = ({ admin_id }: helpdesk.Reply) => admin_id === 0

function Shown({ shown: { ticket, replies, pagination }, isStale, askAnew }: ShownProps) {
  const { ticket_number, status } = ticket
  const navigate = useNavigate({ from: '/ticket/details/$ticketNumber' })
  const reply = async ({ details, attachments }: Outgoing) => {
    await ask(helpdesk.replyToTicket, { ticket_number, details, attachments })
    void navigate({ search: {}, replace: true, resetScroll: false })
    void askListsAnew()
    await askAnew()
  }
  return (
    <div className={css.ticket}>
      <Head ticket={ticket} askAnew={askAnew} />
      <Thread ticket={ticket} replies={replies} pagination={pagination} isStale={isStale} isOwn={isOwn} />
      <MessageForm
        label={texts.yourReply}
        draftName={`reply.${ticket_number}`}
        above={replies}
        hint={status === 'close' ? texts.thisTicketIsClosedReplying : ''}
        onSend={reply}
        sentWords={texts.replySent}
      >
        {(sending) => (
          <Button type="submit" look="primary" busy={sending !== undefined}>
            {texts.sendReply}
          </Button>
        )}
      </MessageForm>
    </div>
  )
}

function Head({ ticket, askAnew }: { ticket: helpdesk.WholeTicket; askAnew: () => Promise<unknown> }) {
  const { subject, status, department, priority, created_at, closed_at } = ticket
  return (
    <header className={css.head}>
      <h2 dir="auto">{subject}</h2>
      <p className={css.about}>
        <Status status={status} />
        <span>{department}</span>
        <span>{priority}</span>
        <time dateTime={created_at} title={exactDate(created_at)}>
          {format(texts.opened, { created_at: shortDate(created_at) })}
        </time>
        {closed_at && (
          <time dateTime={closed_at} title={exactDate(closed_at)}>
            {format(texts.closed, { closed_at: shortDate(closed_at) })}
          </time>
        )}
        {waitingWords(ticket) && <span>{waitingWords(ticket)}</span>}
      </p>
      <Turn ticket={ticket} askAnew={askAnew} />
    </header>
  )
}

/** Closes the ticket, or opens it again. */
function Turn({ ticket, askAnew }: { ticket: helpdesk.WholeTicket; askAnew: () => Promise<unknown> }) {
  const [isBusy, setBusy] = useState(false)
  const { ticket_number, status } = ticket
  const turn = async (to: helpdesk.Ticket['status']) => {
    setBusy(true)
    try {
      await ask(to === 'close' ? helpdesk.closeTicket : helpdesk.reopenTicket, { ticket_number })
      void askListsAnew()
      await askAnew()
      if (to === 'close')
        void toast({
          message: format(texts.ticketClosed, { ticket_number }),
          action: { label: 'Reopen', run: () => void turn('open') },
        })
    } catch (error) {
      void toastTrouble(to === 'close' ? texts.couldntCloseTheTicket : texts.couldntReopenTheTicket, error)
    }
    setBusy(false)
  }
  const isOpen = status === 'open'
  return (
    <Button busy={isBusy} onClick={() => void turn(isOpen ? 'close' : 'open')}>
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

const Bones = () => (
  <div className={css.ticket} aria-busy>
    <div className={css.headBone} />
    <div className={css.bone} />
    <div className={css.bone} />
  </div>
)
