import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import buttons from '../ui/Button.module.css'
import * as texts from './texts.ts'

type Props = { isMain?: boolean; children?: ReactNode }

const lookOf = (isMain: boolean) => ({ className: buttons.button, 'data-look': isMain ? 'primary' : 'plain' })

/** A link to the plans, with the look of a button. */
export const PlansLink = ({ isMain = false, children = texts.viewPlans }: Props) => (
  <Link to="/subscription/plans" {...lookOf(isMain)}>
    {children}
  </Link>
)

/** A link to the member’s subscription, with the look of a button. */
export const SubscriptionLink = ({ isMain = false, children = texts.viewSubscription }: Props) => (
  <Link to="/account/manage-subscription" {...lookOf(isMain)}>
    {children}
  </Link>
)

/** A link to the checkout of a plan, with the look of a button. */
export const CheckoutLink = ({ planId, isMain = false, children }: Props & { planId: number }) => (
  <Link to="/subscription/choose-payment/{-$planId}" params={{ planId }} {...lookOf(isMain)}>
    {children}
  </Link>
)

/** A link to the member’s subscription in a sentence. */
export const linkToSubscription = (text: ReactNode) => (
  <Text
    inherit
    component="span"
    fw={560}
    c="var(--text)"
    td="underline"
    style={{ textUnderlineOffset: 3 }}
    renderRoot={(props) => <Link to="/account/manage-subscription" {...props} />}
  >
    {text}
  </Text>
)
