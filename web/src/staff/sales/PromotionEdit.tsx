import { coupons } from '@dubplate/contract'
import { callApi } from '../../platform/api.ts'
import { format } from '../../platform/message.ts'
import { toast } from '../../ui/toast.ts'
import { EntryEnd } from '../forms/EntryEnd.tsx'
import { TextField } from '../forms/EntryFields.tsx'
import { EntryForm } from '../forms/EntryForm.tsx'
import forms from '../forms/Forms.module.css'
import { useEntry, type Wrong } from '../forms/useEntry.ts'
import { CouponFields, type Plan } from './CouponFields.tsx'
import { type CouponEntry, newCoupon, termsOf, wrongTerms } from './couponEntry.ts'
import { askCouponsAnew } from './coupons.ts'
import * as texts from './texts.ts'

type Entry = CouponEntry & { title: string; count: string; prefix: string }
type Props = { plans: readonly Plan[]; onClose: () => void }

async function makeCodes(entry: Entry): Promise<void> {
  const { title, count, prefix } = entry
  const { promotion } = await callApi(coupons.makeCoupons, { title, count: Number(count), prefix, ...termsOf(entry) })
  void toast({ message: format(texts.codesGeneratedFor, { codes: promotion.codes, title: promotion.title }) })
  await askCouponsAnew()
}

/** Creates many codes with the same terms. */
export function PromotionEdit({ plans, onClose }: Props) {
  const entry = useEntry<Entry, void>({
    draftName: 'promotion.new',
    first: { ...newCoupon(plans[0]?.currency ?? 'USD'), title: '', count: '50', prefix: '', max_uses: '1' },
    wrongOf: wrongPromotion,
    send: makeCodes,
    onClose,
  })
  const { typed, wrong, write } = entry
  return (
    <EntryForm entry={entry} title={texts.newPromotion}>
      <p className={forms.hint}>{texts.generateSingleUseCodesWith}</p>
      <div className={forms.narrow}>
        <TextField
          label={texts.name}
          path="title"
          wrong={wrong.title}
          note={texts.onlyStaffCanSeeThis}
          takesFocus
          maxLength={80}
          value={typed.title}
          onChange={(title) => write({ title })}
        />
        <TextField
          label={texts.numberOfCodes}
          path="count"
          wrong={wrong.count}
          note={format(texts.upToCodes, { MOST_CODES: coupons.MAX_CODES })}
          inputMode="numeric"
          maxLength={3}
          value={typed.count}
          onChange={(count) => write({ count: count.replace(/\D/g, '') })}
        />
        <TextField
          label={texts.prefix}
          path="prefix"
          wrong={wrong.prefix}
          note={texts.sunGivesCodesLikeSun}
          maxLength={20}
          autoCapitalize="characters"
          spellCheck={false}
          value={typed.prefix}
          onChange={(prefix) => write({ prefix: prefix.toUpperCase() })}
        />
      </div>
      <CouponFields typed={typed} wrong={wrong} plans={plans} onChange={write} />
      <EntryEnd entry={entry} verb={texts.generateCodes} />
    </EntryForm>
  )
}

const wrongPromotion = (entry: Entry): Wrong => {
  const count = Number(entry.count)
  return {
    ...(entry.title.trim() ? {} : { title: texts.enterAName }),
    ...(count >= 1 && count <= coupons.MAX_CODES
      ? {}
      : { count: format(texts.enterNumberOfCodes, { MOST_CODES: coupons.MAX_CODES }) }),
    ...(/^[A-Z0-9]{0,20}$/.test(entry.prefix.trim()) ? {} : { prefix: texts.useOnlyLettersAZ }),
    ...wrongTerms(entry),
  }
}
