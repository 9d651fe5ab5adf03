import { expect, test } from 'vitest'
import { allowedActions, membershipLength, statusOf } from './memberStatus.ts'

test.each([
  [{ status: 'deleted', staff_role: null, application: null }, 'Deleted'],
  [{ status: 'suspended', staff_role: 'admin', application: null }, 'Suspended'],
  [{ status: 'active', staff_role: 'support', application: 'pending' }, 'Support'],
  [{ status: 'active', staff_role: null, application: null }, 'Not applied'],
  [{ status: 'active', staff_role: null, application: 'pending' }, 'Pending approval'],
  [{ status: 'active', staff_role: null, application: 'declined' }, 'Declined'],
  [{ status: 'active', staff_role: null, application: 'approved' }, 'Active'],
] as const)('describes %j in a word', (member, text) => {
  expect(statusOf(member).text).toBe(text)
})

const member = { customer_id: 7, status: 'active', staff_role: null } as const
const staff = { ...member, customer_id: 8, staff_role: 'curator' } as const
const may = (
  one: Parameters<typeof allowedActions>[0],
  staff_role: Parameters<typeof allowedActions>[1]['staff_role'],
) => allowedActions(one, { customer_id: 1, staff_role })

test('lets support change members, admins also staff and roles, and billing nothing', () => {
  expect(may(member, 'support')).toEqual({ canView: true, canChange: true, canSuspend: true, canChangeRole: false })
  expect(may(staff, 'support')).toEqual({ canView: false, canChange: false, canSuspend: false, canChangeRole: false })
  expect(may(staff, 'admin')).toEqual({ canView: false, canChange: true, canSuspend: true, canChangeRole: true })
  expect(may(member, 'billing').canChange).toBe(false)
})

test('does not offer “View as member” for a member who cannot sign in', () => {
  expect(may({ ...member, status: 'suspended' }, 'admin').canView).toBe(false)
})

test('allows nobody to suspend themselves, no role for a suspended member, and no action on a deleted account', () => {
  expect(allowedActions({ ...staff, staff_role: 'admin' }, { customer_id: 8, staff_role: 'admin' }).canSuspend).toBe(
    false,
  )
  expect(may({ ...member, status: 'suspended' }, 'admin')).toMatchObject({ canChange: true, canChangeRole: false })
  expect(may({ ...member, status: 'deleted' }, 'admin')).toMatchObject({ canChange: false, canChangeRole: false })
})

test.each([
  ['2026-11-22T10:00:00Z', '1 day'],
  ['2026-03-04T10:00:00Z', '8 months'],
  ['2023-11-01T10:00:00Z', '3 years'],
])('says how long someone has been a member since %s', (createdAt, text) => {
  expect(membershipLength(createdAt, new Date('2026-11-23T12:00:00Z'))).toBe(text)
})
