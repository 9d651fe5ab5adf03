import { billing } from '@dubplate/contract'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'
import { loadProfile } from '../membership/membership.ts'
import { apiQuery, queryClient } from '../platform/queries.ts'

const POLL_MS = 4_000
/** Bank transfers are never confirmed within seconds. */
const TRANSFER_POLL_MS = 60_000

function pollInterval(agreement: billing.Agreement | null | undefined): number | false {
  if (agreement?.profile_status !== 'CREATED') return false
  return agreement.payment_method.kind === 'bank_transfer' ? TRANSFER_POLL_MS : POLL_MS
}

/** The current user's subscription; polled while its payment is in progress. */
export function useAgreement() {
  const agreementQuery = useQuery({
    ...apiQuery(billing.getAgreement, {}),
    // Another page may have paid or cancelled a moment ago.
    refetchOnMount: 'always',
    refetchInterval: ({ state }) => pollInterval(state.data?.agreement),
  })
  const status = agreementQuery.data?.agreement?.profile_status
  useOnChange(status, () => void Promise.all([loadProfile(), refetchBilling()]))
  return {
    agreement: agreementQuery.data?.agreement,
    error: agreementQuery.error,
    retry: () => void agreementQuery.refetch(),
  }
}

/** Calls back when a known value changes; not when it first becomes known. */
function useOnChange(trackedValue: string | undefined, onChange: () => void) {
  const before = useRef(trackedValue)
  useEffect(() => {
    const wasLoaded = before.current !== undefined
    if (trackedValue !== undefined && wasLoaded && trackedValue !== before.current) onChange()
    if (trackedValue !== undefined) before.current = trackedValue
  })
}

const refetchBilling = () => queryClient.invalidateQueries({ queryKey: [billing.getBilling.path] })

/** Refetches everything on screen that may have changed after a payment, a plan change or a cancellation. */
export async function refetchSubscription() {
  const endpoints = [billing.getAgreement, billing.getBilling, billing.quotePlanChange, billing.getPlan]
  const invalidations = endpoints.map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] }))
  await Promise.all([loadProfile(), ...invalidations])
}
