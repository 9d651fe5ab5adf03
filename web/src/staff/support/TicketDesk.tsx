import { type ReplyOf, support } from '@dubplate/contract'
import { IconMessageOff } from '@tabler/icons-react'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useRef, useState } from 'react'
import { flushSync } from 'react-dom'
import { MessageForm, type Outgoing } from '../../helpdesk/MessageForm.tsx'
import { Status } from '../../helpdesk/Status.tsx'
import { Thread } from '../../helpdesk/Thread.tsx'
import { useTicketWatch } from '../../helpdesk/ticketWatch.ts'
import { ApiError, callApi } from '../../platform/api.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { formatExactDate } from '../../platform/format.ts'
import { format, rich } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { useSession } from '../../platform/session.ts'
import { useCurrentMinute } from '../../platform/timeAgo.ts'
import { useCleaner } from '../../site/Html.tsx'
import buttonCss from '../../ui/Button.module.css'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import { toast } from '../../ui/toast.ts'
import { StaffPage } from '../StaffPage.tsx'
import { TicketBeside } from './TicketBeside.tsx'
import css from './TicketDesk.module.css'
import * as texts from './texts.ts'
import { askQueueAnew } from './tickets.ts'
import { waitsInWords } from './ticketWaits.ts'

const AnswerPicker = lazyOnDemand(() => import('./AnswerPicker.tsx').then((code) => code.AnswerPicker))

/** A ticket as staff see it. */
export function TicketDesk() {
  const { ticketNumber } = useParams({ from: '/staff/tickets/$ticketNumber' })
  return (
    <StaffPage title={format(texts.ticket, { ticketNumber })}>
      <Whole key={ticketNumber} ticketNumber={ticketNumber} />
    </StaffPage>
  )
}

/** Used when the URL names no page: the last page, with the newest replies. */
const LAST_PAGE = 0

function Whole({ ticketNumber }: { ticketNumber: number }) {
  const { page = LAST_PAGE } = useSearch({ from: '/staff/tickets/$ticketNumber' })
  const asked = useApiQuery(support.getTicket, { ticket_number: ticketNumber, page }, { keepPrevious: true })
  const { data, error, isPlaceholderData, refetch } = asked
  const askAnew = async () => {
    const { data, isSuccess } = await refetch()
    return isSuccess ? data?.watch_url : undefined
  }
  useTicketWatch(data?.watch_url, askAnew)
  const isReady = useCleaner()
  if (error instanceof ApiError && error.code === 'unknown_ticket') return <NoSuchTicket />
  if (!data && error) return <ErrorState error={error} subject={texts.thisTicket} retry={() => void refetch()} />
  if (!data || !isReady) return <Skeleton />
  return <Shown shown={data} isStale={isPlaceholderData} askAnew={askAnew} />
}

type ShownProps = {
  shown: ReplyOf<typeof support.getTicket>
  isStale: boolean
  askAnew: () => Promise<unknown>
}

function Shown({ shown, isStale, askAnew }: ShownProps) {
  const { ticket, replies, pagination, rejected_mail } = shown
  const { ticket_number, subject, status } = ticket
  const me = useSession(({ profile }) => profile?.customer_id)
  const isOwn = useCallback(({ admin_id }: { admin_id: number }) => admin_id === me, [me])
  const answer = useAnswering(shown, askAnew)
  const { insertion, picker } = useSavedReplies(ticket_number)
  return (
    <div className={css.desk}>
      <div className={css.talk}>
        <header className={css.head}>
          <h2 dir="auto">{subject}</h2>
          <p className={css.about}>
            <Status status={status} />
            <Wait ticket={ticket} />
          </p>
        </header>
        <Thread ticket={ticket} replies={replies} pagination={pagination} isStale={isStale} isOwn={isOwn} />
        <MessageForm
          label={texts.reply}
          draftName={`answer.${ticket_number}`}
          hint={format(texts.alsoEmailedTo, { dj_name: ticket.customer.dj_name })}
          resetKey={replies}
          insertion={insertion}
          onSend={answer}
        >
          {(sending) => (
            <>
              <Button type="submit" variant="primary" busy={sending === ''} disabled={sending !== undefined}>
                {texts.sendReply}
              </Button>
              <Button type="submit" value="close" busy={sending === 'close'} disabled={sending !== undefined}>
                {texts.sendAndClose}
              </Button>
            </>
          )}
        </MessageForm>
      </div>
      <TicketBeside ticket={ticket} keptOut={rejected_mail} />
      {picker}
    </div>
  )
}

/** Inserts the chosen saved reply at the caret. */
function useSavedReplies(ticketNumber: number) {
  const [answer, setAnswer] = useState<(html: string | undefined) => void>()
  const end = (html?: string) => {
    // The page has to be focusable again before the focus returns to it.
    flushSync(() => setAnswer(undefined))
    answer?.(html)
  }
  const insertion = {
    label: texts.savedReplies,
    open: (tell: (html: string | undefined) => void) => setAnswer(() => tell),
  }
  const picker = answer && <AnswerPicker ticketNumber={ticketNumber} onPick={end} onClose={() => end()} />
  return { insertion, picker }
}

function Wait({ ticket }: { ticket: support.QueuedTicket }) {
  const now = useCurrentMinute()
  const { waiting_since, is_overdue } = ticket
  return (
    <time dateTime={waiting_since} title={formatExactDate(waiting_since)} data-late={is_overdue || undefined}>
      {is_overdue
        ? rich(texts.overdueWaiting, { waits: waitsInWords(ticket, now), b: (inside) => inside })
        : waitsInWords(ticket, now)}
    </time>
  )
}

/**
 * Sends a reply. When others have written in the meantime, their messages are shown first: the reply is kept, and sent
 * when the user sends it again.
 */
function useAnswering({ ticket: { ticket_number }, replies }: ShownProps['shown'], askAnew: () => Promise<unknown>) {
  const navigate = useNavigate({ from: '/staff/tickets/$ticketNumber' })
  const newest = useRef(0)
  newest.current = Math.max(newest.current, ...replies.map(({ id }) => id))
  return async ({ details, attachments, by }: Outgoing) => {
    const isClosing = by === 'close'
    const after_reply_id = newest.current
    const goToEnd = () => navigate({ search: {}, replace: true, resetScroll: false })
    try {
      await callApi(support.answerTicket, { ticket_number, details, attachments, close: isClosing, after_reply_id })
    } catch (error) {
      if (error instanceof ApiError && error.code === 'reply_conflict') {
        await goToEnd()
        await askAnew()
      }
      throw error
    }
    void toast({
      message: isClosing ? format(texts.replySentAndTicketClosed, { ticket_number }) : texts.replySent,
    })
    void goToEnd()
    void askQueueAnew()
    await askAnew()
  }
}

const NoSuchTicket = () => (
  <EmptyState
    icon={<IconMessageOff size={24} />}
    title={texts.ticketNotFound}
    action={
      <Link to="/staff/tickets" className={buttonCss.button}>
        {texts.backToTickets}
      </Link>
    }
  >
    {texts.thisTicketDoesntExistOr}
  </EmptyState>
)

const Skeleton = () => (
  <div className={css.desk} aria-busy>
    <div className={css.talk}>
      <div className={css.headBone} />
      <div className={css.bone} />
      <div className={css.bone} />
    </div>
    <div className={css.bone} />
  </div>
)
