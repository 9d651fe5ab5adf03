import type { billing, members, ReplyOf } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { money } from '../../billing/money.ts'
import { methodName } from '../../billing/paymentMethodTexts.ts'
import { formatDate } from '../../platform/dates.ts'
import { formatExactDate } from '../../platform/format.ts'
import { formatList } from '../../platform/formatList.ts'
import { format } from '../../platform/message.ts'
import { useSession } from '../../platform/session.ts'
import css from './MemberView.module.css'
import { statusOf } from './memberStatus.ts'
import * as texts from './texts.ts'

type Shown = ReplyOf<typeof members.getMember>

/** A member's name, status and subscription. */
export function MemberHead({ shown: { member, agreement } }: { shown: Shown }) {
  const { dj_name, email, profile_picture, status, staff_role, application } = member
  const standing = statusOf({ status, staff_role, application: application?.state ?? null })
  return (
    <header className={css.head}>
      {profile_picture && <img className={css.picture} src={profile_picture} alt="" width={56} height={56} />}
      <div className={css.who}>
        <h2>
          {dj_name}{' '}
          <b className={css.standing} data-tone={standing.tone}>
            {standing.text}
          </b>
        </h2>
        {member.bounces && <Bounced bounces={member.bounces} />}
        <p>{status === 'deleted' ? texts.accountDeleted : <a href={`mailto:${email}`}>{email}</a>}</p>
      </div>
      <dl className={css.facts}>
        <Fact name={texts.group}>{member.group.name}</Fact>
        <Fact name={texts.plan}>
          <Plan member={member} agreement={agreement} />
        </Fact>
        <Fact name={texts.memberSince}>
          <time dateTime={member.created_at} title={formatExactDate(member.created_at)}>
            {formatDate(member.created_at)}
          </time>
        </Fact>
        {member.name && <Fact name={texts.name}>{member.name}</Fact>}
        {member.telephone && <Fact name={texts.phone}>{member.telephone}</Fact>}
        {member.address && <Fact name={texts.postalAddress}>{member.address}</Fact>}
        <Fact name={texts.signInMethod}>{signInWords(member)}</Fact>
      </dl>
      {application && <Application application={application} />}
    </header>
  )
}

const Bounced = ({
  bounces: { hard, soft, detail, last_at },
}: {
  bounces: NonNullable<Shown['member']['bounces']>
}) => (
  <p data-tone="warning" title={detail}>
    {format(hard > 0 ? texts.emailBouncedThereIsNo : texts.emailCouldNotBeDelivered, {
      count: hard + soft,
      last_at: formatDate(last_at),
    })}
  </p>
)

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

function signInWords({ has_password, has_two_factor }: Shown['member']): string {
  if (has_two_factor) return has_password ? texts.passwordAndTwoFactor : texts.singleSignOnAndTwoFactor
  return has_password ? texts.password : texts.singleSignOn
}

/** Payment status and subscription in one line. */
function Plan({ member: { customer_id, payment_profile_status }, agreement }: Pick<Shown, 'member' | 'agreement'>) {
  const role = useSession(({ profile }) => profile?.staff_role)
  const isPaid = payment_profile_status === 'paid'
  return (
    <>
      <b data-tone={isPaid ? 'ok' : 'warning'}>{isPaid ? texts.paid : texts.unpaid}</b>
      {' · '}
      {agreement ? planInWords(agreement) : texts.noPlan}
      {(role === 'admin' || role === 'billing') && (
        <>
          {agreement && (
            <>
              {' · '}
              <Link to="/staff/subscriptions/$subscriptionId" params={{ subscriptionId: agreement.subscription_id }}>
                {texts.subscription}
              </Link>
            </>
          )}
          {' · '}
          <Link to="/staff/payments" search={{ member: customer_id }}>
            {texts.payments}
          </Link>
          {' · '}
          <Link to="/staff/invoices" search={{ member: customer_id }}>
            {texts.invoices}
          </Link>
        </>
      )}
    </>
  )
}

const PLAN_STATES: Record<billing.Agreement['profile_status'], string> = {
  CREATED: texts.planPending,
  Active: texts.planActive,
  'Past due': texts.planPastDue,
  Cancelled: texts.planCancelled,
  Ended: texts.planEnded,
}

function planInWords({ subscription_title, profile_status, plan_price, currency, ...rest }: billing.Agreement): string {
  const { next_payment_date, access_until, payment_method, failure_reason } = rest
  const ahead = next_payment_date
    ? format(texts.nextPayment, { next_payment_date: formatDate(next_payment_date) })
    : access_until && format(texts.accessUntil, { access_until: formatDate(access_until) })
  const parts = [
    subscription_title,
    money(plan_price, currency),
    PLAN_STATES[profile_status],
    ahead,
    methodName(payment_method.kind),
    failure_reason,
  ]
  return formatList(parts.filter((part): part is string => !!part))
}

type DjApplication = NonNullable<Shown['member']['application']>

const DECIDED = {
  approved: {
    plain: texts.djApplicationApproved,
    on: texts.djApplicationApprovedOn,
    onBy: texts.djApplicationApprovedOnBy,
  },
  declined: {
    plain: texts.djApplicationDeclined,
    on: texts.djApplicationDeclinedOn,
    onBy: texts.djApplicationDeclinedOnBy,
  },
}

function applicationInWords({ state, decided_at, decided_by }: DjApplication): string {
  if (state === 'pending') return texts.djApplicationPending
  const { plain, on, onBy } = DECIDED[state]
  if (!decided_at) return plain
  const date = formatDate(decided_at)
  return decided_by ? format(onBy, { date, by: decided_by }) : format(on, { date })
}

function Application({ application }: { application: DjApplication }) {
  const { referred_by, dj_website, comment, reason, note, applied_at } = application
  return (
    <details className={css.application}>
      <summary>{applicationInWords(application)}</summary>
      <dl className={css.facts}>
        <Fact name={texts.applied}>{formatDate(applied_at)}</Fact>
        {referred_by && <Fact name={texts.memberReference}>{referred_by}</Fact>}
        {dj_website && <Fact name={texts.socialLink}>{dj_website}</Fact>}
        {comment && <Fact name={texts.comment}>{comment}</Fact>}
        {reason && <Fact name={texts.reason}>{reason}</Fact>}
        {note && <Fact name={texts.staffNote}>{note}</Fact>}
      </dl>
    </details>
  )
}
