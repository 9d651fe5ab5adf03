import { subscriptions } from '@dubplate/contract'
import { IconRepeat } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { MainCell, Status } from '../../admin/cells.tsx'
import { emptyState } from '../../admin/emptyState.tsx'
import { type Column, ResourceTable } from '../../admin/ResourceTable.tsx'
import { TablePage } from '../../admin/TablePage.tsx'
import { FilterMenu, TableToolbar, ViewTabs } from '../../admin/TableToolbar.tsx'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { describePaymentMethod } from '../../billing/paymentMethodTexts.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { oneOf, positiveInteger, trimmedText } from '../../platform/search-fields.ts'
import { GatewayFilter, MemberFilter } from './filters.tsx'
import { gatewayName } from './refunds.ts'
import { describeNextPayment, formatPrice, STATUS_TEXTS } from './subscriptionTexts.ts'
import * as texts from './texts.ts'

type Subscription = subscriptions.ListedSubscription

const MemberCell = ({ subscription: { subscription_id, dj_name, email } }: { subscription: Subscription }) => (
  <MainCell
    title={
      <Link to="/staff/subscriptions/$subscriptionId" params={{ subscriptionId: subscription_id }}>
        {dj_name}
      </Link>
    }
    text={email}
  />
)

const StateCell = ({ status }: { status: Subscription['status'] }) => (
  <Status tone={STATUS_TEXTS[status].tone}>{STATUS_TEXTS[status].text}</Status>
)

const COLUMNS: Column<Subscription>[] = [
  {
    id: 'member',
    header: texts.member,
    width: 'auto',
    cell: (subscription) => <MemberCell subscription={subscription} />,
  },
  { id: 'status', header: texts.status, width: 132, cell: ({ status }) => <StateCell status={status} /> },
  { id: 'plan', header: texts.plan, width: 150, cell: ({ plan_name }) => plan_name },
  { id: 'price', header: texts.price, width: 160, showFrom: 700, cell: formatPrice },
  { id: 'coupon', header: texts.coupon, width: 130, showFrom: 1180, cell: ({ coupon_code }) => coupon_code },
  {
    id: 'next',
    header: texts.next,
    width: 210,
    showFrom: 860,
    cell: (subscription) => subscription.failure_reason || describeNextPayment(subscription),
  },
  {
    id: 'method',
    header: texts.paymentMethod,
    width: 210,
    showFrom: 1040,
    cell: ({ method, gateway }) => `${describePaymentMethod(method)} · ${gatewayName(gateway)}`,
  },
]

/** Subscriptions, with their plans and states. */
export function Subscriptions() {
  const { search, change } = useTableSearch({
    page: positiveInteger,
    state: oneOf(subscriptions.SUBSCRIPTION_STATES),
    plan: positiveInteger,
    gateway: trimmedText,
    member: positiveInteger,
    find: trimmedText,
  })
  const { page = 1, state, plan, gateway, member, find } = search
  const navigate = useNavigate()
  const input = {
    ...{ page, plan_id: plan, gateway: gateway ?? '', customer_id: member, search: find ?? '' },
    ...(state ? { state } : {}),
  }
  const query = useApiQuery(subscriptions.getSubscriptions, input, { keepPrevious: true })
  const { data } = query
  return (
    <TablePage
      total={data?.pagination}
      top={
        <ViewTabs
          label={texts.subscriptionStatus}
          views={[
            { value: 'all', name: texts.all },
            ...subscriptions.SUBSCRIPTION_STATES.map((value) => ({
              value,
              name: STATUS_TEXTS[value].text,
              count: data?.counts[value],
            })),
          ]}
          current={state ?? 'all'}
          onChange={(value) => change({ state: value === 'all' ? undefined : value })}
        />
      }
    >
      <ResourceTable
        name={texts.subscriptions}
        columns={COLUMNS}
        rows={data?.subscriptions}
        pagination={data?.pagination}
        query={query}
        errorTitle={texts.couldntLoadSubscriptions}
        idOf={({ subscription_id }) => subscription_id}
        labelOf={({ dj_name }) => dj_name}
        narrowRow={(subscription) => ({
          start: <MemberCell subscription={subscription} />,
          end: (
            <>
              <StateCell status={subscription.status} />
              {subscription.plan_name}
            </>
          ),
        })}
        onOpen={({ subscription_id }) =>
          void navigate({
            to: '/staff/subscriptions/$subscriptionId',
            params: { subscriptionId: subscription_id },
          })
        }
        onPage={(page) => change({ page })}
        toolbar={
          <TableToolbar
            searchLabel={texts.searchByNameEmailOrReference}
            search={find}
            onSearch={(find) => change({ find }, { replace: true })}
          >
            <FilterMenu
              label={texts.plan}
              options={(data?.plans ?? []).map(({ plan_id, title }) => ({ value: String(plan_id), name: title }))}
              value={plan ? String(plan) : undefined}
              onChange={(plan) => change({ plan })}
            />
            <GatewayFilter gateways={data?.gateways} value={gateway} onChange={(gateway) => change({ gateway })} />
            <MemberFilter member={member} onRemove={() => change({ member: undefined })} />
          </TableToolbar>
        }
        empty={emptyState({
          icon: <IconRepeat size={24} />,
          none: { title: texts.noSubscriptionsYet, text: texts.subscriptionsAppearHereOnceA },
          noMatches: { title: texts.noMatchingSubscriptions, text: texts.tryADifferentSearchOr },
          isFiltered: [state, plan, gateway, member, find].some(Boolean),
        })}
      />
    </TablePage>
  )
}
