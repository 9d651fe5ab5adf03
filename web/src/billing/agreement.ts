import { billing } from '@dubplate/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { loadProfile } from '../membership/membership.ts'
import { asking, queryClient } from '../platform/queries.ts'

const LOOK_AGAIN_MS = 4_000
/** Nobody confirms a bank transfer within seconds. */
const LOOK_FOR_TRANSFER_MS = 60_000

function pauseOf(agreement: billing.Agreement | null | undefined): number | false {
  if (agreement?.profile_status !== 'CREATED') return false
  return agreement.payment_method.kind === 'bank_transfer' ? LOOK_FOR_TRANSFER_MS : LOOK_AGAIN_MS
}

/** The subscription of who is signed in; asked again and again while its payment is under way. */
export function useAgreement() {
  const asked = useQuery({
    ...asking(billing.getAgreement, {}),
    // Another page may have paid or cancelled a moment ago.
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => pauseOf(state.data?.agreement),
  })
  const status = asked.data?.agreement?.profile_status
  useChanged(status, () => void Promise.all([loadProfile(), askBillingAnew()]))
  return { agreement: asked.data?.agreement, error: asked.error, retry: () => void asked.refetch() }
}

/** Calls back when something that was known is another; not when it becomes known. */
function useChanged(what: string | undefined, act: () => void) {
  const before = useRef(what)
  useEffect(() => {
    const wasKnown = before.current !== undefined
    if (what !== undefined && wasKnown && what !== before.current) act()
    if (what !== undefined) before.current = what
  })
}

const askBillingAnew = () => queryClient.invalidateQueries({ queryKey: [billing.getBilling.path] })

/** After something was paid, changed or cancelled: everything on screen that may stand otherwise now is asked anew. */
export async function askStandingAnew() {
  const calls = [billing.getAgreement, billing.getBilling, billing.quotePlanChange, billing.getPlan]
  const renewed = calls.map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] }))
  await Promise.all([loadProfile(), ...renewed])
}
