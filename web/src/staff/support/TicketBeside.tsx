import { helpdesk, type ReplyOf, support } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatExactDate, formatShortDate } from '../../platform/format.ts'
import { format } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { useSession } from '../../platform/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Field } from '../../uploads/Field.tsx'
import lists from '../Lists.module.css'
import css from './TicketDesk.module.css'
import * as texts from './texts.ts'
import { changeTicket } from './tickets.ts'

type Shown = ReplyOf<typeof support.getTicket>

/** The ticket's customer and properties, and the emails that did not become replies. */
export function TicketBeside({ ticket, keptOut }: { ticket: Shown['ticket']; keptOut: Shown['rejected_mail'] }) {
  return (
    <aside className={css.beside} aria-label={texts.ticketDetails}>
      <Customer ticket={ticket} />
      <Place ticket={ticket} />
      {keptOut.length > 0 && <KeptOut mails={keptOut} />}
    </aside>
  )
}

const Customer = ({ ticket: { customer } }: { ticket: Shown['ticket'] }) => (
  <section className={`${lists.card} ${css.customer}`} aria-label={texts.member}>
    <h3>
      <Link to="/staff/members/$customerId" params={{ customerId: customer.customer_id }}>
        {customer.dj_name}
      </Link>
    </h3>
    <a href={`mailto:${customer.email}`}>{customer.email}</a>
    <p>{customer.payment_profile_status === 'paid' ? texts.paidMember : texts.unpaidMember}</p>
    <Link to="/staff/tickets" search={{ state: 'all', find: customer.email }}>
      {texts.viewAllTickets}
    </Link>
  </section>
)

type Change = Parameters<typeof changeTicket>[1]

function Place({ ticket }: { ticket: Shown['ticket'] }) {
  const { ticket_number, status, assigned_to, department, priority } = ticket
  const me = useSession(({ profile }) => profile?.customer_id)
  /** The change being saved. */
  const [pending, setPending] = useState<Change>()
  const colleagues = useApiQuery(support.getColleagues, {}).data?.colleagues ?? []
  const departments = useApiQuery(helpdesk.getDepartments, {}).data?.departments ?? []
  const priorities = useApiQuery(helpdesk.getPriorities, {}).data?.priorities ?? []
  const change = async (it: Change) => {
    setPending(it)
    await changeTicket(ticket_number, it)
    setPending(undefined)
  }
  const people = colleagues.map(({ customer_id, dj_name }) => ({ id: customer_id, name: dj_name }))
  const assigned = pending?.assigned_to ?? assigned_to?.customer_id ?? 0
  const isBusy = pending !== undefined
  return (
    <section className={lists.card} aria-label={texts.assignment}>
      <Choice
        label={texts.assignedTo}
        path="assigned_to"
        choices={[
          { id: 0, name: texts.unassigned },
          ...known(people, assigned_to && { id: assigned_to.customer_id, name: assigned_to.dj_name }),
        ]}
        chosen={Number(assigned)}
        isBusy={isBusy}
        onChoose={(id) => void change({ assigned_to: id })}
      />
      <Choice
        label={texts.department}
        path="department_id"
        choices={known(departments, { id: 0, name: department })}
        chosen={Number(pending?.department_id ?? idOf(departments, department))}
        isBusy={isBusy}
        onChoose={(id) => void change({ department_id: id })}
      />
      <Choice
        label={texts.priority}
        path="priority_id"
        choices={known(priorities, { id: 0, name: priority })}
        chosen={Number(pending?.priority_id ?? idOf(priorities, priority))}
        isBusy={isBusy}
        onChoose={(id) => void change({ priority_id: id })}
      />
      <div className={css.actions}>
        {assigned !== me && me !== undefined && (
          <Button busy={pending?.assigned_to === me} disabled={isBusy} onClick={() => void change({ assigned_to: me })}>
            {texts.assignToMe}
          </Button>
        )}
        <Button
          busy={pending?.status !== undefined}
          disabled={isBusy}
          onClick={() => void change({ status: status === 'open' ? 'close' : 'open' })}
        >
          {status === 'open' ? texts.closeTicket : texts.reopenTicket}
        </Button>
      </div>
    </section>
  )
}

const idOf = (choices: helpdesk.NamedItem[], name: string) => choices.find((choice) => choice.name === name)?.id ?? 0

/** The choices, and the current one if it is not among them: no longer offered, or not loaded yet. */
const known = (choices: helpdesk.NamedItem[], own: helpdesk.NamedItem | null) =>
  own && !choices.some(({ name }) => name === own.name) ? [own, ...choices] : choices

type ChoiceProps = {
  label: string
  path: string
  choices: helpdesk.NamedItem[]
  chosen: number
  isBusy: boolean
  onChoose: (id: number) => void
}

const Choice = ({ label, path, choices, chosen, isBusy, onChoose }: ChoiceProps) => (
  <Field label={label} path={path}>
    {(control) => (
      <select
        {...control}
        value={chosen}
        aria-busy={isBusy || undefined}
        onChange={({ target }) => !isBusy && onChoose(Number(target.value))}
      >
        {choices.map(({ id, name }) => (
          <option key={id} value={id}>
            {name}
          </option>
        ))}
      </select>
    )}
  </Field>
)

/** Why an email did not become a reply. */
const VERDICTS: Record<string, string> = {
  automatic: texts.automaticReply,
  bounce: texts.bounced,
  stranger: texts.unknownSender,
  unknown: texts.noMatchingTicket,
  empty: texts.noText,
  too_many: texts.tooManyReplies,
  twice: texts.duplicateReply,
}

const KeptOut = ({ mails }: { mails: Shown['rejected_mail'] }) => (
  <details className={`${lists.card} ${css.kept}`}>
    <summary>{format(texts.emailsFilteredOut, { count: mails.length })}</summary>
    <ul>
      {mails.map(({ verdict, from, detail, received_at }) => (
        <li key={`${received_at} ${from}`}>
          <b>{VERDICTS[verdict] ?? verdict}</b>
          <span>
            {from} ·{' '}
            <time dateTime={received_at} title={formatExactDate(received_at)}>
              {formatShortDate(received_at)}
            </time>
          </span>
          {detail && <span>{detail}</span>}
        </li>
      ))}
    </ul>
  </details>
)
