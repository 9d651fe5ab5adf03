import type { billing } from '@dubplate/contract'
// Imports the schemas, which the app's own code never loads.
import * as contract from '../../../contract/src/index.ts'
import { sampleOf } from '../../test/sampleOf.ts'

/** A monthly plan in US dollars. */
export const makePlan = (overrides: Partial<billing.Plan> = {}): billing.Plan => ({
  id: 1,
  title: 'Standard',
  description: '',
  price: '14.99',
  trial_price: '1.00',
  currency: 'USD',
  is_premimum: 'no',
  is_premium: 'no',
  subscription_type_id: 1,
  features: '',
  interval: 'month',
  monthly_downloads: null,
  version_downloads: 2,
  has_crate_bundles: true,
  has_top20_packs: true,
  head_start_hours: 0,
  ...overrides,
})

/** An active subscription to that plan, paid by card. */
export const makeAgreement = (overrides: Partial<billing.Agreement> = {}): billing.Agreement => ({
  ...(sampleOf(contract.billing.agreement) as billing.Agreement),
  subscription_id: 7,
  subscription_title: 'Standard',
  plan_id: 1,
  plan_price: '14.99',
  currency: 'USD',
  created_at: '2026-11-01T10:00:00Z',
  profile_status: 'Active',
  next_payment_date: '2026-12-01T10:00:00Z',
  payment_method: { kind: 'credit_card', brand: 'Visa', last_four: '4242', expires: '12/30' },
  access_until: '2026-12-04T10:00:00Z',
  ...overrides,
})
