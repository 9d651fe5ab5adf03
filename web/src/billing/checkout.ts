import { billing, checkout } from '@dubplate/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { goTo } from '../platform/address.ts'
import { type ApiError, callApi } from '../platform/api.ts'
import { getDraft, saveDraft } from '../platform/drafts.ts'
import { apiQuery, queryClient } from '../platform/queries.ts'
import { type CheckoutNextStep, type NavigationTarget, nextStepOf } from './paymentSteps.ts'
import * as texts from './texts.ts'

/** What is remembered across a failed attempt or a visit to the provider: never any part of a card. */
type CheckoutChoice = {
  method: string
  /** The code that was sent to the server. */
  coupon: string
  /** What is in the field of the code, if it differs. */
  typedCoupon?: string
}

const DRAFT = 'checkout'
const EMPTY_CHOICE: CheckoutChoice = { method: '', coupon: '' }

/** The choice for this plan, if it is the plan of the last checkout. */
export function readCheckoutChoice(planId: number): CheckoutChoice {
  try {
    const savedChoice = JSON.parse(getDraft(DRAFT) || '{}')
    return savedChoice.planId === planId ? { ...EMPTY_CHOICE, ...savedChoice } : EMPTY_CHOICE
  } catch {
    return EMPTY_CHOICE
  }
}

/** The plan of the last checkout; undefined if there was none or it has been paid. */
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

type AppliedCoupon = { code: string; discount: string; total: string; description: string }

/** A promotion code: the typed value, the server's response, and the discount today. */
export function useCoupon(planId: number) {
  const [choice] = useState(() => readCheckoutChoice(planId))
  const [typed, setTyped] = useState(choice.typedCoupon ?? choice.coupon)
  /** The code sent to the server; '' for none. */
  const [code, setCode] = useState(choice.coupon)
  const [validationError, setValidationError] = useState('')
  /** How often a payment was stopped because the typed code was not applied. */
  const [reminderCount, setReminderCount] = useState(0)
  const { data, error, isFetching, refetch } = useQuery({
    ...apiQuery(checkout.validateCoupon, { coupon_code: code, subscription_id: planId }),
    enabled: code !== '',
    // The amount due does not change while the form is being filled in.
    refetchOnWindowFocus: false,
  })
  const requestCoupon = (text: string) => {
    setCode(text)
    saveCheckoutChoice(planId, { coupon: text, typedCoupon: text })
  }
  const isRequestedCode = code !== '' && typed.trim() === code
  const applied: AppliedCoupon | undefined =
    isRequestedCode && data?.status && !error
      ? { code, discount: data.discount_amount, total: data.total, description: data.description }
      : undefined
  const rejection = error?.message ?? (data && !data.status ? texts.thisCouponDoesntExistCheck : '')
  return {
    typed,
    applied,
    isBusy: isFetching && !applied,
    reminderCount,
    errorMessage: validationError || (isRequestedCode && !isFetching ? rejection : ''),
    type: (text: string) => {
      setTyped(text)
      saveCheckoutChoice(planId, { typedCoupon: text })
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
    /** Checks again: a payment was rejected because of the coupon. */
    recheck: () => void refetch(),
    /** Shows an error next to the field, and returns true, when a code was typed but not applied. */
    remindToApply: () => {
      const isUnapplied = typed.trim() !== '' && typed.trim() !== code
      if (!isUnapplied) return false
      setValidationError(texts.applyThisCodeOrClear)
      setReminderCount(reminderCount + 1)
      return true
    },
  }
}
export type Coupon = ReturnType<typeof useCoupon>

export const isAboutCoupon = ({ code, fields }: ApiError) => code.includes('coupon') || 'coupon' in fields

export type Order = { subscription: number; coupon: string }

/** Starts a payment; throws the server's `ApiError`. A card may also be entered on the provider's page. */
export async function pay(
  method: billing.PaymentMethod,
  order: Order,
  payByCard: () => Promise<checkout.StartedCheckout>,
): Promise<CheckoutNextStep> {
  if (method === 'credit_card') return nextStepOf(await payByCard())
  if (method === 'paypal') return nextStepOf(await callApi(checkout.payByPaypal, { ...order, payment_method: method }))
  if (method === 'bank_transfer') return { kind: 'transfer', transfer: await callApi(checkout.payByTransfer, order) }
  const { url } = await callApi(checkout.payByWallet, order)
  return url ? { kind: 'provider', url } : { kind: 'screen', href: `/subscription/mobile-wallet/${order.subscription}` }
}

/**
 * Opens the next screen. When it is a provider's page, resolves only if the member comes back to this one, so that the
 * button stays disabled until then.
 */
export async function continueCheckout(next: NavigationTarget): Promise<void> {
  if (next.kind === 'screen') return goTo(next.href)
  location.assign(next.url)
  await new Promise<void>((resolve) => addEventListener('pageshow', () => resolve(), { once: true }))
  await queryClient.invalidateQueries({ queryKey: [billing.getAgreement.path] })
}
