import { billing, checkout, type InputOf } from '@dubplate/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { goTo } from '../platform/address.ts'
import { type ApiError, callApi } from '../platform/api.ts'
import { getDraft, saveDraft } from '../platform/drafts.ts'
import { apiQuery, queryClient } from '../platform/queries.ts'
import { type CheckoutNextStep, type NavigationTarget, nextStepOf } from './checkoutNextStep.ts'
import * as texts from './texts.ts'

/** What outlives a try that failed, and a way to a provider and back: never anything of a card. */
type CheckoutChoice = { method: string; coupon: string }

const DRAFT = 'checkout'
const EMPTY_CHOICE: CheckoutChoice = { method: '', coupon: '' }

/** What was chosen for this plan, the last one somebody was about to pay. */
export function readCheckoutChoice(planId: number): CheckoutChoice {
  try {
    const savedChoice = JSON.parse(getDraft(DRAFT) || '{}')
    return savedChoice.planId === planId ? { ...EMPTY_CHOICE, ...savedChoice } : EMPTY_CHOICE
  } catch {
    return EMPTY_CHOICE
  }
}

/** The plan somebody was about to pay last; undefined where nobody was, or it is paid. */
export function readChosenPlan(): number | undefined {
  try {
    const { planId } = JSON.parse(getDraft(DRAFT) || '{}')
    return Number.isSafeInteger(planId) ? planId : undefined
  } catch {
    return undefined
  }
}

export const saveCheckoutChoice = (planId: number, change: Partial<CheckoutChoice>) =>
  saveDraft(DRAFT, JSON.stringify({ ...readCheckoutChoice(planId), ...change, planId }))

export const clearCheckoutChoice = () => saveDraft(DRAFT, '')

export type AppliedCoupon = { code: string; discount: string; total: string; description: string }

/** A promotion code: what is typed, what the server said to it, and what it takes off today. */
export function useCoupon(planId: number) {
  const [typed, setTyped] = useState(() => readCheckoutChoice(planId).coupon)
  /** What the server was asked for; '' for nothing. */
  const [code, setCode] = useState(typed)
  const [validationError, setValidationError] = useState('')
  /** How often a code was forgotten. */
  const [removedCount, setRemovedCount] = useState(0)
  const { data, error, isFetching, refetch } = useQuery({
    ...apiQuery(checkout.validateCoupon, { coupon_code: code, subscription_id: planId }),
    enabled: code !== '',
    // What is owed does not change while somebody types.
    refetchOnWindowFocus: false,
  })
  const requestCoupon = (text: string) => {
    setCode(text)
    saveCheckoutChoice(planId, { coupon: text })
  }
  const isRequestedCode = code !== '' && typed.trim() === code
  const applied: AppliedCoupon | undefined =
    isRequestedCode && data?.status && !error
      ? { code, discount: data.discount_amount, total: data.total, description: data.description }
      : undefined
  const refused = error?.message ?? (data && !data.status ? texts.thisCouponDoesntExistCheck : '')
  return {
    typed,
    applied,
    isBusy: isFetching && !applied,
    forgotten: removedCount,
    trouble: validationError || (isRequestedCode && !isFetching ? refused : ''),
    type: (text: string) => {
      setTyped(text)
      setValidationError('')
    },
    apply: () => {
      const text = typed.trim()
      if (!text) return setValidationError(texts.pleaseEnterCouponCode)
      setValidationError('')
      if (text === code) void refetch()
      else requestCoupon(text)
    },
    remove: () => {
      setTyped('')
      requestCoupon('')
    },
    /** Asks again: a payment was refused for it. */
    recheck: () => void refetch(),
    /** True where a code is typed that nobody asked for yet; that is said beside it. */
    isForgotten: () => {
      const type = typed.trim() !== '' && typed.trim() !== code
      if (!type) return false
      setValidationError(texts.applyThisCodeOrClear)
      setRemovedCount(removedCount + 1)
      return true
    },
  }
}
export type Coupon = ReturnType<typeof useCoupon>

export const isAboutCoupon = ({ code, fields }: ApiError) => code.includes('coupon') || 'coupon' in fields

export type Order = { subscription: number; coupon: string }
type Card = NonNullable<InputOf<typeof checkout.payByCard>['formData']>

/** Begins a payment; throws what the server refuses. A card is undefined where it is asked for at the provider. */
export async function pay(
  method: billing.PaymentMethod,
  order: Order,
  card: Card | undefined,
): Promise<CheckoutNextStep> {
  if (method === 'credit_card')
    return nextStepOf(await callApi(checkout.payByCard, card ? { ...order, formData: card } : order))
  if (method === 'paypal') return nextStepOf(await callApi(checkout.payByPaypal, { ...order, payment_method: method }))
  if (method === 'bank_transfer') return { is: 'transfer', transfer: await callApi(checkout.payByTransfer, order) }
  const { url } = await callApi(checkout.payByWallet, order)
  return url ? { is: 'elsewhere', url } : { is: 'here', href: `/subscription/mobile-wallet/${order.subscription}` }
}

/** Goes there. Settles where the page is come back to, so that nothing is pressed twice meanwhile. */
export async function continueCheckout(next: NavigationTarget): Promise<void> {
  if (next.is === 'here') return goTo(next.href)
  location.assign(next.url)
  await new Promise<void>((resolve) => addEventListener('pageshow', () => resolve(), { once: true }))
  await queryClient.invalidateQueries({ queryKey: [billing.getAgreement.path] })
}
