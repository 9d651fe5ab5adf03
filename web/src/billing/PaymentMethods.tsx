import type { billing } from '@dubplate/contract'
import { IconBrandPaypal, IconBuildingBank, IconCreditCard, IconDeviceMobile } from '@tabler/icons-react'
import { type ReactNode, useId } from 'react'
import choose from './ChoosePayment.module.css'
import * as texts from './texts.ts'

type Method = billing.PaymentMethod

/** In the order in which they are offered. */
const METHODS = [
  { kind: 'mobile_wallet', name: texts.googleApplePay, icon: IconDeviceMobile },
  { kind: 'paypal', name: 'PayPal', icon: IconBrandPaypal },
  { kind: 'credit_card', name: texts.creditCard, icon: IconCreditCard },
  { kind: 'bank_transfer', name: texts.bankTransfer, icon: IconBuildingBank },
] as const satisfies { kind: Method; name: string; icon: unknown }[]

type Props = {
  offered: readonly Method[]
  chosen: string
  error: ReactNode
  onChoose: (method: Method) => void
}

/** A choice of the offered payment methods. */
export function PaymentMethods({ offered, chosen, error, onChoose }: Props) {
  const id = useId()
  return (
    <fieldset
      className={choose.methods}
      data-wrong={error ? true : undefined}
      aria-describedby={error ? `${id}-wrong` : undefined}
    >
      <legend>{texts.paymentMethod}</legend>
      {METHODS.filter(({ kind }) => offered.includes(kind)).map(({ kind, name, icon: Icon }) => (
        <label key={kind} className={choose.method}>
          <input
            type="radio"
            name={id}
            data-path="payment_method"
            value={kind}
            checked={chosen === kind}
            onChange={() => onChoose(kind)}
          />
          {name}
          <Icon size={20} stroke={1.7} aria-hidden />
        </label>
      ))}
      {error && (
        <p id={`${id}-wrong`} role="alert" className={choose.wrong}>
          {error}
        </p>
      )}
    </fieldset>
  )
}
