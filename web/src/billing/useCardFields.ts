import type { StripeCheckoutSession, StripeExpressCheckoutElementConfirmEvent } from '@stripe/stripe-js'
import { useEffect, useRef, useState } from 'react'
import { usePreferences } from '../platform/preferences.ts'
import { appearanceIn } from './stripeAppearance.ts'
import { type CardFields, mountFields, openFields } from './stripeFields.ts'
import * as texts from './texts.ts'

type Frame = { publishable_key: string; client_secret: string }

/** `loading`: the fields are on the page but cannot be used yet. */
export type Standing =
  | { is: 'loading' }
  | { is: 'missing' }
  | { is: 'ready'; session: StripeCheckoutSession; hasWallets: boolean }

/** Longer than the slowest network that anybody would pay over. */
const GIVEN_UP_AFTER_MS = 30_000

/** Stripe's fields in two places of the page. `onWallet` hears when somebody has said yes on a wallet's sheet. */
export function useCardFields(frame: Frame, onWallet: (event: StripeExpressCheckoutElementConfirmEvent) => void) {
  const { publishable_key, client_secret } = frame
  const scheme = usePreferences((state) => state.scheme)
  const card = useRef<HTMLDivElement>(null)
  const wallets = useRef<HTMLDivElement>(null)
  const fields = useRef<CardFields>(undefined)
  const heard = useRef(onWallet)
  useEffect(() => {
    heard.current = onWallet
  })
  const [attempt, setAttempt] = useState(1)
  const [standing, setStanding] = useState<Standing>({ is: 'loading' })

  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is made by its number; colours are changed below
  useEffect(() => {
    let isGone = false
    const show = (next: Standing) => !isGone && setStanding(next)
    const giveUp = setTimeout(() => {
      show({ is: 'missing' })
      isGone = true
    }, GIVEN_UP_AFTER_MS)
    const open = async () => {
      const opened = await openFields({ publishable_key, client_secret }, appearanceIn(scheme))
      if (isGone || !card.current || !wallets.current) return
      fields.current = opened
      const { hasWallets } = await mountFields(opened, { card: card.current, wallets: wallets.current })
      clearTimeout(giveUp)
      show({ is: 'ready', session: opened.session, hasWallets })
      opened.sdk.on('change', (session) => show({ is: 'ready', session, hasWallets }))
      opened.sdk.getExpressCheckoutElement()?.on('confirm', (event) => heard.current(event))
    }
    open().catch((error: unknown) => {
      // What Stripe says of itself is for whoever runs the pool.
      console.error(error)
      clearTimeout(giveUp)
      show({ is: 'missing' })
    })
    return () => {
      isGone = true
      clearTimeout(giveUp)
      fields.current?.sdk.getExpressCheckoutElement()?.destroy()
      fields.current?.sdk.getPaymentElement()?.destroy()
      fields.current = undefined
    }
  }, [publishable_key, client_secret, attempt])

  useEffect(() => {
    fields.current?.sdk.changeAppearance(appearanceIn(scheme))
  }, [scheme])

  /** Pays. What is wrong, in Stripe's words; nothing where it is paid. */
  const confirm = async (wallet: StripeExpressCheckoutElementConfirmEvent | undefined): Promise<string[]> => {
    if (!fields.current) throw new Error(texts.theCardFormIsStill)
    const told = await fields.current.confirm({
      redirect: 'if_required',
      ...(wallet ? { expressCheckoutConfirmEvent: wallet } : {}),
    })
    if (told.type === 'success') return []
    wallet?.paymentFailed({ reason: 'fail' })
    return [told.error.message]
  }

  const tryAgain = () => {
    setStanding({ is: 'loading' })
    setAttempt(attempt + 1)
  }
  return { card, wallets, standing, confirm, tryAgain }
}
