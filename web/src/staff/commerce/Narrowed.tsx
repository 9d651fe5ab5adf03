import { Link } from '@tanstack/react-router'
import { Button } from '../../ui/Button.tsx'
import css from './Commerce.module.css'

type Props = {
  member?: number | undefined
  subscription?: number | undefined
  onDrop: () => void
}

/** Says that a list is of one member, or of one subscription, alone. */
export const Narrowed = ({ member, subscription, onDrop }: Props) => (
  <p className={css.chosen}>
    <span>
      Only of{' '}
      {member ? (
        <Link to="/staff/members/$customerId" params={{ customerId: member }} className={css.link}>
          member #{member}
        </Link>
      ) : (
        <Link
          to="/staff/subscriptions/$subscriptionId"
          params={{ subscriptionId: subscription ?? 0 }}
          className={css.link}
        >
          subscription #{subscription}
        </Link>
      )}
      .
    </span>
    <Button onClick={onDrop}>Clear filter</Button>
  </p>
)
