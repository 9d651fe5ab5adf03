import type { members, ReplyOf, staff } from '@dubplate/contract'
// Imports the schemas, which the app's own code never loads.
import * as contract from '../../contract/src/index.ts'
import { sampleOf } from './sampleOf.ts'

let lastId = 100

/** An approved, paying member, as staff see them. */
export const makeMember = (overrides: Partial<members.ListedMember> = {}): members.ListedMember => ({
  ...(sampleOf(contract.members.memberListItem) as members.ListedMember),
  customer_id: ++lastId,
  dj_name: 'DJ Marlow',
  email: 'dj@pool.test',
  group: { group_id: 2, name: 'Downloading member' },
  payment_profile_status: 'paid',
  status: 'active',
  application: 'approved',
  staff_role: null,
  plan_name: 'Pro',
  country_id: 'DE',
  last_seen_at: '2026-11-20T10:00:00Z',
  created_at: '2026-03-04T10:00:00Z',
  ...overrides,
})

type Dashboard = ReplyOf<typeof staff.getDashboard>

/** The counts of the navigation: nothing needs attention. */
export const makeDashboard = (overrides: Partial<Dashboard> = {}): Dashboard => ({
  applications_pending: 0,
  tickets_waiting: 0,
  uploads_waiting: 0,
  transfers_waiting: 0,
  mail_waiting: 0,
  mail_failed: 0,
  program: { version: '0.1.0', commit: 'abc1234' },
  ...overrides,
})
