import type { checkout, ReplyOf } from '@dubplate/contract'
import type { StripeExpressCheckoutElementConfirmEvent } from '@stripe/stripe-js'
import { IconCloudOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useEffect, useEffectEvent, useState } from 'react'
import { format, rich } from '../format/message.ts'
import { ErrorMessages } from '../membership/ErrorMessages.tsx'
import buttons from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import css from './Billing.module.css'
import cardFrame from './CardPayment.module.css'
import { continueCheckout } from './checkout.ts'
import { FocusOnChange } from './FocusOnChange.tsx'
import { money, plus } from './money.ts'
import { OrderSummary } from './OrderSummary.tsx'
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
  const {
    card,
    wallets,
    standing: paymentState,
    pay,
    isBusy,
    complaints: errorMessages,
    tryAgain,
  } = usePayment(payment, onFinished)
  const isReady = paymentState.is === 'ready'
  const send = (event: FormEvent) => {
    event.preventDefault()
    void pay()
  }
  return (
    <section className={`${css.card} ${css.one}`} aria-label={texts.payment}>
      <h2>{plan_name}</h2>
      <OrderSummary
        what={plan_name}
        amount={plus(amount, discount_amount)}
        discount={discount_amount}
        total={amount}
        currency={currency}
      />
      {paymentState.is === 'missing' ? (
        <CardFieldsUnavailable tryAgain={tryAgain} />
      ) : (
        <form className={cardFrame.form} onSubmit={send} aria-label={texts.card} aria-busy={!isReady}>
          <div className={cardFrame.fields}>
            {!isReady && <div className={`${css.bone} ${cardFrame.bone}`} />}
            {/* Hidden fields could not be measured, so they are laid out from the start but not visible. */}
            <div className={cardFrame.inside} data-ready={isReady} inert={!isReady || isBusy}>
              <div hidden={isReady && !paymentState.hasWallets} className={cardFrame.wallets}>
                <div ref={wallets} />
                <p className={cardFrame.or}>{texts.orPayByCard}</p>
              </div>
              <div ref={card} />
            </div>
          </div>
          <FocusOnChange when={errorMessages}>
            <ErrorMessages messages={errorMessages}>
              {errorMessages.includes(NO_STRIPE_RESPONSE) && (
                <p>
                  {rich(texts.beforeYouTryAgainCheck, {
                    link: (inside) => (
                      <Link to="/account/manage-subscription" className={css.link}>
                        {inside}
                      </Link>
                    ),
                  })}
                </p>
              )}
            </ErrorMessages>
          </FocusOnChange>
          <div className={cardFrame.end}>
            <Button type="submit" variant="primary" busy={isBusy} disabled={!isReady}>
              {isReady
                ? format(texts.payDueToday, {
                    dueToday: money(formatDueToday(paymentState.session), paymentState.session.currency),
                  })
                : texts.pay}
            </Button>
            <Link to="/subscription/failed" className={buttons.button}>
              {texts.cancel}
            </Link>
          </div>
          <p className={css.small}>{texts.yourCardDetailsGoDirectly}</p>
        </form>
      )}
    </section>
  )
}

/** Pays with the values in Stripe's fields, or with the wallet that was confirmed in its sheet. */
function usePayment({ publishable_key, client_secret, return_url }: Payment, onFinished: () => void) {
  const [isBusy, setBusy] = useState(false)
  const [errorMessages, setErrorMessages] = useState<string[]>([])
  const { confirm, ...fields } = useCardFields({ publishable_key, client_secret }, (wallet) => void pay(wallet))
  async function pay(wallet?: StripeExpressCheckoutElementConfirmEvent) {
    setBusy(true)
    setErrorMessages([])
    try {
      const errorMessage = await confirm(wallet)
      setErrorMessages(errorMessage)
      if (errorMessage.length > 0) return
      await continueCheckout({ kind: 'provider', url: return_url })
      onFinished()
    } catch (error) {
      console.error(error)
      setErrorMessages([NO_STRIPE_RESPONSE])
    } finally {
      setBusy(false)
    }
  }
  const { standing: paymentState } = fields
  const isOver = paymentState.is === 'ready' && paymentState.session.status.type === 'expired'
  const finish = useEffectEvent(onFinished)
  useEffect(() => {
    if (isOver) finish()
  }, [isOver])
  return { ...fields, pay, isBusy, complaints: errorMessages }
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
