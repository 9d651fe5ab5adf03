import { staff } from '@dubplate/contract'
import { Alert, Button, Code, Skeleton, Stack, Text, Title } from '@mantine/core'
import { IconMail, IconSend } from '@tabler/icons-react'
import { Fragment } from 'react'
import { AgoCell, MainCell, Status, type Tone } from '../../admin/cells.tsx'
import { type Column, ResourceTable } from '../../admin/ResourceTable.tsx'
import { SidePanel, TablePage } from '../../admin/TablePage.tsx'
import { ViewTabs } from '../../admin/TableToolbar.tsx'
import { useOpenRow } from '../../admin/useOpenRow.ts'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { format, rich } from '../../format/message.ts'
import { InlineError } from '../../platform/InlineError.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { oneOf, positiveInteger } from '../../platform/search-fields.ts'
import { useApiMutation } from '../../platform/useApiMutation.ts'
import * as texts from './texts.ts'

type Email = staff.OutgoingMail

const FILTER_NAMES = { waiting: texts.pending, sent: texts.sent, failed: texts.failed, bounced: texts.bounced }

const NONE_IN_STATE: Record<keyof typeof FILTER_NAMES, string> = {
  waiting: texts.noPendingEmails,
  sent: texts.noSentEmails,
  failed: texts.noFailedEmails,
  bounced: texts.noBouncedEmails,
}

const STATUSES: Record<Email['state'], { text: string; tone: Tone }> = {
  waiting: { text: texts.pending, tone: 'warning' },
  sent: { text: texts.sent, tone: 'ok' },
  failed: { text: texts.failed, tone: 'danger' },
}

function StatusCell({ email: { state, bounce_kind } }: { email: Email }) {
  const { text, tone } = bounce_kind ? ({ text: texts.bounced, tone: 'danger' } as const) : STATUSES[state]
  return <Status tone={tone}>{text}</Status>
}

/** Why an email has not arrived; '' if nothing is known to be wrong. */
function problemOf({ last_error, attempts, bounce_kind, bounce_detail }: Email): string {
  if (bounce_kind)
    return format(bounce_kind === 'hard' ? texts.thereIsNoSuchMailbox : texts.couldNotBeDelivered, {
      detail: bounce_detail ?? '',
    })
  return last_error ? format(texts.mailServerErrorAttempts, { last_error, attempts }) : ''
}

const idOf = ({ mail_id }: Email) => mail_id

const COLUMNS: Column<Email>[] = [
  {
    id: 'subject',
    header: texts.subject,
    width: 'auto',
    cell: ({ subject, to }) => <MainCell title={subject} text={to} />,
  },
  { id: 'status', header: texts.status, width: 124, cell: (email) => <StatusCell email={email} /> },
  {
    id: 'problem',
    header: texts.problem,
    width: 320,
    showFrom: 900,
    cell: (email) => <span title={problemOf(email)}>{problemOf(email)}</span>,
  },
  {
    id: 'created',
    header: texts.created,
    width: 124,
    isNumeric: true,
    cell: ({ created_at }) => <AgoCell at={created_at} />,
  },
]

/** Emails the pool has sent, or would have sent with a mail server. */
export function OutgoingMail() {
  const { search, change } = useTableSearch({ page: positiveInteger, state: oneOf(staff.MAIL_FILTERS) })
  const { page = 1, state } = search
  const query = useApiQuery(staff.getOutgoingMail, { page, state }, { keepPrevious: true })
  const { data } = query
  const open = useOpenRow(data?.mails, idOf)
  return (
    <TablePage
      total={data?.pagination}
      top={
        <>
          {data && !data.is_sent && (
            <Alert color="var(--warn)" mx="xl" mb="sm" role="note">
              {rich(texts.emailIsntSetUpSmtp, { code: (inside) => <Code>{inside}</Code> })}
            </Alert>
          )}
          <ViewTabs
            label={texts.emailStatus}
            views={[
              { value: 'all', name: texts.all },
              ...staff.MAIL_FILTERS.map((value) => ({ value, name: FILTER_NAMES[value], count: data?.counts[value] })),
            ]}
            current={state ?? 'all'}
            onChange={(value) => change({ state: value === 'all' ? undefined : value })}
          />
        </>
      }
      panel={
        open.row && (
          <SidePanel label={open.row.subject} {...open.panelProps}>
            <Message key={open.row.mail_id} email={open.row} canSend={data?.is_sent ?? false} />
          </SidePanel>
        )
      }
    >
      <ResourceTable
        name={texts.email}
        columns={COLUMNS}
        rows={data?.mails}
        pagination={data?.pagination}
        query={query}
        errorTitle={texts.couldntLoadEmails}
        idOf={idOf}
        labelOf={({ subject, to }) => format(texts.emailTo, { subject, to })}
        narrowRow={(email) => ({
          start: <MainCell title={email.subject} text={email.to} />,
          end: (
            <>
              <StatusCell email={email} />
              <AgoCell at={email.created_at} />
            </>
          ),
        })}
        {...open.tableProps}
        onPage={(page) => change({ page })}
        empty={{
          icon: <IconMail size={24} />,
          title: texts.noEmailsYet,
          text: state ? NONE_IN_STATE[state] : texts.emailsToApplicantsAndMembers,
        }}
      />
    </TablePage>
  )
}

/** One email. Its text is loaded when it is opened, because opening it is recorded in the audit log. */
function Message({ email, canSend }: { email: Email; canSend: boolean }) {
  const { data, error, refetch } = useApiQuery(staff.getMail, { mail_id: email.mail_id })
  const resend = useApiMutation(staff.sendMailAgain, {
    success: () => ({ message: format(texts.queuedToSend, { subject: email.subject }) }),
    errorTitle: texts.couldntResendEmail,
    invalidates: [staff.getOutgoingMail],
  })
  const problem = problemOf(email)
  return (
    <Stack gap="lg">
      <div>
        <Title order={2}>{email.subject}</Title>
        <Text c="dimmed">{email.to}</Text>
      </div>
      {problem && <Alert color="var(--danger)">{problem}</Alert>}
      {error && !data ? (
        <InlineError alert error={error} subject={texts.thisEmail} retry={() => void refetch()} />
      ) : (
        <Text
          component="div"
          style={{ whiteSpace: 'pre-wrap', overflowWrap: 'anywhere' }}
          aria-busy={!data || undefined}
        >
          {data ? <LinkedText text={data.mail.text} /> : <Skeleton height={160} />}
        </Text>
      )}
      {canSend && email.state !== 'waiting' && (
        <Button
          variant="default"
          leftSection={<IconSend size={16} />}
          loading={resend.isPending}
          onClick={() => resend.mutate({ mail_id: email.mail_id })}
        >
          {texts.resend}
        </Button>
      )}
    </Stack>
  )
}

const URL_PATTERN = /(https?:\/\/[^\s<>"]+)/

/** Text with clickable links. */
const LinkedText = ({ text }: { text: string }) =>
  text.split(URL_PATTERN).map((part, i) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: parts of a text are never reordered
    <Fragment key={i}>{URL_PATTERN.test(part) ? <a href={part}>{part}</a> : part}</Fragment>
  ))
