import type { payments } from '@dubplate/contract'
import { IconCheck, IconClock, IconReceiptRefund } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type ReactNode, useRef, useState } from 'react'
import { isAboveZero, money } from '../../billing/money.ts'
import { methodName } from '../../billing/paymentMethodTexts.ts'
import { formatDate } from '../../platform/dates.ts'
import { formatExactDate } from '../../platform/format.ts'
import { Button } from '../../ui/Button.tsx'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import { useFocusPassedOn } from '../useFocusPassedOn.ts'
import commerce from './Commerce.module.css'
import css from './Payments.module.css'
import { gatewayName, leftOf } from './paymentWords.ts'
import * as texts from './texts.ts'

type Payment = payments.StaffPayment
type Form = 'paid' | 'refund' | 'clock'

const load = () => import('./PaymentForms.tsx')
const MarkPaid = lazyOnDemand(() => load().then((code) => code.MarkPaid))
const Refund = lazyOnDemand(() => load().then((code) => code.Refund))
const MoveClock = lazyOnDemand(() => load().then((code) => code.MoveClock))

/** One payment with its actions. */
export function PaymentCard({ payment, hasClock }: { payment: Payment; hasClock: boolean }) {
  const [form, setForm] = useState<Form>()
  const card = useRef<HTMLLIElement>(null)
  useFocusPassedOn(card)
  const { dj_name, status, charge_id, failure_reason } = payment
  const close = () => setForm(undefined)
  const canRefund = charge_id !== null && (status === 'paid' || status === 'partly_refunded')
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of the list move the focus between items
    <li ref={card} className={css.card} data-item tabIndex={0} aria-label={dj_name}>
      <Who payment={payment} />
      <What payment={payment} />
      {failure_reason && <p className={css.trouble}>{failure_reason}</p>}
      <div className={css.actions}>
        {status === 'waiting' && (
          <Button variant="primary" data-key="m" onClick={() => setForm('paid')}>
            <IconCheck size={16} aria-hidden />
            {texts.markAsPaid}
          </Button>
        )}
        {canRefund && isAboveZero(leftOf(payment)) && (
          <Button data-key="r" onClick={() => setForm('refund')}>
            <IconReceiptRefund size={16} aria-hidden />
            {texts.refundMenuItem}
          </Button>
        )}
        {hasClock && (
          <Button data-key="c" onClick={() => setForm('clock')}>
            <IconClock size={16} aria-hidden />
            {texts.advanceClock}
          </Button>
        )}
      </div>
      {form === 'paid' && <MarkPaid payment={payment} onClose={close} />}
      {form === 'refund' && <Refund payment={payment} onClose={close} />}
      {form === 'clock' && <MoveClock payment={payment} onClose={close} />}
    </li>
  )
}

const STATUS_WORDS: Record<Payment['status'], string> = {
  waiting: texts.awaitingTransfer,
  paid: texts.paid,
  failed: texts.failed,
  refunded: texts.refunded,
  partly_refunded: texts.partiallyRefunded,
}

function Who({ payment: { customer_id, dj_name, email, amount, currency, status } }: { payment: Payment }) {
  return (
    <header className={css.who}>
      <div>
        <h2>
          <Link
            to="/staff/members/$customerId"
            params={{ customerId: customer_id }}
            className={`${commerce.link} ${css.name}`}
          >
            {dj_name}
          </Link>
        </h2>
        <a href={`mailto:${email}`} className={css.mail}>
          {email}
        </a>
      </div>
      <p>
        <b className="num">{money(amount, currency)}</b>
        <span data-status={status}>{STATUS_WORDS[status]}</span>
      </p>
    </header>
  )
}

function What({ payment }: { payment: Payment }) {
  const { subscription_id, plan_name, gateway, payment_method, reference, refunded, currency, at, invoice_number } =
    payment
  return (
    <dl className={css.what}>
      <Line name={texts.plan}>
        <Link
          to="/staff/subscriptions/$subscriptionId"
          params={{ subscriptionId: subscription_id }}
          className={commerce.link}
        >
          {plan_name}
        </Link>
      </Line>
      <Line name={texts.paymentMethod}>
        {methodName(payment_method)} · {gatewayName(gateway)}
      </Line>
      <Line name={texts.date}>
        <time dateTime={at} title={formatExactDate(at)}>
          {formatDate(at)}
        </time>
      </Line>
      {reference && <Line name={texts.reference}>{reference}</Line>}
      {invoice_number && (
        <Line name={texts.invoice}>
          <Link to="/staff/invoices" search={{ find: invoice_number }} className={commerce.link}>
            {invoice_number}
          </Link>
        </Line>
      )}
      {isAboveZero(refunded) && <Line name={texts.refunded}>{money(refunded, currency)}</Line>}
    </dl>
  )
}

const Line = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)
