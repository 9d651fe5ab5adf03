import { coupons } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { formatDate } from '../../platform/dates.ts'
import { count } from '../../platform/format.ts'
import { format } from '../../platform/message.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../uploads/ConfirmDialog.tsx'
import lists from '../Lists.module.css'
import css from './Commerce.module.css'
import { sumWords } from './commerceWords.ts'
import { endPromotion } from './coupons.ts'
import { Fetch } from './Fetch.tsx'
import * as texts from './texts.ts'

type Props = { promotion: coupons.Promotion; isOpen: boolean }

/** A promotion: its discount, how many codes were used, and the table of codes. */
export function PromotionCard({ promotion, isOpen }: Props) {
  const { promotion_id, title, description, created_at, codes, open, uses, discounts } = promotion
  const [isAsking, setAsking] = useState(false)
  return (
    <li className={css.card} aria-label={title}>
      <div className={css.head}>
        <h2>
          {isOpen ? (
            title
          ) : (
            <Link to="/staff/coupons" search={{ promotion: promotion_id }} className={css.link}>
              {title}
            </Link>
          )}
        </h2>
        <b className="num">{format(texts.sumInDiscounts, { sum: sumWords(discounts, '0') })}</b>
      </div>
      <p className={lists.facts}>
        <span>{description}</span>
        <span className="num">{format(texts.codesCount, { codes })}</span>
        <span className="num">{format(texts.activeCount, { open: count(open) })}</span>
        <span className="num">{format(texts.usesCount, { uses })}</span>
        <span>{format(texts.created, { created_at: formatDate(created_at) })}</span>
      </p>
      <div className={lists.actions}>
        <Fetch
          call={coupons.getCodesFile}
          input={{ promotion_id }}
          label={texts.downloadCsv}
          name={format(texts.downloadCodesOfAsCsv, { title })}
        />
        {open > 0 && (
          <Button aria-label={format(texts.deactivateAllCodesOf, { title })} onClick={() => setAsking(true)}>
            {texts.deactivateAll}
          </Button>
        )}
      </div>
      {isAsking && (
        <ConfirmDialog
          title={format(texts.deactivatePromotionQuestion, { title })}
          what={format(texts.codesWillStopWorkingExisting, { open })}
          confirmLabel={texts.deactivateAll}
          isDanger
          onConfirm={() => endPromotion(promotion)}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  )
}
