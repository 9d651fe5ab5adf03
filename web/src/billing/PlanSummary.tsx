import type { billing } from '@dubplate/contract'
import { Badge, Box, Group, Stack, Text } from '@mantine/core'
import { IconCrown } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { format, rich } from '../format/message.ts'
import { Html } from '../platform/Html.tsx'
import css from './Billing.module.css'
import { isAboveZero, money } from './money.ts'
import { Note, PanelTitle } from './PaymentPage.tsx'
import { PlanFeatures } from './PlanFeatures.tsx'
import { isPremium } from './planTexts.ts'
import * as texts from './texts.ts'

type Plan = billing.Plan

type Props = {
  plan: Plan
  /** Whether the price of the first period applies, if the plan has one. */
  hasTrial: boolean
  isOwn?: boolean
  component?: 'div' | 'li'
  /** The button of the plan. */
  children: ReactNode
}

/** A plan on sale as members see it: name, price and description. */
export const PlanSummary = ({ plan, hasTrial, isOwn = false, component = 'div', children }: Props) => (
  <Box
    component={component as 'div'}
    className={`${css.card} ${css.plan}`}
    {...(isOwn && { bd: '1px solid var(--accent-ink)' })}
    {...(component === 'li' && { 'aria-label': plan.title })}
  >
    <PlanTitle plan={plan}>
      {isOwn && (
        <Badge color="var(--surface-3)" c="var(--text)" radius="xs" h={22} tt="none" fz="xs" fw={650}>
          {texts.currentPlan}
        </Badge>
      )}
    </PlanTitle>
    <Stack gap={4}>
      <Price>
        {rich(plan.interval === 'year' ? texts.amountPerYear : texts.amountPerMonth, {
          price: money(plan.price, plan.currency),
          small: (inside) => (
            <Text component="small" fz="md" fw={400} lts={0} c="var(--text-2)">
              {inside}
            </Text>
          ),
        })}
      </Price>
      {hasTrial && isAboveZero(plan.trial_price) && (
        <Text inherit fw={560} c="var(--accent-ink)">
          {format(plan.interval === 'year' ? texts.firstYear : texts.firstMonth, {
            price: money(plan.trial_price, plan.currency),
          })}
        </Text>
      )}
    </Stack>
    <Stack gap="md">
      {plan.description && <Note>{plan.description}</Note>}
      <PlanFeatures {...plan} />
      {plan.features && <Html html={plan.features} className={css.features} />}
    </Stack>
    <Stack gap={10}>
      <Note isSmall>
        {plan.interval === 'year' ? texts.renewsYearlyCancelAnytime : texts.renewsMonthlyCancelAnytime}
      </Note>
      {children}
    </Stack>
  </Box>
)

/** The name of a plan, with its badges. */
export const PlanTitle = ({ plan, children }: { plan: Plan; children?: ReactNode }) => (
  <Group gap="6px 10px" style={{ alignContent: 'start' }}>
    <PanelTitle>{plan.title}</PanelTitle>
    {isPremium(plan) && (
      <Badge
        variant="light"
        color="var(--accent-ink)"
        radius="xs"
        h={22}
        tt="none"
        fz="xs"
        fw={650}
        leftSection={<IconCrown size={14} stroke={2} aria-hidden />}
      >
        {texts.premium}
      </Badge>
    )}
    {children}
  </Group>
)

/** A large amount. */
export const Price = ({ children }: { children: ReactNode }) => (
  <Text className="num" fz="2rem" fw={680} lh={1.15} lts="-0.02em">
    {children}
  </Text>
)
