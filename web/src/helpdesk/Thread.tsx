import type { helpdesk, Pagination as Pages } from '@dubplate/contract'
import { Pagination } from '../ui/Pagination.tsx'
import css from './Thread.module.css'
import { ThreadMessage } from './ThreadMessage.tsx'
import * as texts from './texts.ts'
import { useNewReplies } from './useNewReplies.ts'

type Props = {
  ticket: Pick<helpdesk.TicketDetails, 'ticket_number' | 'details' | 'author' | 'attachments' | 'created_at'>
  replies: readonly helpdesk.Reply[]
  pagination: Pages
  isStale: boolean
  /** Whether a reply is the reader's own and therefore not new. */
  isOwn: (reply: helpdesk.Reply) => boolean
}

/** The ticket's first message and its replies, oldest first. On later pages the first message is collapsed. */
export function Thread({ ticket, replies, pagination, isStale, isOwn }: Props) {
  const newReplies = useNewReplies(ticket.ticket_number, pagination, replies, isOwn)
  const question = <ThreadMessage reply={{ ...ticket, admin_id: 0 }} />
  return (
    <div className={css.thread} aria-busy={isStale || undefined}>
      {pagination.page <= 1 ? (
        question
      ) : (
        <details className={css.question}>
          <summary>{texts.showOriginalMessage}</summary>
          {question}
        </details>
      )}
      <p role="status" className="sr">
        {newReplies.words}
      </p>
      {replies.length > 0 && (
        <ol className={css.replies} aria-label={texts.replies}>
          {replies.map((reply) => (
            <li key={reply.id}>
              <ThreadMessage reply={reply} isNew={newReplies.ids.has(reply.id)} />
            </li>
          ))}
        </ol>
      )}
      <Pagination pagination={pagination} startsAtLastPage />
    </div>
  )
}
