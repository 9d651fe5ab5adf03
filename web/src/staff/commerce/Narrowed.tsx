import { Link } from '@tanstack/react-router'
import { rich } from '../../platform/message.ts'
import { Button } from '../../ui/Button.tsx'
import css from './Commerce.module.css'
import * as texts from './texts.ts'

type Props = {
  member?: number | undefined
  subscription?: number | undefined
  onDrop: () => void
}

/** Says that a list is limited to one member or one subscription. */
export const Narrowed = ({ member, subscription, onDrop }: Props) => (
  <p className={css.chosen}>
    <span>
      {member
        ? rich(texts.onlyOfMember, {
            member,
            link: (inside) => (
              <Link to="/staff/members/$customerId" params={{ customerId: member }} className={css.link}>
                {inside}
              </Link>
            ),
          })
        : rich(texts.onlyOfSubscription, {
            subscription,
            link: (inside) => (
              <Link
                to="/staff/subscriptions/$subscriptionId"
                params={{ subscriptionId: subscription ?? 0 }}
                className={css.link}
              >
                {inside}
              </Link>
            ),
          })}
    </span>
    <Button onClick={onDrop}>{texts.clearFilter}</Button>
  </p>
)
