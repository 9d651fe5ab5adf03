import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { format } from '../format/message.ts'
import buttons from '../ui/Button.module.css'
import { refetchSubscription } from './agreement.ts'
import css from './Billing.module.css'
import { money } from './money.ts'
import type { Transfer } from './paymentSteps.ts'
import * as texts from './texts.ts'

export type TransferToMake = Pick<Transfer, 'reference' | 'instructions'> & { amount: string; currency: string }

/** Instructions for a plan that is paid by bank transfer. */
export function TransferOrdered({ reference, instructions, amount, currency }: TransferToMake) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus()
    void refetchSubscription()
  }, [])
  return (
    <section className={`${css.card} ${css.one}`} aria-label={texts.bankTransfer}>
      <h2 ref={heading} tabIndex={-1}>
        {format(texts.transferUsingReference, { amount: money(amount, currency), reference })}
      </h2>
      {instructions && <p className={`${css.text} ${css.instructions}`}>{instructions}</p>}
      <p className={css.text}>{texts.yourPlanStartsWhenWeReceive}</p>
      <div className={css.actions}>
        <Link to="/account/manage-subscription" className={buttons.button} data-look="primary">
          {texts.viewSubscription}
        </Link>
      </div>
    </section>
  )
}
