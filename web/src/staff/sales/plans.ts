import { billing, type InputOf, plans } from '@dubplate/contract'
import { callApi } from '../../platform/api.ts'
import { format } from '../../platform/message.ts'
import { apiQuery, queryClient } from '../../platform/queries.ts'
import { toast, toastError } from '../../ui/toast.ts'
import { inTurn } from '../inTurn.ts'
import { shownAnswer } from '../support/shownAnswer.ts'
import { planEntryOf, planWish } from './planEntry.ts'
import * as texts from './texts.ts'

type StaffPlan = plans.StaffPlan

const shown = shownAnswer(plans.getPlans, {})

/** The plans as currently shown. */
export const plansShown = (): StaffPlan[] => shown.get()?.plans ?? []

export const showPlans = (plans: StaffPlan[]) => shown.change(() => ({ plans }))

/** Reloads the plans here and where members choose one. */
const renew = () =>
  Promise.all(
    [plans.getPlans, billing.getPlans, billing.getPlan].map(({ path }) =>
      queryClient.invalidateQueries({ queryKey: [path] }),
    ),
  )

/** Throws an `ApiError` when the server rejects the change. */
export async function savePlan(wish: InputOf<typeof plans.savePlan>): Promise<StaffPlan> {
  const { plan } = await callApi(plans.savePlan, wish)
  void toast({ message: format(texts.planSaved, { title: plan.title }) })
  await renew()
  return plan
}

/** Loads the current version; undefined when the plan has been deleted. */
export async function planNow(planId: number): Promise<StaffPlan | undefined> {
  const now = await queryClient.fetchQuery({ ...apiQuery(plans.getPlans, {}), staleTime: 0 })
  return now.plans.find(({ plan_id }) => plan_id === planId)
}

/** Publishes or unpublishes a plan; shows the error when that fails. */
export async function sell(plan: StaffPlan, is_published: boolean): Promise<void> {
  try {
    await callApi(plans.savePlan, planWish({ ...planEntryOf(plan), is_published }, plan.plan_id))
  } catch (error) {
    void toastError(format(texts.couldntSave, { title: plan.title }), error)
  }
  await renew()
}

/** Throws an `ApiError` when the server rejects the change. */
export async function removePlan({ plan_id, title }: StaffPlan): Promise<void> {
  await callApi(plans.removePlan, { plan_id })
  void toast({ message: format(texts.deleted, { title }) })
  await renew()
}

const tell = inTurn(renew)

/** Saves the order that is shown. */
export function keepOrder(): void {
  const plan_ids = plansShown().map(({ plan_id }) => plan_id)
  void tell(() => callApi(plans.orderPlans, { plan_ids }), texts.couldntSaveTheOrder)
}
