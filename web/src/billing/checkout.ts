import { billing, checkout, type InputOf } from '@dubplate/contract'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { goTo } from '../platform/address.ts'
import { ask, type RefusalError } from '../platform/api.ts'
import { draftOf, keepDraft } from '../platform/drafts.ts'
import { asking, queryClient } from '../platform/queries.ts'
import { type Next, nextOf, type Onward } from './next.ts'
import * as texts from './texts.ts'

/** What outlives a try that failed, and a way to a provider and back: never anything of a card. */
type Choice = { method: string; coupon: string }

const DRAFT = 'checkout'
const NOTHING: Choice = { method: '', coupon: '' }

/** What was chosen for this plan, the last one somebody was about to pay. */
export function choiceOf(planId: number): Choice {
  try {
    const kept = JSON.parse(draftOf(DRAFT) || '{}')
    return kept.planId === planId ? { ...NOTHING, ...kept } : NOTHING
  } catch {
    return NOTHING
  }
}

/** The plan somebody was about to pay last; undefined where nobody was, or it is paid. */
export function planChosen(): number | undefined {
  try {
    const { planId } = JSON.parse(draftOf(DRAFT) || '{}')
    return Number.isSafeInteger(planId) ? planId : undefined
  } catch {
    return undefined
  }
}

export const keepChoice = (planId: number, change: Partial<Choice>) =>
  keepDraft(DRAFT, JSON.stringify({ ...choiceOf(planId), ...change, planId }))

export const dropChoice = () => keepDraft(DRAFT, '')

export type Applied = { code: string; discount: string; total: string; description: string }

/** A promotion code: what is typed, what the server said to it, and what it takes off today. */
export function useCoupon(planId: number) {
  const [typed, setTyped] = useState(() => choiceOf(planId).coupon)
  /** What the server was asked for; '' for nothing. */
  const [code, setCode] = useState(typed)
  const [complaint, setComplaint] = useState('')
  /** How often a code was forgotten. */
  const [forgotten, setForgotten] = useState(0)
  const { data, error, isFetching, refetch } = useQuery({
    ...asking(checkout.validateCoupon, { coupon_code: code, subscription_id: planId }),
    enabled: code !== '',
    // What is owed does not change while somebody types.
    refetchOnWindowFocus: false,
  })
  const asks = (text: string) => {
    setCode(text)
    keepChoice(planId, { coupon: text })
  }
  const isAsked = code !== '' && typed.trim() === code
  const applied: Applied | undefined =
    isAsked && data?.status && !error
      ? { code, discount: data.discount_amount, total: data.total, description: data.description }
      : undefined
  const refused = error?.message ?? (data && !data.status ? texts.thisCouponDoesntExistCheck : '')
  return {
    typed,
    applied,
    isBusy: isFetching && !applied,
    forgotten,
    trouble: complaint || (isAsked && !isFetching ? refused : ''),
    type: (text: string) => {
      setTyped(text)
      setComplaint('')
    },
    apply: () => {
      const text = typed.trim()
      if (!text) return setComplaint(texts.pleaseEnterCouponCode)
      setComplaint('')
      if (text === code) void refetch()
      else asks(text)
    },
    remove: () => {
      setTyped('')
      asks('')
    },
    /** Asks again: a payment was refused for it. */
    recheck: () => void refetch(),
    /** True where a code is typed that nobody asked for yet; that is said beside it. */
    isForgotten: () => {
      const is = typed.trim() !== '' && typed.trim() !== code
      if (!is) return false
      setComplaint(texts.applyThisCodeOrClear)
      setForgotten(forgotten + 1)
      return true
    },
  }
}
export type Coupon = ReturnType<typeof useCoupon>

export const isAboutCoupon = ({ code, fields }: RefusalError) => code.includes('coupon') || 'coupon' in fields

export type Order = { subscription: number; coupon: string }
type Card = NonNullable<InputOf<typeof checkout.payByCard>['formData']>

/** Begins a payment; throws what the server refuses. A card is undefined where it is asked for at the provider. */
export async function pay(method: billing.PaymentMethod, order: Order, card: Card | undefined): Promise<Next> {
  if (method === 'credit_card')
    return nextOf(await ask(checkout.payByCard, card ? { ...order, formData: card } : order))
  if (method === 'paypal') return nextOf(await ask(checkout.payByPaypal, { ...order, payment_method: method }))
  if (method === 'bank_transfer') return { is: 'transfer', transfer: await ask(checkout.payByTransfer, order) }
  const { url } = await ask(checkout.payByWallet, order)
  return url ? { is: 'elsewhere', url } : { is: 'here', href: `/subscription/mobile-wallet/${order.subscription}` }
}

/** Goes there. Settles where the page is come back to, so that nothing is pressed twice meanwhile. */
export async function goOn(next: Onward): Promise<void> {
  if (next.is === 'here') return goTo(next.href)
  location.assign(next.url)
  await new Promise<void>((resolve) => addEventListener('pageshow', () => resolve(), { once: true }))
  await queryClient.invalidateQueries({ queryKey: [billing.getAgreement.path] })
}
