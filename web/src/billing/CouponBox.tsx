import { TextInput } from '@mantine/core'
import { IconCheck } from '@tabler/icons-react'
import { type FormEvent, type RefObject, useEffect, useId, useRef } from 'react'
import { format } from '../format/message.ts'
import { Button } from '../ui/Button.tsx'
import css from './Billing.module.css'
import choose from './ChoosePayment.module.css'
import type { Coupon } from './checkout.ts'
import { money } from './money.ts'
import * as texts from './texts.ts'

type Props = { coupon: Coupon; currency: string; disabled: boolean }

/** Applies or removes a promotion code. A rejected code stays in the field. */
export function CouponBox({ coupon, currency, disabled }: Props) {
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
    <form ref={box} noValidate className={choose.coupon} onSubmit={apply} aria-label={texts.promotionCode}>
      <label htmlFor={id}>{texts.promotionCode}</label>
      {applied ? (
        <div className={choose.applied} role="status">
          <span>
            <IconCheck size={16} aria-hidden />
            {format(texts.appliedOff, { discount: money(applied.discount, currency) })}
          </span>
          <Button
            id={id}
            disabled={disabled}
            aria-label={format(texts.removeCouponLabel, { code: applied.code })}
            onClick={remove}
          >
            {texts.remove}
          </Button>
        </div>
      ) : (
        <div className={choose.couponLine}>
          <TextInput
            id={id}
            autoComplete="off"
            autoCapitalize="characters"
            spellCheck={false}
            disabled={disabled}
            value={coupon.typed}
            error={errorMessage !== ''}
            aria-describedby={errorMessage ? `${id}-error` : undefined}
            onChange={({ currentTarget }) => coupon.type(currentTarget.value)}
          />
          <Button type="submit" busy={coupon.isBusy} disabled={disabled}>
            {texts.apply}
          </Button>
        </div>
      )}
      {applied?.description && <p className={css.small}>{applied.description}</p>}
      <p id={`${id}-error`} role="alert" className={choose.wrong}>
        {errorMessage}
      </p>
    </form>
  )
}

/**
 * Moves the focus when the pressed button disappears: to the control that replaces it, or back to a code that still has
 * to be applied.
 */
function useCouponFocus(box: RefObject<HTMLFormElement | null>, { applied, forgotten: removedCount }: Coupon) {
  const wasPressed = useRef(false)
  const isApplied = applied !== undefined
  useEffect(() => {
    if (wasPressed.current) box.current?.querySelector<HTMLElement>(isApplied ? 'button' : 'input')?.focus()
    wasPressed.current = false
  }, [box, isApplied])
  useEffect(() => {
    if (removedCount) box.current?.querySelector('input')?.focus()
  }, [box, removedCount])
  return () => {
    wasPressed.current = true
  }
}
