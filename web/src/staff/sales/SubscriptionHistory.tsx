import type { subscriptions } from '@dubplate/contract'
import { Group, Text, Timeline } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { DateCell } from '../../admin/cells.tsx'
import { money } from '../../billing/money.ts'
import { rich } from '../../format/message.ts'
import { eventText } from './subscriptionTexts.ts'
import * as texts from './texts.ts'

type Props = { events: readonly subscriptions.SubscriptionEvent[]; currency: string }

/** All events, newest first. */
export const SubscriptionHistory = ({ events, currency }: Props) => (
  <Timeline bulletSize={10} lineWidth={2} color="var(--line-strong)">
    {events.toReversed().map(({ at, kind, detail, amount, charge_id, invoice_id, invoice_number, by }) => (
      <Timeline.Item key={`${at} ${kind} ${charge_id} ${invoice_id}`}>
        <Group justify="space-between" gap="0 16px" fz="sm">
          <span>
            <b>{eventText(kind)}</b>{' '}
            {by &&
              rich(texts.by, {
                dj_name: by.dj_name,
                link: (inside) => (
                  <Link to="/staff/members/$customerId" params={{ customerId: by.customer_id }}>
                    {inside}
                  </Link>
                ),
              })}
          </span>
          <Group gap="sm">
            {invoice_number && (
              <Link to="/staff/invoices" search={{ find: invoice_number }}>
                {invoice_number}
              </Link>
            )}
            {amount && <b className="num">{money(amount, currency)}</b>}
          </Group>
        </Group>
        {detail && (
          <Text fz="sm" c="dimmed">
            {detail}
          </Text>
        )}
        <Text fz="xs">
          <DateCell at={at} />
        </Text>
      </Timeline.Item>
    ))}
  </Timeline>
)
