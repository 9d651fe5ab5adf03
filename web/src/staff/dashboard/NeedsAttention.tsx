import type { dashboard } from '@dubplate/contract'
import { Group, NavLink, Text } from '@mantine/core'
import { IconChecks, IconChevronRight } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { createElement } from 'react'
import { PageSection } from '../../admin/PageSection.tsx'
import { formatExactDate } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { useCurrentMinute } from '../../platform/timeAgo.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { waited } from '../support/ticketWaits.ts'
import {
  type AttentionTone,
  attentionIcon,
  attentionLink,
  attentionText,
  attentionTone,
  sortByTone,
} from './attentionItems.ts'
import * as texts from './texts.ts'

type Props = { items: readonly dashboard.AttentionItem[] }

/** Links to what staff with this role have to deal with. */
export const NeedsAttention = ({ items }: Props) => (
  <PageSection title={texts.needsAttention}>
    {items.length === 0 ? (
      <EmptyState icon={<IconChecks size={24} />} title={texts.allCaughtUp}>
        {texts.nothingNeedsYourAttentionNew}
      </EmptyState>
    ) : (
      <ul aria-label={texts.needsAttention}>
        {sortByTone(items).map((item) => (
          <li key={item.kind}>
            <AttentionRow item={item} />
          </li>
        ))}
      </ul>
    )}
  </PageSection>
)

/** Which time is shown: how long an item has been waiting, or when it arrived. */
const SINCE: Partial<Record<dashboard.AttentionKind, typeof texts.newestAgo | typeof texts.fromAgo>> = {
  mail_bounced: texts.newestAgo,
  backup_old: texts.fromAgo,
}

const COLOURS: Record<AttentionTone, string> = {
  danger: 'var(--danger)',
  warning: 'var(--warn)',
  neutral: 'var(--text-3)',
}

function AttentionRow({ item }: { item: dashboard.AttentionItem }) {
  const now = useCurrentMinute()
  const { kind, since, is_urgent } = item
  const { to, params, search } = attentionLink(item)
  return (
    <NavLink
      mih={40}
      px="sm"
      mx={-8}
      w="calc(100% + 16px)"
      style={{ borderRadius: 'var(--r-md)' }}
      // The item ensures that its parameters fit the route.
      renderRoot={(props) => (
        <Link {...props} to={to} params={(params ?? {}) as never} search={(search ?? {}) as never} />
      )}
      leftSection={createElement(attentionIcon(item), {
        ...{ size: 18, stroke: 1.8, color: COLOURS[attentionTone(item)], 'aria-hidden': true },
      })}
      label={
        <Text component="span" fz="md" fw={580}>
          {is_urgent && <span className="sr">{texts.problem} </span>}
          {attentionText(item)}
        </Text>
      }
      rightSection={
        <Group gap="sm" wrap="nowrap" fz="sm" c="var(--text-2)">
          {since && (
            <time dateTime={since} title={formatExactDate(since)}>
              {format(SINCE[kind] ?? texts.oldestSince, { time: waited(since, now) })}
            </time>
          )}
          <IconChevronRight size={16} aria-hidden />
        </Group>
      }
    />
  )
}
