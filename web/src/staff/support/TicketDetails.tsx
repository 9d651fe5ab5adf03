import { helpdesk, type ReplyOf, support } from '@dubplate/contract'
import { Button, Card, Group, Select, Stack, Text, Title } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { formatExactDate, formatShortDate } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { useSession } from '../../platform/session.ts'
import * as texts from './texts.ts'
import { useTicketChange } from './tickets.ts'

export type TicketData = ReplyOf<typeof support.getTicket>

/** The ticket's customer and properties, and the emails that did not become replies. */
export const TicketDetails = ({ ticket, rejected_mail }: Pick<TicketData, 'ticket' | 'rejected_mail'>) => (
  <Stack component="aside" gap="lg" aria-label={texts.ticketDetails}>
    <CustomerCard ticket={ticket} />
    <PropertiesCard ticket={ticket} />
    {rejected_mail.length > 0 && <RejectedMailCard mails={rejected_mail} />}
  </Stack>
)

const CustomerCard = ({ ticket: { customer } }: Pick<TicketData, 'ticket'>) => (
  <Card component="section" aria-label={texts.member}>
    <Stack gap="sm" style={{ overflowWrap: 'anywhere' }}>
      <Title order={2}>
        <Link to="/staff/members/$customerId" params={{ customerId: customer.customer_id }}>
          {customer.dj_name}
        </Link>
      </Title>
      <a href={`mailto:${customer.email}`}>{customer.email}</a>
      <Text size="sm" c="var(--text-2)">
        {customer.payment_profile_status === 'paid' ? texts.paidMember : texts.unpaidMember}
      </Text>
      <Link to="/staff/tickets" search={{ state: 'all', find: customer.email }}>
        {texts.viewAllTickets}
      </Link>
    </Stack>
  </Card>
)

/** The properties of a ticket. Each change is saved at once. */
function PropertiesCard({ ticket }: Pick<TicketData, 'ticket'>) {
  const { ticket_number, status, assigned_to, department, priority } = ticket
  const me = useSession(({ profile }) => profile?.customer_id)
  const change = useTicketChange()
  const pending = change.isPending ? change.variables : undefined
  const colleagues = useApiQuery(support.getColleagues, {}).data?.colleagues ?? []
  const departments = useApiQuery(helpdesk.getDepartments, {}).data?.departments ?? []
  const priorities = useApiQuery(helpdesk.getPriorities, {}).data?.priorities ?? []
  const people = [
    { id: 0, name: texts.unassigned },
    ...colleagues.map(({ customer_id, dj_name }) => ({ id: customer_id, name: dj_name })),
  ]
  const assignedTo = Number(pending?.assigned_to ?? assigned_to?.customer_id ?? 0)
  return (
    <Card component="section" aria-label={texts.assignment}>
      <Stack gap="md">
        <PropertySelect
          label={texts.assignedTo}
          // A former colleague is no longer listed.
          options={withCurrent(people, assigned_to && { id: assigned_to.customer_id, name: assigned_to.dj_name })}
          value={assignedTo}
          isBusy={change.isPending}
          onChange={(id) => change.mutate({ ticket_number, assigned_to: id })}
        />
        <PropertySelect
          label={texts.department}
          options={withCurrent(departments, { id: 0, name: department })}
          value={Number(pending?.department_id ?? idOf(departments, department))}
          isBusy={change.isPending}
          onChange={(id) => change.mutate({ ticket_number, department_id: id })}
        />
        <PropertySelect
          label={texts.priority}
          options={withCurrent(priorities, { id: 0, name: priority })}
          value={Number(pending?.priority_id ?? idOf(priorities, priority))}
          isBusy={change.isPending}
          onChange={(id) => change.mutate({ ticket_number, priority_id: id })}
        />
        <Group gap="sm">
          {me !== undefined && assignedTo !== me && (
            <Button
              variant="default"
              disabled={change.isPending}
              onClick={() => change.mutate({ ticket_number, assigned_to: me })}
            >
              {texts.assignToMe}
            </Button>
          )}
          <Button
            variant="default"
            loading={pending?.status !== undefined}
            disabled={change.isPending}
            onClick={() => change.mutate({ ticket_number, status: status === 'open' ? 'close' : 'open' })}
          >
            {status === 'open' ? texts.closeTicket : texts.reopenTicket}
          </Button>
        </Group>
      </Stack>
    </Card>
  )
}

const idOf = (options: helpdesk.NamedItem[], name: string) => options.find((option) => option.name === name)?.id ?? 0

/** The options, and the current one if it is not among them: no longer offered, or not loaded yet. */
const withCurrent = (options: helpdesk.NamedItem[], current: helpdesk.NamedItem | null) =>
  current && !options.some(({ name }) => name === current.name) ? [current, ...options] : options

type SelectProps = {
  label: string
  options: helpdesk.NamedItem[]
  value: number
  isBusy: boolean
  onChange: (id: number) => void
}

const PropertySelect = ({ label, options, value, isBusy, onChange }: SelectProps) => (
  <Select
    label={label}
    data={options.map(({ id, name }) => ({ value: String(id), label: name }))}
    value={String(value)}
    allowDeselect={false}
    aria-busy={isBusy || undefined}
    onChange={(id) => !isBusy && id !== null && onChange(Number(id))}
  />
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

const RejectedMailCard = ({ mails }: { mails: TicketData['rejected_mail'] }) => (
  <Card component="details">
    <summary>{format(texts.emailsFilteredOut, { count: mails.length })}</summary>
    <Stack component="ul" gap="md" mt="sm" style={{ overflowWrap: 'anywhere' }}>
      {mails.map(({ verdict, from, detail, received_at }) => (
        <li key={`${received_at} ${from}`}>
          <Text fw={600}>{VERDICTS[verdict] ?? verdict}</Text>
          <Text size="sm" c="var(--text-2)">
            {from} ·{' '}
            <time dateTime={received_at} title={formatExactDate(received_at)}>
              {formatShortDate(received_at)}
            </time>
          </Text>
          {detail && <Text size="sm">{detail}</Text>}
        </li>
      ))}
    </Stack>
  </Card>
)
