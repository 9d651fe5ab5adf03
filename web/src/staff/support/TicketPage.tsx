import { type ReplyOf, support } from '@dubplate/contract'
import { answerTicket } from '@dubplate/contract/schemas/support'
import { Breadcrumbs, Button, Container, Grid, Group, Skeleton, Stack, Title } from '@mantine/core'
import { IconMessageOff } from '@tabler/icons-react'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { useCallback, useState } from 'react'
import { flushSync } from 'react-dom'
import { format } from '../../format/message.ts'
import { MessageForm } from '../../helpdesk/MessageForm.tsx'
import { Thread } from '../../helpdesk/Thread.tsx'
import { useTicketWatch } from '../../helpdesk/ticketWatch.ts'
import { ApiError } from '../../platform/api.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useCleaner } from '../../platform/Html.tsx'
import { useTabTitle } from '../../platform/Page.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { useSession } from '../../platform/session.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import { toast } from '../../ui/toast.ts'
import { type TicketData, TicketDetails } from './TicketDetails.tsx'
import { TicketStatus, TicketWait } from './TicketStatus.tsx'
import * as texts from './texts.ts'
import { TICKET_CALLS } from './tickets.ts'

const SavedReplyPicker = lazyOnDemand(() => import('./SavedReplyPicker.tsx').then((code) => code.SavedReplyPicker))

/** Used when the URL names no page: the last page, with the newest replies. */
const LAST_PAGE = 0

/** A ticket as staff see it: its messages, and its details beside them. */
export function TicketPage() {
  const { ticketNumber } = useParams({ from: '/staff/tickets/$ticketNumber' })
  const { page = LAST_PAGE } = useSearch({ from: '/staff/tickets/$ticketNumber' })
  const query = useApiQuery(support.getTicket, { ticket_number: ticketNumber, page }, { keepPrevious: true })
  const { data, error, isPlaceholderData, refetch } = query
  const name = format(texts.ticket, { ticketNumber })
  // While another ticket loads, the last one is still there.
  const shown = data?.ticket.ticket_number === ticketNumber ? data : undefined
  useTabTitle(format(texts.ticketTabTitle, { subject: shown?.ticket.subject ?? name }))
  const refresh = async () => {
    const { data, isSuccess } = await refetch()
    return isSuccess ? data?.watch_url : undefined
  }
  useTicketWatch(shown?.watch_url, refresh)
  const isCleanerReady = useCleaner()
  return (
    <Container size={1240} px={{ base: 'lg', sm: 32 }} pt="lg" pb={48}>
      <Breadcrumbs fz="sm" c="var(--text-2)" aria-label={texts.breadcrumb} component="nav" mb="md">
        <Link to="/staff/tickets">{texts.tickets}</Link>
        <span aria-current="page">#{ticketNumber}</span>
      </Breadcrumbs>
      {error instanceof ApiError && error.code === 'unknown_ticket' ? (
        <UnknownTicket />
      ) : shown && isCleanerReady ? (
        <LoadedTicket key={ticketNumber} data={shown} isStale={isPlaceholderData} refresh={refresh} />
      ) : error ? (
        <>
          <Title order={1}>{name}</Title>
          <ErrorState error={error} title={texts.couldntLoadTicket} retry={() => void refetch()} />
        </>
      ) : (
        <LoadingTicket name={name} />
      )}
    </Container>
  )
}

type LoadedProps = {
  data: TicketData
  isStale: boolean
  refresh: () => Promise<unknown>
}

function LoadedTicket({ data, isStale, refresh }: LoadedProps) {
  const { ticket, replies, pagination, rejected_mail } = data
  const { ticket_number, subject, status, customer } = ticket
  const me = useSession(({ profile }) => profile?.customer_id)
  const isOwn = useCallback(({ admin_id }: { admin_id: number }) => admin_id === me, [me])
  const newestReplyId = useNewestReplyId(replies)
  const save = useSave(ticket_number, refresh)
  const { insertion, picker } = useSavedReplies(ticket_number)
  return (
    <>
      <Group component="header" gap="sm" mb="lg">
        <Title order={1} dir="auto" mr="sm" style={{ overflowWrap: 'anywhere' }}>
          {subject}
        </Title>
        <TicketStatus status={status} />
        <TicketWait ticket={ticket} />
      </Group>
      <Grid gap="xl">
        <Grid.Col span={{ base: 12, lg: 'auto' }} miw={0}>
          <Stack gap="lg">
            <Thread ticket={ticket} replies={replies} pagination={pagination} isStale={isStale} isOwn={isOwn} />
            <MessageForm
              label={texts.reply}
              draftName={`answer.${ticket_number}`}
              hint={format(texts.alsoEmailedTo, { dj_name: customer.dj_name })}
              resetKey={replies}
              insertion={insertion}
              call={answerTicket}
              toInput={({ details, attachments, action }) => ({
                ...{ ticket_number, details, attachments },
                close: action === 'close',
                after_reply_id: newestReplyId,
              })}
              invalidates={TICKET_CALLS}
              save={save}
            >
              {(sending) => (
                <>
                  <Button type="submit" loading={sending === ''} disabled={sending !== undefined}>
                    {texts.sendReply}
                  </Button>
                  <Button
                    type="submit"
                    variant="default"
                    value="close"
                    loading={sending === 'close'}
                    disabled={sending !== undefined}
                  >
                    {texts.sendAndClose}
                  </Button>
                </>
              )}
            </MessageForm>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, lg: 'content' }} w={{ lg: 344 }}>
          <TicketDetails ticket={ticket} rejected_mail={rejected_mail} />
        </Grid.Col>
      </Grid>
      {picker}
    </>
  )
}

/** Inserts the chosen saved reply at the caret. */
function useSavedReplies(ticketNumber: number) {
  const [insert, setInsert] = useState<(html: string | undefined) => void>()
  const close = (html?: string) => {
    // The page has to be focusable again before the focus returns to it.
    flushSync(() => setInsert(undefined))
    insert?.(html)
  }
  const insertion = {
    label: texts.savedReplies,
    open: (insertHtml: (html: string | undefined) => void) => setInsert(() => insertHtml),
  }
  const picker = insert && <SavedReplyPicker ticketNumber={ticketNumber} onPick={close} onClose={() => close()} />
  return { insertion, picker }
}

/** The newest reply that has been shown: on an earlier page of replies it is not among them. */
function useNewestReplyId(replies: TicketData['replies']): number {
  const [newest, setNewest] = useState(0)
  const newestHere = Math.max(0, ...replies.map(({ id }) => id))
  if (newestHere > newest) setNewest(newestHere)
  return Math.max(newest, newestHere)
}

/**
 * Sends a reply. When others have written since the ticket was opened, their messages are shown first: the reply is
 * kept, and sent when the user sends it again.
 */
function useSave(ticket_number: number, refresh: () => Promise<unknown>) {
  const navigate = useNavigate({ from: '/staff/tickets/$ticketNumber' })
  const goToLastPage = () => navigate({ search: {}, replace: true, resetScroll: false })
  return async (send: () => Promise<ReplyOf<typeof support.answerTicket>>, action: string) => {
    try {
      const reply = await send()
      void toast({
        message: action === 'close' ? format(texts.replySentAndTicketClosed, { ticket_number }) : texts.replySent,
      })
      void goToLastPage()
      return reply
    } catch (error) {
      if (error instanceof ApiError && error.code === 'reply_conflict') {
        await goToLastPage()
        await refresh()
      }
      throw error
    }
  }
}

const UnknownTicket = () => (
  <EmptyState
    icon={<IconMessageOff size={24} />}
    title={texts.ticketNotFound}
    action={
      <Button variant="default" renderRoot={(props) => <Link to="/staff/tickets" {...props} />}>
        {texts.backToTickets}
      </Button>
    }
  >
    {texts.thisTicketDoesntExistOr}
  </EmptyState>
)

const LoadingTicket = ({ name }: { name: string }) => (
  <div aria-busy>
    <Title order={1} mb="lg">
      {name}
    </Title>
    <Grid gap="xl">
      <Grid.Col span={{ base: 12, lg: 'auto' }}>
        <Stack gap="lg">
          <Skeleton height={140} radius="lg" />
          <Skeleton height={140} radius="lg" />
        </Stack>
      </Grid.Col>
      <Grid.Col span={{ base: 12, lg: 'content' }} w={{ lg: 344 }}>
        <Skeleton height={360} radius="lg" />
      </Grid.Col>
    </Grid>
  </div>
)
