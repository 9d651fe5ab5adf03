import type { subscriptions } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { money } from '../../billing/money.ts'
import { formatDate } from '../../platform/dates.ts'
import { formatExactDate } from '../../platform/format.ts'
import { rich } from '../../platform/message.ts'
import commerce from './Commerce.module.css'
import { happeningWords } from './commerceWords.ts'
import css from './History.module.css'
import * as texts from './texts.ts'

type Props = { happenings: readonly subscriptions.SubscriptionEvent[]; currency: string }

/** All events, newest first. */
export const SubscriptionHistory = ({ happenings, currency }: Props) => (
  <ol className={css.history}>
    {happenings.toReversed().map((happening) => (
      <Line
        key={`${happening.at} ${happening.kind} ${happening.charge_id} ${happening.invoice_id}`}
        happening={happening}
        currency={currency}
      />
    ))}
  </ol>
)

function Line({ happening, currency }: { happening: subscriptions.SubscriptionEvent; currency: string }) {
  const { at, kind, detail, amount, invoice_number, by } = happening
  return (
    <li>
      <time dateTime={at} title={formatExactDate(at)}>
        {formatDate(at)}
      </time>
      <div>
        <b>{happeningWords(kind)}</b>
        {by && (
          <>
            {' '}
            {rich(texts.by, {
              dj_name: by.dj_name,
              link: (inside) => (
                <Link to="/staff/members/$customerId" params={{ customerId: by.customer_id }} className={commerce.link}>
                  {inside}
                </Link>
              ),
            })}
          </>
        )}
        {detail && <p>{detail}</p>}
      </div>
      <span>
        {amount && <b className="num">{money(amount, currency)}</b>}{' '}
        {invoice_number && (
          <small>
            <Link to="/staff/invoices" search={{ find: invoice_number }} className={commerce.link}>
              {invoice_number}
            </Link>
          </small>
        )}
      </span>
    </li>
  )
}
