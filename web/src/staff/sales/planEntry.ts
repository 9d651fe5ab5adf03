import { type billing, decimalsOf, type InputOf, type plans } from '@dubplate/contract'
import { wholeAmount } from '../../admin/amountMask.ts'
import { isAboveZero, toMinorUnits } from '../../billing/money.ts'
import * as texts from './texts.ts'

/** A plan being edited: its amounts are text. */
export type PlanEntry = {
  title: string
  description: string
  features: string
  price: string
  trial_price: string
  currency: string
  interval: plans.StaffPlan['interval']
  is_premium: boolean
  is_published: boolean
  /** Version of the plan as loaded; 0 for a new one. */
  version: number
}

export const newPlan = (currency: string): PlanEntry => ({
  ...{ title: '', description: '', features: '', price: '', trial_price: '', currency, interval: 'month' },
  ...{ is_premium: false, is_published: true, version: 0 },
})

export function planEntryOf(plan: plans.StaffPlan): PlanEntry {
  const { title, description, features, price, trial_price, currency, interval, is_premium, is_published, version } =
    plan
  const trial = isAboveZero(trial_price) ? trial_price : ''
  return {
    title,
    description,
    features,
    price,
    trial_price: trial,
    currency,
    interval,
    is_premium,
    is_published,
    version,
  }
}

const amountOf = (typed: string): string => wholeAmount(typed.trim()) || '0.00'

export type WrongPlan = Partial<Record<keyof PlanEntry, string>>

/** Errors by field, under the field names of the API. */
export function wrongPlan({ title, price, trial_price, currency }: PlanEntry): WrongPlan {
  const code = currency.trim().toUpperCase()
  const isDearTrial = toMinorUnits(amountOf(trial_price)) >= toMinorUnits(amountOf(price))
  return {
    ...(title.trim() ? {} : { title: texts.enterAName }),
    ...(isAboveZero(amountOf(price))
      ? isDearTrial && { trial_price: texts.theFirstPeriodPriceMust }
      : { price: texts.enterAPriceAboveZero }),
    ...(/^[A-Z]{3}$/.test(code) && decimalsOf(code) === 2 ? {} : { currency: texts.enterAThreeLetterCurrency }),
  }
}

/** The input of the API call. */
export const planWish = (entry: PlanEntry, planId: number | undefined): InputOf<typeof plans.savePlan> => {
  const { version, ...wish } = entry
  return {
    ...wish,
    price: amountOf(entry.price),
    trial_price: amountOf(entry.trial_price),
    ...(planId === undefined ? {} : { plan_id: planId, version }),
  }
}

/** The plan as members would see it, before it is saved. */
export const planOnSale = (entry: PlanEntry, planId: number): billing.Plan => {
  const isPremium = entry.is_premium ? 'yes' : 'no'
  return {
    ...{ id: planId, title: entry.title.trim() || texts.untitled, description: entry.description.trim() },
    ...{ price: amountOf(entry.price), trial_price: amountOf(entry.trial_price) },
    currency: /^[A-Z]{3}$/.test(entry.currency) ? entry.currency : 'USD',
    ...{ is_premimum: isPremium, is_premium: isPremium, subscription_type_id: 1, features: entry.features },
    interval: entry.interval,
  }
}

/** Whether new members would pay a different price from the one existing subscribers agreed to. */
export const isRepriced = (entry: PlanEntry, plan: plans.StaffPlan): boolean =>
  amountOf(entry.price) !== plan.price || entry.currency !== plan.currency || entry.interval !== plan.interval
