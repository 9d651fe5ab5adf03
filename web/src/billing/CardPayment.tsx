import type { checkout, ReplyOf } from '@dubplate/contract'
import { Box, Group, Skeleton, Stack } from '@mantine/core'
import type { StripeExpressCheckoutElementConfirmEvent } from '@stripe/stripe-js'
import { IconCloudOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react'
import { format, rich } from '../format/message.ts'
import buttons from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import css from './Billing.module.css'
import { continueCheckout } from './checkout.ts'
import { money, plus } from './money.ts'
import { OrderSummary } from './OrderSummary.tsx'
import { PaymentErrors } from './PaymentErrors.tsx'
import { linkToSubscription } from './PaymentLinks.tsx'
import { Note, Panel } from './PaymentPage.tsx'
import { formatDueToday } from './stripeFields.ts'
import * as texts from './texts.ts'
import { useCardFields } from './useCardFields.ts'

type Payment = ReplyOf<typeof checkout.getCardFrame>
type Props = Payment & {
  /** Called when there is nothing left to pay here. */
  onFinished: () => void
}

/** The order summary, with Stripe's fields to pay for it. */
export function CardPayment({ onFinished, ...payment }: Props) {
  const { plan_name, amount, discount_amount, currency } = payment
  const { card, wallets, state, pay, isBusy, errorMessages, tryAgain } = usePayment(payment, onFinished)
  const isReady = state.is === 'ready'
  const send = (event: FormEvent) => {
    event.preventDefault()
    void pay()
  }
  return (
    <Panel label={texts.payment} title={plan_name} isNarrow>
      <OrderSummary
        what={plan_name}
        amount={plus(amount, discount_amount)}
        discount={discount_amount}
        total={amount}
        currency={currency}
      />
      {state.is === 'missing' ? (
        <CardFieldsUnavailable tryAgain={tryAgain} />
      ) : (
        <Stack component="form" gap="lg" onSubmit={send} aria-label={texts.card} aria-busy={!isReady}>
          <div className={css.cardFields}>
            {!isReady && <Skeleton height={320} radius="lg" />}
            {/* Hidden fields could not be measured, so they are laid out from the start but not visible. */}
            <div data-ready={isReady} inert={!isReady || isBusy}>
              <div hidden={isReady && !state.hasWallets}>
                <div ref={wallets} />
                <Group gap="md" my="lg" fz="sm" c="var(--text-2)">
                  {line}
                  {texts.orPayByCard}
                  {line}
                </Group>
              </div>
              <div ref={card} />
            </div>
          </div>
          <PaymentErrors messages={errorMessages}>
            {errorMessages.includes(NO_STRIPE_RESPONSE) && (
              <p>
                {rich(texts.beforeYouTryAgainCheck, {
                  link: linkToSubscription,
                })}
              </p>
            )}
          </PaymentErrors>
          <Group gap="sm" wrap="nowrap">
            <Button
              type="submit"
              variant="primary"
              busy={isBusy}
              disabled={!isReady}
              style={{ flex: 1, height: BUTTON_HEIGHT }}
            >
              {isReady
                ? format(texts.payDueToday, { amount: money(formatDueToday(state.session), state.session.currency) })
                : texts.pay}
            </Button>
            <Link to="/subscription/failed" className={buttons.button} style={{ height: BUTTON_HEIGHT }}>
              {texts.cancel}
            </Link>
          </Group>
          <Note isSmall>{texts.yourCardDetailsGoDirectly}</Note>
        </Stack>
      )}
    </Panel>
  )
}

const line = <Box flex={1} h={1} bg="var(--line)" />

const BUTTON_HEIGHT = 44

/** Pays with the values in Stripe's fields, or with the wallet that was confirmed in its sheet. */
function usePayment({ publishable_key, client_secret, return_url }: Payment, onFinished: () => void) {
  const [isBusy, setBusy] = useState(false)
  const [errorMessages, setErrorMessages] = useState<string[]>([])
  const { confirm, ...fields } = useCardFields({ publishable_key, client_secret }, (wallet) => void pay(wallet))
  async function pay(wallet?: StripeExpressCheckoutElementConfirmEvent) {
    setBusy(true)
    setErrorMessages([])
    try {
      const messages = await confirm(wallet)
      setErrorMessages(messages)
      if (messages.length > 0) return
      await continueCheckout({ kind: 'provider', url: return_url })
      onFinished()
    } catch (error) {
      console.error(error)
      setErrorMessages([NO_STRIPE_RESPONSE])
    } finally {
      setBusy(false)
    }
  }
  const { state } = fields
  const isOver = state.is === 'ready' && state.session.status.type === 'expired'
  const finish = useEffectEvent(onFinished)
  useEffect(() => {
    if (isOver) finish()
  }, [isOver])
  return { ...fields, pay, isBusy, errorMessages }
}

const NO_STRIPE_RESPONSE = texts.stripeDidntRespondSoWe

const CardFieldsUnavailable = ({ tryAgain }: { tryAgain: () => void }) => (
  <EmptyState
    alert
    icon={<IconCloudOff size={24} />}
    title={texts.couldntLoadTheCardForm}
    action={
      <>
        {/* A reload fetches the page with the content security policy that allows Stripe, whichever screen came
            before. */}
        <Button variant="primary" onClick={() => (navigator.onLine ? location.reload() : tryAgain())}>
          {texts.tryAgain}
        </Button>
        <Link to="/subscription/failed" className={buttons.button}>
          {texts.cancel}
        </Link>
      </>
    }
  >
    {texts.stripeMayBeBlocked}
  </EmptyState>
)
