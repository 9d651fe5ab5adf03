import { coupons } from '@dubplate/contract'
import { useState } from 'react'
import { callApi } from '../../platform/api.ts'
import { format } from '../../platform/message.ts'
import { Button } from '../../ui/Button.tsx'
import { toast, toastError } from '../../ui/toast.ts'
import { EntryEnd } from '../forms/EntryEnd.tsx'
import { TextField } from '../forms/EntryFields.tsx'
import { EntryForm } from '../forms/EntryForm.tsx'
import forms from '../forms/Forms.module.css'
import { Theirs } from '../forms/Theirs.tsx'
import { useEntry } from '../forms/useEntry.ts'
import { CouponFields, type Plan } from './CouponFields.tsx'
import css from './CouponForms.module.css'
import { limitWords } from './commerceWords.ts'
import { type CouponEntry, couponEntryOf, couponWish, newCoupon, wrongCoupon } from './couponEntry.ts'
import { askCouponsAnew, couponNow } from './coupons.ts'
import * as texts from './texts.ts'

type Props = {
  /** Undefined for a new one. */
  coupon?: coupons.Coupon
  plans: readonly Plan[]
  onClose: () => void
}

async function saveCoupon(entry: CouponEntry, of: coupons.Coupon | undefined): Promise<coupons.Coupon> {
  const { coupon } = await callApi(coupons.saveCoupon, couponWish(entry, of))
  void toast({ message: format(texts.couponSaved, { code: coupon.code, description: coupon.description }) })
  await askCouponsAnew()
  return coupon
}

/** Edits a coupon. Once it has been used, only its dates, its limit and its plans can be changed. */
export function CouponEdit({ coupon, plans, onClose }: Props) {
  const currency = plans[0]?.currency ?? 'USD'
  const entry = useEntry<CouponEntry, coupons.Coupon>({
    draftName: `coupon.${coupon?.coupon_id ?? 'new'}`,
    first: coupon ? couponEntryOf(coupon, currency) : newCoupon(currency),
    wrongOf: wrongCoupon,
    send: (typed) => saveCoupon(typed, coupon),
    meanwhile: coupon && { read: () => couponNow(coupon), entryOf: (theirs) => couponEntryOf(theirs, currency) },
    onClose,
  })
  const { typed, wrong, write, theirs } = entry
  const isFixed = (coupon?.uses ?? 0) > 0
  return (
    <EntryForm entry={entry} title={coupon ? format(texts.editCodeLabel, { code: coupon.code }) : texts.newCoupon}>
      {isFixed && coupon ? (
        <p className={forms.hint}>{format(texts.thisCouponHasBeenUsed, { description: coupon.description })}</p>
      ) : (
        <Code code={typed.code} wrong={wrong.code} onChange={(code) => write({ code })} />
      )}
      <CouponFields typed={typed} wrong={wrong} plans={plans} isFixed={isFixed} onChange={write} />
      <EntryEnd entry={entry}>
        {theirs && (
          <Theirs entry={entry}>
            <p>
              {format(texts.someoneElseChangedThisWhile, {
                code: theirs.code,
                description: theirs.description,
                limitWords: limitWords(theirs),
              })}
            </p>
          </Theirs>
        )}
      </EntryEnd>
    </EntryForm>
  )
}

/** The code: typed or generated. */
function Code({
  code,
  wrong,
  onChange,
}: {
  code: string
  wrong: string | undefined
  onChange: (code: string) => void
}) {
  const [isBusy, setBusy] = useState(false)
  const makeUp = async () => {
    setBusy(true)
    try {
      onChange((await callApi(coupons.makeCode, {})).code)
    } catch (error) {
      void toastError(texts.couldntGenerateACode, error)
    }
    setBusy(false)
  }
  return (
    <div className={css.code}>
      <TextField
        label={texts.code}
        path="code"
        wrong={wrong}
        takesFocus
        maxLength={40}
        autoCapitalize="characters"
        spellCheck={false}
        value={code}
        onChange={(typed) => onChange(typed.toUpperCase())}
      />
      <Button busy={isBusy} onClick={() => void makeUp()}>
        {texts.generate}
      </Button>
    </div>
  )
}
