import type { billing } from '@dubplate/contract'
import { IconAlertTriangle, IconBuildingBank, IconCreditCard, IconDeviceMobile } from '@tabler/icons-react'
import { useId, useState } from 'react'
import { format } from '../format/message.ts'
import { Button } from '../ui/Button.tsx'
import { expiresBeforeRenewal } from './agreementTexts.ts'
import css from './ManageSubscription.module.css'
import { describePaymentMethod, UPDATE_METHOD_HINTS } from './paymentMethodTexts.ts'
import * as texts from './texts.ts'

const ICONS = {
  credit_card: IconCreditCard,
  paypal: IconCreditCard,
  mobile_wallet: IconDeviceMobile,
  bank_transfer: IconBuildingBank,
}

type Props = { agreement: billing.Agreement; onUpdate: () => Promise<void> }

/** The payment method of the subscription, with the way to change it. */
export function MethodCard({ agreement, onUpdate }: Props) {
  const { payment_method, profile_status, can_update_card } = agreement
  const { kind, expires } = payment_method
  const id = useId()
  const Icon = ICONS[kind]
  const isActiveSubscription = profile_status !== 'CREATED' && profile_status !== 'Ended'
  return (
    <section className={css.card} aria-labelledby={id}>
      <header>
        <h2 id={id}>{texts.paymentMethod}</h2>
      </header>
      <p className={css.method}>
        <Icon size={22} stroke={1.6} aria-hidden />
        <b className="num">{describePaymentMethod(payment_method)}</b>
      </p>
      {expires && <p className={css.meta}>{format(texts.expires, { expires })}</p>}
      {expiresBeforeRenewal(agreement) && (
        <p className={css.warning}>
          <IconAlertTriangle size={16} aria-hidden />
          {texts.cardExpiresBeforeNextPayment}
        </p>
      )}
      {isActiveSubscription && !can_update_card && <p className={css.meta}>{UPDATE_METHOD_HINTS[kind]}</p>}
      {isActiveSubscription && can_update_card && (
        <div className={css.actions}>
          <UpdateCardButton onUpdate={onUpdate} />
        </div>
      )}
    </section>
  )
}

function UpdateCardButton({ onUpdate }: Pick<Props, 'onUpdate'>) {
  const [isBusy, setBusy] = useState(false)
  const update = async () => {
    setBusy(true)
    await onUpdate()
    setBusy(false)
  }
  return (
    <Button busy={isBusy} onClick={() => void update()}>
      {texts.updateCard}
    </Button>
  )
}
