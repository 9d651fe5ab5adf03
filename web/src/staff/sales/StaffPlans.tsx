import { plans } from '@dubplate/contract'
import { IconCrown } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import button from '../../ui/Button.module.css'
import { EmptyState } from '../../ui/EmptyState.tsx'
import forms from '../forms/Forms.module.css'
import lists from '../Lists.module.css'
import { StaffPage } from '../StaffPage.tsx'
import { moveAmong, useRowOrder } from '../useRowOrder.ts'
import { PlanEdit } from './PlanEdit.tsx'
import { PlanRow } from './PlanRow.tsx'
import { keepOrder, plansShown, showPlans } from './plans.ts'
import * as texts from './texts.ts'

/** The pool's plans, in the order in which members see them. */
export const StaffPlans = () => (
  <StaffPage title={texts.plans}>
    <Plans />
  </StaffPage>
)

function Plans() {
  const { open } = useSearch({ from: '/staff/plans' })
  const navigate = useNavigate({ from: '/staff/plans' })
  const { data, error, refetch } = useApiQuery(plans.getPlans, {})
  const close = () => void navigate({ search: {}, resetScroll: false })
  const currency = data?.plans[0]?.currency ?? 'USD'
  return (
    <>
      <div className={lists.bar}>
        <p className={forms.hint}>{texts.dragToReorderMembersSee}</p>
        {open !== 'new' && (
          <Link to="/staff/plans" search={{ open: 'new' }} className={button.button} data-look="primary">
            {texts.newPlan}
          </Link>
        )}
      </div>
      {data && open === 'new' && <PlanEdit currency={currency} onClose={close} />}
      {error && !data && <ErrorState error={error} subject={texts.plansInSentence} retry={() => void refetch()} />}
      {!data && !error && <ToCome />}
      {data?.plans.length === 0 && open !== 'new' && (
        <EmptyState icon={<IconCrown size={24} />} title={texts.noPlansYet}>
          {texts.publishAPlanSoMembers}
        </EmptyState>
      )}
      {data && data.plans.length > 0 && <InOrder plans={data.plans} open={open} onClose={close} />}
    </>
  )
}

type InOrderProps = { plans: plans.StaffPlan[]; open: string | undefined; onClose: () => void }

function InOrder({ plans, open, onClose }: InOrderProps) {
  const list = useRef<HTMLOListElement>(null)
  const { handlers, said } = useRowOrder(list, {
    rows: plansShown,
    move: (from, to) => moveAmong(plansShown(), from, to, showPlans),
    nameOf: ({ title }) => title,
    keep: keepOrder,
  })
  return (
    <>
      <ol ref={list} className={lists.cards} data-wide aria-label={texts.plans} {...handlers}>
        {plans.map((plan) => (
          <li key={plan.plan_id} data-row>
            {open === String(plan.plan_id) ? (
              <PlanEdit plan={plan} currency={plan.currency} onClose={onClose} />
            ) : (
              <PlanRow plan={plan} />
            )}
          </li>
        ))}
      </ol>
      <p className="sr" role="status">
        {said}
      </p>
    </>
  )
}

const CARDS = 3

const ToCome = () => (
  <ol className={lists.cards} aria-busy aria-label={texts.loadingPlans}>
    {Array.from({ length: CARDS }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
      <li key={i} className={lists.bone} style={{ height: 98 }} aria-hidden />
    ))}
  </ol>
)
