import { Link } from '@tanstack/react-router'
import { AppliedFilter, FilterMenu } from '../../admin/TableToolbar.tsx'
import { rich } from '../../format/message.ts'
import { gatewayName } from './refunds.ts'
import * as texts from './texts.ts'

/** Says that a table is limited to one member. */
export const MemberFilter = ({ member, onRemove }: { member: number | undefined; onRemove: () => void }) =>
  member !== undefined && (
    <AppliedFilter onRemove={onRemove}>
      <span>
        {rich(texts.onlyOfMember, {
          member,
          link: (inside) => (
            <Link to="/staff/members/$customerId" params={{ customerId: member }}>
              {inside}
            </Link>
          ),
        })}
      </span>
    </AppliedFilter>
  )

type SubscriptionFilterProps = { subscription: number | undefined; onRemove: () => void }

/** Says that a table is limited to one subscription. */
export const SubscriptionFilter = ({ subscription, onRemove }: SubscriptionFilterProps) =>
  subscription !== undefined && (
    <AppliedFilter onRemove={onRemove}>
      <span>
        {rich(texts.onlyOfSubscription, {
          subscription,
          link: (inside) => (
            <Link to="/staff/subscriptions/$subscriptionId" params={{ subscriptionId: subscription }}>
              {inside}
            </Link>
          ),
        })}
      </span>
    </AppliedFilter>
  )

type GatewayFilterProps = {
  gateways: readonly string[] | undefined
  value: string | undefined
  onChange: (gateway: string | undefined) => void
}

/** Limits a table to one payment provider. */
export const GatewayFilter = ({ gateways = [], value, onChange }: GatewayFilterProps) => (
  <FilterMenu
    label={texts.paymentProvider}
    options={[...new Set(value ? [...gateways, value] : gateways)].map((id) => ({ value: id, name: gatewayName(id) }))}
    value={value}
    onChange={onChange}
  />
)
