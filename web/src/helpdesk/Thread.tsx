import type { helpdesk, Pagination as Pages } from '@dubplate/contract'
import { Badge, Box, Group, Stack, Text } from '@mantine/core'
import type { ReactNode } from 'react'
import { formatExactDate } from '../format/format.ts'
import { Html } from '../platform/Html.tsx'
import { formatTimeAgo, useCurrentMinute } from '../platform/timeAgo.ts'
import { Pagination } from '../ui/Pagination.tsx'
import words from '../ui/Words.module.css'
import { AttachmentList } from './AttachmentList.tsx'
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
    <Stack gap="md" opacity={isStale ? 0.6 : undefined} aria-busy={isStale || undefined}>
      {pagination.page <= 1 ? question : <Disclosure label={texts.showOriginalMessage}>{question}</Disclosure>}
      <p role="status" className="sr">
        {newReplies.words}
      </p>
      {replies.length > 0 && (
        <Stack component="ol" gap="md" aria-label={texts.replies}>
          {replies.map((reply) => (
            <li key={reply.id}>
              <ThreadMessage reply={reply} isNew={newReplies.ids.has(reply.id)} />
            </li>
          ))}
        </Stack>
      )}
      <Pagination pagination={pagination} startsAtLastPage />
    </Stack>
  )
}

type MessageProps = {
  reply: Pick<helpdesk.Reply, 'author' | 'admin_id' | 'created_at' | 'details' | 'attachments'> &
    Partial<Pick<helpdesk.Reply, 'quoted' | 'via'>>
  /** True if the message arrived while the screen was open. */
  isNew?: boolean
}

/** A message: author and time, text, collapsed email quotes, attachments. */
function ThreadMessage({ reply, isNew }: MessageProps) {
  const { author, admin_id, created_at, details, quoted, via, attachments } = reply
  const now = useCurrentMinute()
  const isStaff = admin_id !== 0
  return (
    <Stack
      component="article"
      gap="sm"
      p="14px 16px"
      bdrs="lg"
      bd={`1px solid var(${isNew ? '--accent-ink' : '--line'})`}
      bg={isStaff ? 'var(--surface-2)' : 'var(--surface)'}
    >
      <Group component="header" gap="2px 8px">
        <Text component="b" fw={620} style={{ overflowWrap: 'anywhere' }}>
          {author}
        </Text>
        <Label color={isStaff ? 'var(--accent-ink)' : 'var(--text-2)'}>{isStaff ? texts.staff : texts.customer}</Label>
        {via === 'mail' && <Label>{texts.viaEmail}</Label>}
        {isNew && <Label>{texts.newLabel}</Label>}
        <Text
          component="time"
          fz="xs"
          c="var(--text-2)"
          ml="auto"
          dateTime={created_at}
          title={formatExactDate(created_at)}
        >
          {formatTimeAgo(created_at, now)}
        </Text>
      </Group>
      <MessageText html={details} />
      {quoted && (
        <Disclosure label={texts.showQuotedText}>
          <Box c="var(--text-2)" pl="md" style={{ borderLeft: '3px solid var(--line-strong)' }}>
            <MessageText html={quoted} />
          </Box>
        </Disclosure>
      )}
      <AttachmentList attachments={attachments} />
    </Stack>
  )
}

const Label = ({ color = 'var(--text-2)', children }: { color?: string; children: string }) => (
  <Badge variant="light" color={color} tt="none" fw={560}>
    {children}
  </Badge>
)

const MessageText = ({ html }: { html: string }) => (
  <Text component="div" lh={1.5} maw="74ch">
    <Html html={html} className={words.words} />
  </Text>
)

const Disclosure = ({ label, children }: { label: string; children: ReactNode }) => (
  <details>
    <Text component="summary" fz="xs" c="var(--text-2)" lh="24px" w="fit-content" style={{ cursor: 'pointer' }}>
      {label}
    </Text>
    {children}
  </details>
)
