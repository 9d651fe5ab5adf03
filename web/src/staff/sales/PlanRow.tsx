import type { plans } from '@dubplate/contract'
import { IconGripVertical } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { isAboveZero, money } from '../../billing/money.ts'
import { format, rich } from '../../platform/message.ts'
import button from '../../ui/Button.module.css'
import { Button } from '../../ui/Button.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import { ConfirmDialog } from '../../uploads/ConfirmDialog.tsx'
import { QuickTick } from '../QuickTick.tsx'
import commerce from './Commerce.module.css'
import { priceWords, sumWords } from './commerceWords.ts'
import css from './PlanRow.module.css'
import { removePlan, sell } from './plans.ts'
import * as texts from './texts.ts'

/** A plan in the list: its price, subscribers, revenue and actions. */
export function PlanRow({ plan }: { plan: plans.StaffPlan }) {
  const { plan_id, title, is_premium, is_published, can_remove } = plan
  const [isAsking, setAsking] = useState(false)
  return (
    <article className={css.row} aria-label={title}>
      <IconButton
        label={format(texts.move, { title })}
        shortcut={texts.altAltOrSpaceThen}
        draggable={false}
        data-handle
      >
        <IconGripVertical size={16} />
      </IconButton>
      <div>
        <h2>
          {title}
          {is_premium && <span className={css.badge}>{texts.premium}</span>}
        </h2>
        <Figures plan={plan} />
      </div>
      <div className={commerce.deeds}>
        <QuickTick
          name={format(texts.publishedLabel, { title })}
          label={texts.published}
          isTicked={is_published}
          onTick={(isOnSale) => sell(plan, isOnSale)}
        />
        <Link
          to="/staff/plans"
          search={{ open: String(plan_id) }}
          className={button.button}
          resetScroll={false}
          aria-label={format(texts.editTitleLabel, { title })}
        >
          {texts.edit}
        </Link>
        {can_remove && (
          <Button aria-label={format(texts.deleteTitleLabel, { title })} onClick={() => setAsking(true)}>
            {texts.deleteButton}
          </Button>
        )}
      </div>
      {isAsking && (
        <ConfirmDialog
          title={texts.deletePlan}
          what={format(texts.hasNeverHadSubscribersAnd, { title })}
          confirmLabel={texts.deleteButton}
          isDanger
          onConfirm={() => removePlan(plan)}
          onClose={() => setAsking(false)}
        />
      )}
    </article>
  )
}

function Figures({ plan }: { plan: plans.StaffPlan }) {
  const { plan_id, trial_price, currency, interval, subscribers, monthly } = plan
  const price = <b className="num">{priceWords(plan)}</b>
  const trial = money(trial_price, currency)
  return (
    <>
      <p>
        {isAboveZero(trial_price)
          ? rich(interval === 'year' ? texts.priceAndFirstYear : texts.priceAndFirstMonth, { price, trial })
          : price}
      </p>
      <p>
        {subscribers > 0 ? (
          <Link to="/staff/subscriptions" search={{ plan: plan_id }} className={commerce.link}>
            {format(texts.subscribersCount, { subscribers })}
          </Link>
        ) : (
          texts.noSubscribers
        )}
        {monthly.length > 0 && (
          <span className="num" title={texts.mrrExcludingTrials}>
            {' · '}
            {format(texts.month, { sum: sumWords(monthly, '') })}
          </span>
        )}
      </p>
    </>
  )
}
