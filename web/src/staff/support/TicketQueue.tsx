import { type ReplyOf, support } from '@dubplate/contract'
import { IconMessage } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { count } from '../../platform/format.ts'
import { format, rich } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import chips from '../../ui/Chips.module.css'
import { Chips } from '../../ui/Chips.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { timeInWords } from '../dashboard/figureWords.ts'
import keys from '../Keys.module.css'
import lists from '../Lists.module.css'
import { queueKeys } from '../queueKeys.ts'
import { StaffPage } from '../StaffPage.tsx'
import { TicketCard } from './TicketCard.tsx'
import css from './TicketQueue.module.css'
import * as texts from './texts.ts'

/** The ticket queue: waiting and answered tickets. */
export const TicketQueue = () => (
  <StaffPage title={texts.tickets}>
    <Queue />
  </StaffPage>
)

type State = (typeof support.QUEUE_STATES)[number]
type Waits = ReplyOf<typeof support.getQueue>['response_times']

const STATES: Record<State, { name: string; title: string; text: string }> = {
  waiting: {
    name: texts.needsReply,
    title: texts.noTicketsNeedAReply,
    text: texts.allTicketsAreAnsweredNew,
  },
  answered: {
    name: texts.replied,
    title: texts.noRepliedTickets,
    text: texts.ticketsThatNeedTheMembers,
  },
  close: { name: texts.closed, title: texts.noClosedTickets, text: texts.closedTicketsAppearHere },
  all: { name: texts.all, title: texts.noTicketsYet, text: texts.messagesToSupportAppearHere },
}

function Queue() {
  const { page = 1, state = 'waiting', find, mine } = useSearch({ from: '/staff/tickets' })
  const navigate = useNavigate({ from: '/staff/tickets' })
  const input = { page, state, search: find ?? '', mine: mine === 1 }
  const { data, error, isPlaceholderData, refetch } = useApiQuery(support.getQueue, input, { keepPrevious: true })
  const nameOf = (each: State) => (data ? `${STATES[each].name} ${count(data.counts[each])}` : STATES[each].name)
  return (
    <>
      <div className={lists.bar}>
        <Chips
          label={texts.ticketStatus}
          choices={support.QUEUE_STATES.map((value) => ({ value, label: nameOf(value) }))}
          chosen={state}
          onChoose={(state) =>
            void navigate({ search: { state: state === 'waiting' ? undefined : state, find, mine } })
          }
        />
        <div className={css.end}>
          <button
            type="button"
            className={chips.chip}
            aria-pressed={mine === 1}
            onClick={() => void navigate({ search: ({ page: _, ...was }) => ({ ...was, mine: mine ? undefined : 1 }) })}
          >
            {texts.assignedToMe}
          </button>
          <SearchField
            label={texts.searchBySubjectNumberDj}
            value={find ?? ''}
            onSearch={(find) => void navigate({ search: (was) => ({ ...was, page: undefined, find }), replace: true })}
          />
        </div>
      </div>
      <div className={css.waits}>
        <p className={css.late} role="status">
          {data && data.counts.late > 0 && format(texts.overdueCount, { n: count(data.counts.late) })}
        </p>
        <p>{data && mediansInWords(data.response_times)}</p>
      </div>
      {error && !data && <ErrorState error={error} subject={texts.ticketsInSentence} retry={() => void refetch()} />}
      {!data && !error && <ToCome />}
      {data?.tickets.length === 0 && <NoTickets state={state} isNarrowed={!!find || mine === 1} />}
      {data && data.tickets.length > 0 && (
        <>
          <ol
            className={lists.cards}
            aria-label={texts.tickets}
            aria-busy={isPlaceholderData || undefined}
            {...queueKeys}
          >
            {data.tickets.map((ticket) => (
              <TicketCard key={ticket.ticket_number} ticket={ticket} />
            ))}
          </ol>
          <Pagination pagination={data.pagination} />
          <p className={keys.keys}>
            {rich(texts.shortcutsJKMoveEnterOpen, {
              kbd: (inside) => <kbd>{inside}</kbd>,
              kbd2: (inside) => <kbd>{inside}</kbd>,
              kbd3: (inside) => <kbd>{inside}</kbd>,
              kbd4: (inside) => <kbd>{inside}</kbd>,
            })}
          </p>
        </>
      )}
    </>
  )
}

/** Median waiting times, in words. */
function mediansInWords({ median_seconds, first_reply_seconds }: Waits): string {
  const wait = median_seconds === null ? '' : timeInWords(median_seconds)
  const reply = first_reply_seconds === null ? '' : timeInWords(first_reply_seconds)
  if (wait && reply) return format(texts.medianWaitAndFirstReply, { wait, reply })
  if (wait) return format(texts.medianWait, { wait })
  return reply && format(texts.medianFirstReply, { reply })
}

function NoTickets({ state, isNarrowed }: { state: State; isNarrowed: boolean }) {
  const { title, text } = STATES[state]
  return (
    <EmptyState icon={<IconMessage size={24} />} title={isNarrowed ? texts.noMatchingTickets : title}>
      {isNarrowed ? texts.tryADifferentSearchOr : text}
    </EmptyState>
  )
}

const CARDS = 6

const ToCome = () => (
  <ol className={lists.cards} aria-busy aria-label={texts.loadingTickets}>
    {Array.from({ length: CARDS }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
      <li key={i} className={`${lists.bone} ${css.bone}`} aria-hidden />
    ))}
  </ol>
)
