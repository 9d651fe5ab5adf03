import { dashboard, payments } from '@dubplate/contract'
import { Button, Card, type CardProps, Group, Stack, Text } from '@mantine/core'
import { IconAlertTriangle, IconCircleCheck, IconClock, IconRefresh } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { formatExactDate } from '../../format/format.ts'
import { rich } from '../../format/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { formatTimeAgo, useCurrentMinute } from '../../platform/timeAgo.ts'
import { useApiMutation } from '../../platform/useApiMutation.ts'
import { gatewayName } from './refunds.ts'
import * as texts from './texts.ts'

const REFETCH_MS = 20_000

export const useGatewayStates = () => useApiQuery(payments.getGatewayStates, {}, { refetchMs: REFETCH_MS })

/** Whether the payment providers respond and accept the keys; nothing when the pool has none. */
export function GatewayStates(props: CardProps) {
  const { data } = useGatewayStates()
  const check = useApiMutation(payments.checkGateways, {
    errorTitle: texts.couldntCheckThePaymentProviders,
    invalidates: [payments.getGatewayStates, dashboard.getAttentionItems],
  })
  if (!data || data.gateways.length === 0) return null
  return (
    <Card component="section" padding="md" {...props} aria-label={texts.paymentProviders}>
      <Group align="start" justify="space-between">
        <Stack component="ul" gap="md" flex="1 1 280px">
          {data.gateways.map((gateway) => (
            <GatewayState key={gateway.gateway} gateway={gateway} />
          ))}
        </Stack>
        <Button
          variant="default"
          leftSection={<IconRefresh size={16} />}
          loading={check.isPending}
          onClick={() => check.mutate({})}
        >
          {texts.checkNow}
        </Button>
      </Group>
    </Card>
  )
}

const STATES = {
  up: { icon: IconCircleCheck, color: 'var(--ok)', text: texts.isWorking },
  down: { icon: IconAlertTriangle, color: 'var(--danger)', text: texts.isNotWorking },
  unchecked: { icon: IconClock, color: 'var(--text-3)', text: texts.hasNotBeenChecked },
} as const

const WHAT_TO_DO: Partial<Record<payments.GatewayState['reason'], string>> = {
  keys_rejected: texts.correctTheKeysInThe,
  unreachable: texts.checkTheNetworkAndFirewall,
  timeout: texts.checkProviderStatusAndNetwork,
  provider_error: texts.checkProviderStatus,
}

type GatewayStateProps = { gateway: payments.GatewayState }

function GatewayState({ gateway: { gateway, state, reason, detail, since, checked_at } }: GatewayStateProps) {
  const now = useCurrentMinute()
  const { icon: Icon, color, text } = STATES[state]
  const name = { name: gatewayName(gateway), b: (inside: ReactNode) => <b>{inside}</b> }
  return (
    <Group component="li" gap={10} wrap="nowrap" align="start" style={{ overflowWrap: 'anywhere' }}>
      <Icon size={18} color={color} style={{ flex: 'none', marginTop: 2 }} aria-hidden />
      <div>
        {state === 'down' && since
          ? rich(texts.stoppedWorking, {
              ...name,
              ago: formatTimeAgo(since, now),
              time: (inside) => (
                <time dateTime={since} title={formatExactDate(since)}>
                  {inside}
                </time>
              ),
            })
          : rich(text, name)}
        <Text fz="sm" c="dimmed">
          {state === 'down' && [detail, WHAT_TO_DO[reason], texts.membersCannotPayWithIt].filter(Boolean).join(' ')}
          {state === 'up' &&
            checked_at &&
            rich(texts.lastChecked, {
              checked_at: formatTimeAgo(checked_at, now),
              time: (inside) => <time dateTime={checked_at}>{inside}</time>,
            })}
        </Text>
      </div>
    </Group>
  )
}
