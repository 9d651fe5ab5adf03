import type { billing } from '@dubplate/contract'
import { Box, Group, Text, TextInput } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type FormEvent, type RefObject, useEffect, useId, useRef } from 'react'
import { format } from '../format/message.ts'
import { Button } from '../ui/Button.tsx'
import type { Coupon } from './checkout.ts'
import { money } from './money.ts'
import { Note, Panel } from './PaymentPage.tsx'
import { PlanTitle, Price } from './PlanSummary.tsx'
import { describeBilling, isPremium } from './planTexts.ts'
import * as texts from './texts.ts'

type Props = {
  plan: billing.Plan
  /** The amount due today. */
  total: string
  /** The amount due today before a discount. */
  firstPrice: string
  coupon: Coupon
  isPaying: boolean
}

/** The chosen plan: what it costs today and later, with a field for a coupon. */
export const ChosenPlan = ({ plan, total, firstPrice, coupon, isPaying }: Props) => (
  <Panel label={texts.plan}>
    <PlanTitle plan={plan} />
    {isPremium(plan) && <Note>{texts.premiumPlan}</Note>}
    <div aria-live="polite">
      <Note isSmall>{texts.dueToday}</Note>
      <Price>{money(total, plan.currency)}</Price>
    </div>
    <Note>{describeBilling(plan, { firstPrice, hasCoupon: coupon.applied !== undefined })}</Note>
    <Note>{texts.cancelAnytime}</Note>
    <CouponBox coupon={coupon} currency={plan.currency} disabled={isPaying} />
  </Panel>
)

type CouponProps = { coupon: Coupon; currency: string; disabled: boolean }

/** Applies or removes a promotion code. A rejected code stays in the field. */
function CouponBox({ coupon, currency, disabled }: CouponProps) {
  const id = useId()
  const box = useRef<HTMLFormElement>(null)
  const { applied, errorMessage } = coupon
  const markPressed = useCouponFocus(box, coupon)
  const apply = (event: FormEvent) => {
    event.preventDefault()
    markPressed()
    coupon.apply()
  }
  const remove = () => {
    markPressed()
    coupon.remove()
  }
  return (
    <Box
      component="form"
      ref={box}
      noValidate
      pt="lg"
      style={{ borderTop: '1px solid var(--line)' }}
      onSubmit={apply}
      aria-label={texts.promotionCode}
    >
      <Text component="label" inherit fw={560} display="block" mb={6} htmlFor={id}>
        {texts.promotionCode}
      </Text>
      {applied ? (
        <Group gap="4px 12px" justify="space-between" role="status">
          <Group gap={6} fw={560} c="var(--ok)">
            <IconCheck size={16} aria-hidden />
            {format(texts.appliedOff, { discount: money(applied.discount, currency) })}
          </Group>
          <Button
            id={id}
            disabled={disabled}
            aria-label={format(texts.removeCouponLabel, { code: applied.code })}
            onClick={remove}
          >
            {texts.remove}
          </Button>
        </Group>
      ) : (
        <Group gap="sm" wrap="nowrap">
          <TextInput
            id={id}
            flex={1}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            disabled={disabled}
            value={coupon.typed}
            error={errorMessage !== ''}
            aria-describedby={errorMessage ? `${id}-error` : undefined}
            onChange={({ currentTarget }) => coupon.type(currentTarget.value)}
          />
          <Button type="submit" busy={coupon.isBusy} disabled={disabled} style={{ minWidth: 84 }}>
            {texts.apply}
          </Button>
        </Group>
      )}
      {applied?.description && (
        <Text inherit fz="sm" mt={6} c="var(--text-2)">
          {applied.description}
        </Text>
      )}
      <Text id={`${id}-error`} role="alert" inherit fz="xs" mt={errorMessage ? 6 : 0} c="var(--danger)">
        {errorMessage}
      </Text>
    </Box>
  )
}

/**
 * Moves the focus when the pressed button disappears: to the control that replaces it, or back to a code that still has
 * to be applied.
 */
function useCouponFocus(box: RefObject<HTMLFormElement | null>, { applied, reminderCount }: Coupon) {
  const wasPressed = useRef(false)
  const isApplied = applied !== undefined
  useEffect(() => {
    if (wasPressed.current) box.current?.querySelector<HTMLElement>(isApplied ? 'button' : 'input')?.focus()
    wasPressed.current = false
  }, [box, isApplied])
  useEffect(() => {
    if (reminderCount) box.current?.querySelector('input')?.focus()
  }, [box, reminderCount])
  return () => {
    wasPressed.current = true
  }
}
