import type { checkout, ReplyOf } from '@dubplate/contract'
import type { StripeExpressCheckoutElementConfirmEvent } from '@stripe/stripe-js'
import { IconCloudOff } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import { Complaints } from '../membership/Complaints.tsx'
import { format, rich } from '../platform/message.ts'
import buttons from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import css from './Billing.module.css'
import frame from './CardPayment.module.css'
import { goOn } from './checkout.ts'
import { Focused } from './Focused.tsx'
import { money, plus } from './money.ts'
import { OrderSummary } from './OrderSummary.tsx'
import { dueToday } from './stripeFields.ts'
import * as texts from './texts.ts'
import { useCardFields } from './useCardFields.ts'

type Payment = ReplyOf<typeof checkout.getCardFrame>
type Props = Payment & {
  /** Hears when there is nothing more to pay here. */
  onOver: () => void
}

/** What is bought, and Stripe's fields to pay for it. */
export function CardPayment({ onOver, ...payment }: Props) {
  const { plan_name, amount, discount_amount, currency } = payment
  const { card, wallets, standing, pay, isBusy, complaints, tryAgain } = usePayment(payment, onOver)
  const isReady = standing.is === 'ready'
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
      {standing.is === 'missing' ? (
        <NoFields tryAgain={tryAgain} />
      ) : (
        <form className={frame.form} onSubmit={send} aria-label={texts.card} aria-busy={!isReady}>
          <div className={frame.fields}>
            {!isReady && <div className={`${css.bone} ${frame.bone}`} />}
            {/* Hidden fields would not be measured, so they are there from the first, unseen. */}
            <div className={frame.inside} data-ready={isReady} inert={!isReady || isBusy}>
              <div hidden={isReady && !standing.hasWallets} className={frame.wallets}>
                <div ref={wallets} />
                <p className={frame.or}>{texts.orPayByCard}</p>
              </div>
              <div ref={card} />
            </div>
          </div>
          <Focused when={complaints}>
            <Complaints sentences={complaints}>
              {complaints.includes(NOT_KNOWN) && (
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
            </Complaints>
          </Focused>
          <div className={frame.end}>
            <Button type="submit" look="primary" busy={isBusy} disabled={!isReady}>
              {isReady
                ? format(texts.pay2, { dueToday: money(dueToday(standing.session), standing.session.currency) })
                : 'Pay'}
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

/** A payment with what is in Stripe's fields, or with the wallet whose sheet was said yes to. */
function usePayment({ publishable_key, client_secret, return_url }: Payment, onOver: () => void) {
  const [isBusy, setBusy] = useState(false)
  const [complaints, setComplaints] = useState<string[]>([])
  const pay = async (wallet?: StripeExpressCheckoutElementConfirmEvent) => {
    setBusy(true)
    setComplaints([])
    try {
      const trouble = await confirm(wallet)
      setComplaints(trouble)
      if (trouble.length > 0) return
      await goOn({ is: 'elsewhere', url: return_url })
      onOver()
    } catch (error) {
      console.error(error)
      setComplaints([NOT_KNOWN])
    } finally {
      setBusy(false)
    }
  }
  const { confirm, ...fields } = useCardFields({ publishable_key, client_secret }, (wallet) => void pay(wallet))
  const { standing } = fields
  const isOver = standing.is === 'ready' && standing.session.status.type === 'expired'
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once, by whoever listens then
  useEffect(() => {
    if (isOver) onOver()
  }, [isOver])
  return { ...fields, pay, isBusy, complaints }
}

const NOT_KNOWN = texts.stripeDidntRespondSoWe

const NoFields = ({ tryAgain }: { tryAgain: () => void }) => (
  <EmptyState
    alert
    icon={<IconCloudOff size={24} />}
    title={texts.couldntLoadTheCardForm}
    action={
      <>
        {/* Loaded anew, the page has the policy that lets Stripe in, whichever way somebody came here. */}
        <Button look="primary" onClick={() => (navigator.onLine ? location.reload() : tryAgain())}>
          {texts.tryAgain}
        </Button>
        <Link to="/subscription/failed" className={buttons.button}>
          {texts.cancel}
        </Link>
      </>
    }
  >
    {texts.youMayBeOfflineOr}
  </EmptyState>
)
