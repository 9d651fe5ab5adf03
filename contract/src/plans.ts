import * as z from 'zod/mini'
import { endpoint, forBilling, id, nothing, versionInput } from './endpoint.ts'
import { amount, currency, sum } from './money.ts'
import { planFeaturesInput, storedPlanFeatures } from './plan-features.ts'

/** The pool's plans, as staff manage them; billing.ts has them as members see them. */

export const INTERVALS = ['month', 'year'] as const
export const interval = z.enum(INTERVALS)

const staffPlan = z.object({
  plan_id: z.number(),
  title: z.string(),
  description: z.string(),
  /** Sanitised HTML. */
  features: z.string(),
  price: z.string(),
  /** '0.00' if the first period costs the normal price. */
  trial_price: z.string(),
  currency: z.string(),
  interval,
  is_premium: z.boolean(),
  is_published: z.boolean(),
  ...storedPlanFeatures,
  /** Members who have it now: paid, past due, or until the end of the paid period. */
  subscribers: z.number(),
  /** The terms they agreed to, the most frequent first: changing the plan does not change them. */
  agreed: z.array(z.object({ price: z.string(), currency: z.string(), interval, subscribers: z.number() })),
  /** Their monthly payments, per currency. */
  monthly: z.array(sum),
  /** False once it has had a subscriber: then it can only be unpublished. */
  can_remove: z.boolean(),
  version: z.number(),
})
export type StaffPlan = z.output<typeof staffPlan>

export const getPlans = endpoint({
  ...forBilling,
  path: 'staff/plans.json',
  summary: 'List all plans in display order, with subscriber counts and revenue.',
  input: nothing,
  reply: z.object({
    plans: z.array(staffPlan),
    /** The pool's downloads per version, for plans without their own. */
    download_limit: z.number(),
  }),
})

const MAX_FEATURES_LENGTH = 20_000

export const savePlan = endpoint({
  ...forBilling,
  path: 'staff/save-plan.json',
  summary: 'Create or update a plan. Existing subscribers keep their price; features change for everyone.',
  input: z.object({
    plan_id: z.optional(id('plan_id')),
    /** Version of the plan the caller read; missing for a new one. */
    version: z.optional(versionInput),
    title: z
      .string('Enter a name.')
      .check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(80, 'Use at most 80 characters.')),
    description: z._default(z.string().check(z.trim(), z.maxLength(500, 'Use at most 500 characters.')), ''),
    features: z._default(z.string().check(z.maxLength(MAX_FEATURES_LENGTH)), ''),
    price: amount(),
    trial_price: z._default(amount(), '0'),
    currency,
    interval,
    is_premium: z.boolean(),
    is_published: z.boolean(),
    ...planFeaturesInput,
  }),
  reply: z.object({ plan: staffPlan }),
  errors: ['unknown_plan', 'name_taken', 'conflict'],
})

export const orderPlans = endpoint({
  ...forBilling,
  path: 'staff/order-plans.json',
  summary: 'Reorder the plans. Plans that aren’t listed are placed last.',
  input: z.object({ plan_ids: z.array(id('plan_ids')).check(z.maxLength(200)) }),
  reply: nothing,
  errors: ['unknown_plan'],
})

export const removePlan = endpoint({
  ...forBilling,
  path: 'staff/remove-plan.json',
  summary: 'Delete a plan that never had a subscriber.',
  input: z.object({ plan_id: id('plan_id') }),
  reply: nothing,
  errors: ['unknown_plan', 'plan_in_use'],
})
