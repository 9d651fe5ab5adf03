import { coupons } from '@dubplate/contract'
import { IconTicket } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { count } from '../../platform/format.ts'
import { rich } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Chips } from '../../ui/Chips.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import lists from '../Lists.module.css'
import { StaffPage } from '../StaffPage.tsx'
import css from './Commerce.module.css'
import { CouponEdit } from './CouponEdit.tsx'
import { CouponRow } from './CouponRow.tsx'
import { COUPON_STATE_WORDS } from './commerceWords.ts'
import { PromotionCard } from './PromotionCard.tsx'
import { PromotionEdit } from './PromotionEdit.tsx'
import rows from './Rows.module.css'
import * as texts from './texts.ts'

/** Coupons and promotions. */
export const Coupons = () => (
  <StaffPage title={texts.coupons}>
    <List />
  </StaffPage>
)

const FROM = { from: '/staff/coupons' } as const

/** What is being edited: a new coupon, a new promotion, or an existing coupon. */
type Open = 'new' | 'promotion' | number

function List() {
  const { page = 1, state, find, promotion } = useSearch(FROM)
  const input = { page, search: find ?? '', promotion_id: promotion, ...(state ? { state } : {}) }
  const { data, error, isPlaceholderData, refetch } = useApiQuery(coupons.getCoupons, input, { keepPrevious: true })
  const [open, setOpen] = useState<Open>()
  const close = () => setOpen(undefined)
  return (
    <>
      <Filters counts={data?.counts} />
      <div className={lists.actions}>
        <Button variant="primary" disabled={!data || open === 'new'} onClick={() => setOpen('new')}>
          {texts.newCoupon}
        </Button>
        <Button disabled={!data || open === 'promotion'} onClick={() => setOpen('promotion')}>
          {texts.newPromotion}
        </Button>
      </div>
      {data && open === 'new' && <CouponEdit plans={data.plans} onClose={close} />}
      {data && open === 'promotion' && <PromotionEdit plans={data.plans} onClose={close} />}
      {error && !data && <ErrorState error={error} subject={texts.couponsInSentence} retry={() => void refetch()} />}
      {!data && !error && <ToCome />}
      {data && page === 1 && data.promotions.length > 0 && (
        <ul className={lists.cards} aria-label={texts.promotions}>
          {data.promotions.map((each) => (
            <PromotionCard key={each.promotion_id} promotion={each} isOpen={each.promotion_id === promotion} />
          ))}
        </ul>
      )}
      {data?.coupons.length === 0 && <Nothing isNarrowed={!!state || !!find || !!promotion} />}
      {data && data.coupons.length > 0 && (
        <>
          <ul className={lists.rows} data-wide aria-label={texts.coupons} aria-busy={isPlaceholderData || undefined}>
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
          label={texts.couponStatus}
          choices={[
            { value: undefined, label: texts.all },
            ...coupons.COUPON_STATES.map((value) => ({ value, label: nameOf(value) })),
          ]}
          chosen={state}
          onChoose={(state) => void navigate({ search: { state, find, promotion } })}
        />
        <SearchField
          label={texts.searchByStartOfCode}
          value={find ?? ''}
          onSearch={(find) => void navigate({ search: (was) => ({ ...was, page: undefined, find }), replace: true })}
        />
      </div>
      {promotion && (
        <p className={css.chosen}>
          {rich(texts.showingCodesFromOnePromotion, {
            link: (inside) => (
              <Link to="/staff/coupons" className={css.link}>
                {inside}
              </Link>
            ),
          })}
        </p>
      )}
    </search>
  )
}

const Nothing = ({ isNarrowed }: { isNarrowed: boolean }) => (
  <EmptyState icon={<IconTicket size={24} />} title={isNarrowed ? texts.noMatchingCoupons : texts.noCouponsYet}>
    {isNarrowed ? texts.searchMatchesTheStartOf : texts.couponsGiveADiscountOn}
  </EmptyState>
)

const ROWS = 5

const ToCome = () => (
  <ol className={lists.rows} data-wide aria-busy aria-label={texts.loadingCoupons}>
    {Array.from({ length: ROWS }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
      <li key={i} className={rows.rowBone} aria-hidden />
    ))}
  </ol>
)
