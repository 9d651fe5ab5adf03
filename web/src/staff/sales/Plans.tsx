import { billing, plans } from '@dubplate/contract'
import { Badge, Text } from '@mantine/core'
import { IconCrown, IconPencil, IconTrash, IconUsers } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { MainCell } from '../../admin/cells.tsx'
import { OrderedList } from '../../admin/OrderedList.tsx'
import { QuickSwitch } from '../../admin/QuickSwitch.tsx'
import { SidePanel, TablePage } from '../../admin/TablePage.tsx'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { isAboveZero, money } from '../../billing/money.ts'
import { format } from '../../format/message.ts'
import { callApi } from '../../platform/api.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { trimmedText } from '../../platform/search-fields.ts'
import { refreshReplies, useApiMutation } from '../../platform/useApiMutation.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { PlanForm } from './PlanForm.tsx'
import { formatPrice, formatSums } from './subscriptionTexts.ts'
import * as texts from './texts.ts'

type Plan = plans.StaffPlan

/** In the URL: a new plan is being written; otherwise the number of the plan that is open. */
const NEW = 'new'

/** The calls whose replies have plans: here, and where members choose one. */
const LISTS = [plans.getPlans, billing.getPlans, billing.getPlan]

/** The pool's plans, in the order in which members see them. */
export function StaffPlans() {
  const query = useApiQuery(plans.getPlans, {})
  const { search, change } = useTableSearch({ open: trimmedText })
  const navigate = useNavigate()
  const [deleting, setDeleting] = useState<Plan>()
  const remove = useApiMutation(plans.removePlan, { invalidates: LISTS })
  const items = query.data?.plans
  const open = items?.find(({ plan_id }) => String(plan_id) === search.open)
  const openPlan = ({ plan_id }: Plan) => change({ open: plan_id })
  const close = () => change({ open: undefined })
  return (
    <TablePage
      total={items?.length}
      actions={
        <Button variant="primary" onClick={() => change({ open: NEW })}>
          {texts.newPlan}
        </Button>
      }
      panel={
        (open || (items && search.open === NEW)) && (
          <SidePanel label={open?.title ?? texts.newPlan} onClose={close}>
            <PlanForm
              key={open?.plan_id ?? NEW}
              plan={open}
              currency={items?.[0]?.currency ?? 'USD'}
              downloadLimit={query.data?.download_limit ?? 0}
              invalidates={LISTS}
              onClose={close}
            />
          </SidePanel>
        )
      }
    >
      <Text c="var(--text-2)" px="xl" pb="sm">
        {texts.dragToReorderMembersSee}
      </Text>
      <OrderedList
        name={texts.plans}
        items={items}
        query={query}
        errorTitle={texts.couldntLoadPlans}
        order={{
          list: plans.getPlans,
          itemsOf: ({ plans }) => plans,
          withItems: (reply, plans) => ({ ...reply, plans }),
          nameOf: ({ title }) => title,
          save: (items) => callApi(plans.orderPlans, { plan_ids: items.map(({ plan_id }) => plan_id) }),
          invalidates: LISTS,
        }}
        idOf={({ plan_id }) => plan_id}
        openId={open?.plan_id}
        onOpen={openPlan}
        details={(plan) => <PlanDetails plan={plan} />}
        actions={[
          { label: texts.edit, icon: IconPencil, run: openPlan },
          {
            label: texts.showSubscribers,
            icon: IconUsers,
            isAvailable: ({ subscribers }) => subscribers > 0,
            run: ({ plan_id }) => void navigate({ to: '/staff/subscriptions', search: { plan: plan_id } }),
          },
          {
            label: texts.deleteButton,
            icon: IconTrash,
            isDanger: true,
            isAvailable: ({ can_remove }) => can_remove,
            run: setDeleting,
          },
        ]}
        empty={{ icon: <IconCrown size={24} />, title: texts.noPlansYet, text: texts.publishAPlanSoMembers }}
      >
        {(plan) => (
          <MainCell
            title={
              <>
                {plan.title}{' '}
                {plan.is_premium && (
                  <Badge ml={6} variant="default">
                    {texts.premium}
                  </Badge>
                )}
              </>
            }
            text={<span className="num">{priceText(plan)}</span>}
          />
        )}
      </OrderedList>
      {deleting && (
        <ConfirmDialog
          title={texts.deletePlan}
          what={format(texts.hasNeverHadSubscribersAnd, { title: deleting.title })}
          confirmLabel={texts.deleteButton}
          isDanger
          onConfirm={() => remove.mutateAsync({ plan_id: deleting.plan_id })}
          onClose={() => setDeleting(undefined)}
        />
      )}
    </TablePage>
  )
}

/** '$14.99 every month, first month $1.00' */
function priceText(plan: Plan) {
  const { trial_price, currency, interval } = plan
  if (!isAboveZero(trial_price)) return formatPrice(plan)
  return format(interval === 'year' ? texts.priceAndFirstYear : texts.priceAndFirstMonth, {
    price: formatPrice(plan),
    trial: money(trial_price, currency),
  })
}

/** Who has the plan, what they pay each month, and whether members can buy it. */
function PlanDetails({ plan }: { plan: Plan }) {
  const { plan_id, title, subscribers, monthly, is_published } = plan
  const save = async (is_published: boolean) => {
    const { subscribers, agreed, monthly, can_remove, ...stored } = plan
    await callApi(plans.savePlan, { ...stored, is_published }).finally(() => refreshReplies(LISTS))
  }
  return (
    <>
      <Text fz="md" c="var(--text-2)" className="num" mr="auto">
        {subscribers > 0 ? (
          <Link to="/staff/subscriptions" search={{ plan: plan_id }}>
            {format(texts.subscribersCount, { subscribers })}
          </Link>
        ) : (
          texts.noSubscribers
        )}
        {monthly.length > 0 && (
          <span title={texts.mrrExcludingTrials}> · {format(texts.month, { amount: formatSums(monthly, '') })}</span>
        )}
      </Text>
      <QuickSwitch
        name={format(texts.publishedLabel, { title })}
        label={texts.published}
        isOn={is_published}
        errorTitle={format(texts.couldntSave, { title })}
        save={save}
      />
    </>
  )
}
