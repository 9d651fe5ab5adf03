import { coupons } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { fullDay } from '../../platform/days.ts'
import { count, plural } from '../../platform/format.ts'
import { Button } from '../../ui/Button.tsx'
import { Certain } from '../../uploads/Certain.tsx'
import lists from '../Lists.module.css'
import css from './Commerce.module.css'
import { sumWords } from './commerceWords.ts'
import { endPromotion } from './coupons.ts'
import { Fetch } from './Fetch.tsx'

type Props = { promotion: coupons.Promotion; isOpen: boolean }

/** Many codes as one thing: what they take off, how many were used, and the table of them. */
export function PromotionCard({ promotion, isOpen }: Props) {
  const { promotion_id, title, words, created_at, codes, open, uses, took_off } = promotion
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
        <b className="num">{sumWords(took_off, 'Nothing')} taken off</b>
      </div>
      <p className={lists.facts}>
        <span>{words}</span>
        <span className="num">{plural(codes, 'code')}</span>
        <span className="num">{count(open)} still good</span>
        <span className="num">{plural(uses, 'use')}</span>
        <span>made on {fullDay(created_at)}</span>
      </p>
      <div className={lists.actions}>
        <Fetch
          call={coupons.getCodesFile}
          input={{ promotion_id }}
          label="Codes as CSV"
          name={`Codes of ${title} as CSV`}
        />
        {open > 0 && (
          <Button aria-label={`End all codes of ${title}`} onClick={() => setAsking(true)}>
            End all now
          </Button>
        )}
      </div>
      {isAsking && (
        <Certain
          question={`End ${title} now?`}
          what={`${plural(open, 'code')} can be used no more. Whoever used one keeps what it takes off.`}
          yes="End all now"
          isDanger
          onYes={() => endPromotion(promotion)}
          onClose={() => setAsking(false)}
        />
      )}
    </li>
  )
}
