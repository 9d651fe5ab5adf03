import { subscriptions } from '@dubplate/contract'
import { IconRepeat } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { describePaymentMethod } from '../../billing/paymentMethodTexts.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { count } from '../../platform/format.ts'
import { rich } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { Chips } from '../../ui/Chips.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { Choice } from '../Choice.tsx'
import keys from '../Keys.module.css'
import lists from '../Lists.module.css'
import { queueKeys } from '../queueKeys.ts'
import { StaffPage } from '../StaffPage.tsx'
import css from './Commerce.module.css'
import { nextWords, priceWords, STATE_WORDS } from './commerceWords.ts'
import { Narrowed } from './Narrowed.tsx'
import { gatewayName } from './paymentWords.ts'
import rows from './Rows.module.css'
import * as texts from './texts.ts'

/** Subscriptions, with their plans and states. */
export const Subscriptions = () => (
  <StaffPage title={texts.subscriptions}>
    <List />
  </StaffPage>
)

const FROM = { from: '/staff/subscriptions' } as const

function List() {
  const { page = 1, state, plan, gateway, member, find } = useSearch(FROM)
  const input = {
    ...{ page, plan_id: plan, gateway: gateway ?? '', customer_id: member, search: find ?? '' },
    ...(state ? { state } : {}),
  }
  const asked = useApiQuery(subscriptions.getSubscriptions, input, { keepPrevious: true })
  const { data, error, isPlaceholderData, refetch } = asked
  const isNarrowed = [state, plan, gateway, member, find].some(Boolean)
  return (
    <>
      <Filters data={data} />
      {error && !data && (
        <ErrorState error={error} subject={texts.subscriptionsInSentence} retry={() => void refetch()} />
      )}
      {!data && !error && <ToCome />}
      {data?.subscriptions.length === 0 && <Nothing isNarrowed={isNarrowed} />}
      {data && data.subscriptions.length > 0 && (
        <>
          <ol
            className={lists.rows}
            data-wide
            aria-label={texts.subscriptions}
            aria-busy={isPlaceholderData || undefined}
            {...queueKeys}
          >
            {data.subscriptions.map((subscription) => (
              <Row key={subscription.subscription_id} subscription={subscription} />
            ))}
          </ol>
          <Pagination pagination={data.pagination} />
          <p className={keys.keys}>
            {rich(texts.shortcutsJKMoveEnter, {
              kbd: (inside) => <kbd>{inside}</kbd>,
              kbd2: (inside) => <kbd>{inside}</kbd>,
              kbd3: (inside) => <kbd>{inside}</kbd>,
            })}
          </p>
        </>
      )}
    </>
  )
}

type Data = {
  counts: Record<subscriptions.SubscriptionState, number>
  plans: { plan_id: number; title: string }[]
  gateways: string[]
}

function Filters({ data }: { data: Data | undefined }) {
  const { state, plan, gateway, member, find } = useSearch(FROM)
  const navigate = useNavigate(FROM)
  const change = (fields: object, replace = false) =>
    void navigate({ search: ({ page: _, ...was }) => ({ ...was, ...fields }), replace, resetScroll: false })
  const nameOf = (each: subscriptions.SubscriptionState) =>
    data ? `${STATE_WORDS[each].text} ${count(data.counts[each])}` : STATE_WORDS[each].text
  return (
    <search className={css.filters}>
      <Chips
        label={texts.subscriptionStatus}
        choices={[
          { value: undefined, label: texts.all },
          ...subscriptions.SUBSCRIPTION_STATES.map((value) => ({ value, label: nameOf(value) })),
        ]}
        chosen={state}
        onChoose={(state) => change({ state })}
      />
      <div className={css.fields}>
        <Choice
          label={texts.plan}
          chosen={String(plan ?? '')}
          choices={(data?.plans ?? []).map(({ plan_id, title }) => [String(plan_id), title])}
          onChoose={(plan) => change({ plan: Number(plan) || undefined })}
        />
        <Choice
          label={texts.paymentProvider}
          chosen={gateway ?? ''}
          choices={(data?.gateways ?? []).map((name) => [name, gatewayName(name)])}
          onChoose={(gateway) => change({ gateway: gateway || undefined })}
        />
        <SearchField
          label={texts.searchByNameEmailOrReference}
          value={find ?? ''}
          onSearch={(find) => change({ find }, true)}
        />
      </div>
      {member && <Narrowed member={member} onDrop={() => change({ member: undefined })} />}
    </search>
  )
}

function Row({ subscription }: { subscription: subscriptions.ListedSubscription }) {
  const { subscription_id, dj_name, email, plan_name, status, method, gateway, coupon_code, failure_reason } =
    subscription
  const { text, tone } = STATE_WORDS[status]
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of the list move the focus between items
    <li className={rows.row} data-item tabIndex={0} aria-label={dj_name}>
      <div>
        <h2>
          <Link
            to="/staff/subscriptions/$subscriptionId"
            params={{ subscriptionId: subscription_id }}
            className={css.link}
            data-key="Enter"
          >
            {dj_name}
          </Link>
        </h2>
        <p>{email}</p>
      </div>
      <div>
        <b>{plan_name}</b>
        <p className="num">
          {priceWords(subscription)}
          {coupon_code && ` · ${coupon_code}`}
        </p>
      </div>
      <div>
        <span className={css.tone} data-tone={tone}>
          {text}
        </span>
        <p className="num">{failure_reason || nextWords(subscription)}</p>
      </div>
      <span className={rows.end}>
        {describePaymentMethod(method)} · {gatewayName(gateway)}
      </span>
    </li>
  )
}

const Nothing = ({ isNarrowed }: { isNarrowed: boolean }) => (
  <EmptyState
    icon={<IconRepeat size={24} />}
    title={isNarrowed ? texts.noMatchingSubscriptions : texts.noSubscriptionsYet}
  >
    {isNarrowed ? texts.tryADifferentSearchOr : texts.subscriptionsAppearHereOnceA}
  </EmptyState>
)

const ROWS = 10

const ToCome = () => (
  <ol className={lists.rows} data-wide aria-busy aria-label={texts.loadingSubscriptions}>
    {Array.from({ length: ROWS }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
      <li key={i} className={rows.rowBone} aria-hidden />
    ))}
  </ol>
)
