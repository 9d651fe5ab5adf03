import { coupons } from '@dubplate/contract'
import { IconTicket } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { Trouble } from '../../platform/errors.tsx'
import { count } from '../../platform/format.ts'
import { useAsk } from '../../platform/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Chips } from '../../ui/Chips.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import lists from '../Lists.module.css'
import css from './Commerce.module.css'
import { CommercePage } from './CommercePage.tsx'
import { CouponEdit } from './CouponEdit.tsx'
import { CouponRow } from './CouponRow.tsx'
import { COUPON_STATE_WORDS } from './commerceWords.ts'
import { PromotionCard } from './PromotionCard.tsx'
import { PromotionEdit } from './PromotionEdit.tsx'
import rows from './Rows.module.css'

/** What takes something off a plan. */
export const Coupons = () => (
  <CommercePage title="Coupons">
    <List />
  </CommercePage>
)

const FROM = { from: '/staff/coupons' } as const

/** What is written at the moment: a new coupon, a promotion, or one that is there. */
type Open = 'new' | 'promotion' | number

function List() {
  const { page = 1, state, find, promotion } = useSearch(FROM)
  const input = { page, search: find ?? '', promotion_id: promotion, ...(state ? { state } : {}) }
  const { data, error, isPlaceholderData, refetch } = useAsk(coupons.getCoupons, input, { keepPrevious: true })
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <>
      <Filters counts={data?.counts} />
      <div className={lists.actions}>
        <Button look="primary" disabled={!data || open === 'new'} onClick={() => setOpen('new')}>
          New coupon
        </Button>
        <Button disabled={!data || open === 'promotion'} onClick={() => setOpen('promotion')}>
          New promotion
        </Button>
      </div>
      {data && open === 'new' && <CouponEdit plans={data.plans} onClose={close} />}
      {data && open === 'promotion' && <PromotionEdit plans={data.plans} onClose={close} />}
      {error && !data && <Trouble error={error} what="coupons" retry={() => void refetch()} />}
      {!data && !error && <ToCome />}
      {data && page === 1 && data.promotions.length > 0 && (
        <ul className={lists.cards} aria-label="Promotions">
          {data.promotions.map((each) => (
            <PromotionCard key={each.promotion_id} promotion={each} isOpen={each.promotion_id === promotion} />
          ))}
        </ul>
      )}
      {data?.coupons.length === 0 && <Nothing isNarrowed={!!state || !!find || !!promotion} />}
      {data && data.coupons.length > 0 && (
        <>
          <ul className={lists.rows} data-wide aria-label="Coupons" aria-busy={isPlaceholderData || undefined}>
            {data.coupons.map((coupon) =>
              open === coupon.coupon_id ? (
                <li key={coupon.coupon_id} style={{ padding: '12px 0' }}>
                  <CouponEdit coupon={coupon} plans={data.plans} onClose={close} />
                </li>
              ) : (
                <CouponRow
                  key={coupon.coupon_id}
                  coupon={coupon}
                  plans={data.plans}
                  onEdit={() => setOpen(coupon.coupon_id)}
                />
              ),
            )}
          </ul>
          <Pagination pagination={data.pagination} />
        </>
      )}
    </>
  )
}

function Filters({ counts }: { counts: Record<coupons.Coupon['state'], number> | undefined }) {
  const { state, find, promotion } = useSearch(FROM)
  const navigate = useNavigate(FROM)
  const nameOf = (each: coupons.Coupon['state']) =>
    counts ? `${COUPON_STATE_WORDS[each].text} ${count(counts[each])}` : COUPON_STATE_WORDS[each].text
  return (
    <search className={css.filters}>
      <div className={css.head}>
        <Chips
          label="Coupon status"
          choices={[
            { value: undefined, label: 'All' },
            ...coupons.COUPON_STATES.map((value) => ({ value, label: nameOf(value) })),
          ]}
          chosen={state}
          onChoose={(state) => void navigate({ search: { state, find, promotion } })}
        />
        <SearchField
          label="Search by start of code…"
          value={find ?? ''}
          onSearch={(find) => void navigate({ search: (was) => ({ ...was, page: undefined, find }), replace: true })}
        />
      </div>
      {promotion && (
        <p className={css.chosen}>
          Showing codes from one promotion.
          <Link to="/staff/coupons" className={css.link}>
            Show all coupons
          </Link>
        </p>
      )}
    </search>
  )
}

const Nothing = ({ isNarrowed }: { isNarrowed: boolean }) => (
  <EmptyState icon={<IconTicket size={24} />} title={isNarrowed ? 'No matching coupons' : 'No coupons yet'}>
    {isNarrowed
      ? 'Search matches the start of a code. Try a different search or clear the filters.'
      : 'Coupons give a discount on a plan when a member enters the code.'}
  </EmptyState>
)

const ROWS = 5

const ToCome = () => (
  <ol className={lists.rows} data-wide aria-busy aria-label="Loading coupons…">
    {Array.from({ length: ROWS }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
      <li key={i} className={rows.rowBone} aria-hidden />
    ))}
  </ol>
)
