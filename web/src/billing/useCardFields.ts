import type { StripeCheckoutSession, StripeExpressCheckoutElementConfirmEvent } from '@stripe/stripe-js'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { usePreferences } from '../platform/preferences.ts'
import { stripeAppearance } from './stripeAppearance.ts'
import { type CardFields, mountFields, openFields } from './stripeFields.ts'
import * as texts from './texts.ts'

type CardFrameSession = { publishable_key: string; client_secret: string }

/** `loading`: the fields are on the page but cannot be used yet. */
export type CardFieldsState =
  | { is: 'loading' }
  | { is: 'missing' }
  | { is: 'ready'; session: StripeCheckoutSession; hasWallets: boolean }

/** Longer than a payment takes to load on the slowest usable network. */
const LOAD_TIMEOUT_MS = 30_000

/**
 * Stripe's fields, mounted in two places of the page. `onWallet` is called when a payment is confirmed in a wallet's
 * sheet.
 */
export function useCardFields(
  cardFrame: CardFrameSession,
  onWallet: (event: StripeExpressCheckoutElementConfirmEvent) => void,
) {
  const { publishable_key, client_secret } = cardFrame
  const scheme = usePreferences((state) => state.scheme)
  const card = useRef<HTMLDivElement>(null)
  const wallets = useRef<HTMLDivElement>(null)
  const fields = useRef<CardFields>(undefined)
  const onWalletRef = useRef(onWallet)
  useEffect(() => {
    onWalletRef.current = onWallet
  })
  const getAppearance = useEffectEvent(() => stripeAppearance(scheme))
  const [attempt, setAttempt] = useState(1)
  const [state, setState] = useState<CardFieldsState>({ is: 'loading' })

  // Another attempt loads the fields again; their colours change below.
  useEffect(() => {
    let isDisposed = false
    const show = (next: CardFieldsState) => !isDisposed && setState(next)
    const timeout = setTimeout(() => {
      show({ is: 'missing' })
      isDisposed = true
    }, LOAD_TIMEOUT_MS)
    const open = async () => {
      const openedFields = await openFields({ publishable_key, client_secret }, getAppearance())
      if (isDisposed || !card.current || !wallets.current) return
      fields.current = openedFields
      const { hasWallets } = await mountFields(openedFields, { card: card.current, wallets: wallets.current })
      clearTimeout(timeout)
      show({ is: 'ready', session: openedFields.session, hasWallets })
      openedFields.sdk.on('change', (session) => show({ is: 'ready', session, hasWallets }))
      openedFields.sdk.getExpressCheckoutElement()?.on('confirm', (event) => onWalletRef.current(event))
    }
    open().catch((error: unknown) => {
      // Stripe's own message is meant for the operator.
      console.error(error)
      clearTimeout(timeout)
      show({ is: 'missing' })
    })
    return () => {
      isDisposed = true
      clearTimeout(timeout)
      fields.current?.sdk.getExpressCheckoutElement()?.destroy()
      fields.current?.sdk.getPaymentElement()?.destroy()
      fields.current = undefined
    }
  }, [publishable_key, client_secret, attempt])

  useEffect(() => {
    fields.current?.sdk.changeAppearance(stripeAppearance(scheme))
  }, [scheme])

  /** Pays. Returns Stripe's error messages; empty if the payment succeeded. */
  const confirm = async (wallet: StripeExpressCheckoutElementConfirmEvent | undefined): Promise<string[]> => {
    if (!fields.current) throw new Error(texts.theCardFormIsStill)
    const confirmation = await fields.current.confirm({
      redirect: 'if_required',
      ...(wallet ? { expressCheckoutConfirmEvent: wallet } : {}),
    })
    if (confirmation.type === 'success') return []
    wallet?.paymentFailed({ reason: 'fail' })
    return [confirmation.error.message]
  }

  const tryAgain = () => {
    setState({ is: 'loading' })
    setAttempt(attempt + 1)
  }
  return { card, wallets, state, confirm, tryAgain }
}
