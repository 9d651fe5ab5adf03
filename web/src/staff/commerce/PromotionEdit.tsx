import { coupons } from '@dubplate/contract'
import { ask } from '../../platform/api.ts'
import { plural } from '../../platform/format.ts'
import { toast } from '../../ui/toast.ts'
import { EntryEnd } from '../EntryEnd.tsx'
import { TextField } from '../EntryFields.tsx'
import { EntryForm } from '../EntryForm.tsx'
import forms from '../Forms.module.css'
import { useEntry, type Wrong } from '../useEntry.ts'
import { CouponFields, type Plan } from './CouponFields.tsx'
import { type CouponEntry, newCoupon, termsOf, wrongTerms } from './couponEntry.ts'
import { askCouponsAnew } from './coupons.ts'

type Entry = CouponEntry & { title: string; count: string; prefix: string }
type Props = { plans: readonly Plan[]; onClose: () => void }

async function makeCodes(entry: Entry): Promise<void> {
  const { title, count, prefix } = entry
  const { promotion } = await ask(coupons.makeCoupons, { title, count: Number(count), prefix, ...termsOf(entry) })
  void toast({ message: `${plural(promotion.codes, 'code')} generated for ${promotion.title}` })
  await askCouponsAnew()
}

/** Makes many codes on the same terms. */
export function PromotionEdit({ plans, onClose }: Props) {
  const entry = useEntry<Entry, void>({
    draftName: 'promotion.new',
    first: { ...newCoupon(plans[0]?.currency ?? 'USD'), title: '', count: '50', prefix: '', most_uses: '1' },
    wrongOf: wrongPromotion,
    send: makeCodes,
    onClose,
  })
  const { typed, wrong, write } = entry
  return (
    <EntryForm entry={entry} title="New promotion">
      <p className={forms.hint}>Generate single-use codes with the same discount, for flyers, partners or events.</p>
      <div className={forms.narrow}>
        <TextField
          label="Name"
          path="title"
          wrong={wrong.title}
          note="Only staff can see this."
          takesFocus
          maxLength={80}
          value={typed.title}
          onChange={(title) => write({ title })}
        />
        <TextField
          label="Number of codes"
          path="count"
          wrong={wrong.count}
          note={`Up to ${coupons.MOST_CODES}.`}
          inputMode="numeric"
          maxLength={3}
          value={typed.count}
          onChange={(count) => write({ count: count.replace(/\D/g, '') })}
        />
        <TextField
          label="Prefix"
          path="prefix"
          wrong={wrong.prefix}
          note="“SUN” gives codes like SUN-K7F3XPQA."
          maxLength={20}
          autoCapitalize="characters"
          spellCheck={false}
          value={typed.prefix}
          onChange={(prefix) => write({ prefix: prefix.toUpperCase() })}
        />
      </div>
      <CouponFields typed={typed} wrong={wrong} plans={plans} onChange={write} />
      <EntryEnd entry={entry} verb="Generate codes" />
    </EntryForm>
  )
}

const wrongPromotion = (entry: Entry): Wrong => {
  const count = Number(entry.count)
  return {
    ...(entry.title.trim() ? {} : { title: 'Enter a name.' }),
    ...(count >= 1 && count <= coupons.MOST_CODES ? {} : { count: `Enter a number from 1 to ${coupons.MOST_CODES}.` }),
    ...(/^[A-Z0-9]{0,20}$/.test(entry.prefix.trim()) ? {} : { prefix: 'Use only letters A–Z and digits.' }),
    ...wrongTerms(entry),
  }
}
