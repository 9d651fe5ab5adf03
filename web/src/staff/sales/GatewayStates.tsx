import { dashboard, payments } from '@dubplate/contract'
import { IconAlertTriangle, IconCircleCheck, IconClock, IconRefresh } from '@tabler/icons-react'
import { useState } from 'react'
import { callApi } from '../../platform/api.ts'
import { formatExactDate } from '../../platform/format.ts'
import { rich } from '../../platform/message.ts'
import { queryClient, useApiQuery } from '../../platform/queries.ts'
import { formatTimeAgo, useCurrentMinute } from '../../platform/timeAgo.ts'
import { Button } from '../../ui/Button.tsx'
import { toastError } from '../../ui/toast.ts'
import css from './GatewayStates.module.css'
import { gatewayName } from './paymentWords.ts'
import * as texts from './texts.ts'

const EVERY_MS = 20_000

/** Whether the payment providers respond and accept the keys; nothing when the pool has none. */
export function GatewayStates() {
  const { data } = useApiQuery(payments.getGatewayStates, {}, { refetchMs: EVERY_MS })
  const [isBusy, setBusy] = useState(false)
  if (!data || data.gateways.length === 0) return null
  const check = async () => {
    setBusy(true)
    try {
      await callApi(payments.checkGateways, {})
      await Promise.all(
        [payments.getGatewayStates, dashboard.getAttentionItems].map(({ path }) =>
          queryClient.invalidateQueries({ queryKey: [path] }),
        ),
      )
    } catch (refused) {
      void toastError(texts.couldntCheckThePaymentProviders, refused)
    }
    setBusy(false)
  }
  return (
    <section className={css.box} aria-label={texts.paymentProviders}>
      <ul>
        {data.gateways.map((gateway) => (
          <State key={gateway.gateway} gateway={gateway} />
        ))}
      </ul>
      <Button busy={isBusy} onClick={() => void check()}>
        <IconRefresh size={16} aria-hidden />
        {texts.checkNow}
      </Button>
    </section>
  )
}

const ICONS = { up: IconCircleCheck, down: IconAlertTriangle, unchecked: IconClock }

const STATES = { up: texts.isWorking, down: texts.isNotWorking, unchecked: texts.hasNotBeenChecked } as const

const WHAT_TO_DO: Partial<Record<payments.GatewayState['reason'], string>> = {
  keys_rejected: texts.correctTheKeysInThe,
  unreachable: texts.checkTheNetworkAndFirewall,
  timeout: texts.checkProviderStatusAndNetwork,
  provider_error: texts.checkProviderStatus,
}

function State({ gateway: { gateway, state, reason, detail, since, checked_at } }: { gateway: payments.GatewayState }) {
  const now = useCurrentMinute()
  const Icon = ICONS[state]
  return (
    <li data-state={state}>
      <Icon size={18} aria-hidden />
      <div>
        <p>
          {state === 'down' && since
            ? rich(texts.stoppedWorking, {
                name: gatewayName(gateway),
                ago: formatTimeAgo(since, now),
                b: (inside) => <b>{inside}</b>,
                time: (inside) => (
                  <time dateTime={since} title={formatExactDate(since)}>
                    {inside}
                  </time>
                ),
              })
            : rich(STATES[state], { name: gatewayName(gateway), b: (inside) => <b>{inside}</b> })}
        </p>
        {state === 'down' && (
          <p>{[detail, WHAT_TO_DO[reason], texts.membersCannotPayWithIt].filter(Boolean).join(' ')}</p>
        )}
        {state === 'up' && checked_at && (
          <p>
            {rich(texts.lastChecked, {
              checked_at: formatTimeAgo(checked_at, now),
              time: (inside) => <time dateTime={checked_at}>{inside}</time>,
            })}
          </p>
        )}
      </div>
    </li>
  )
}
