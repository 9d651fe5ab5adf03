import { Link } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import buttons from '../ui/Button.module.css'
import { askStandingAnew } from './agreement.ts'
import css from './Billing.module.css'
import { money } from './money.ts'
import type { Transfer } from './next.ts'

export type TransferToMake = Pick<Transfer, 'reference' | 'instructions'> & { amount: string; currency: string }

/** What to do for a plan that is paid by bank transfer. */
export function TransferOrdered({ reference, instructions, amount, currency }: TransferToMake) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    heading.current?.focus()
    void askStandingAnew()
  }, [])
  return (
    <section className={`${css.card} ${css.one}`} aria-label="Bank transfer">
      <h2 ref={heading} tabIndex={-1}>
        Transfer {money(amount, currency)} using reference {reference}
      </h2>
      {instructions && <p className={`${css.text} ${css.instructions}`}>{instructions}</p>}
      <p className={css.text}>Your plan starts when we receive your transfer. We’ll email you.</p>
      <div className={css.actions}>
        <Link to="/account/manage-subscription" className={buttons.button} data-look="primary">
          View subscription
        </Link>
      </div>
    </section>
  )
}
