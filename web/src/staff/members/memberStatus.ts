import type { members, membership } from '@dubplate/contract'
import type { Tone } from '../../admin/cells.tsx'
import * as texts from './texts.ts'

type Standing = Pick<members.ListedMember, 'status' | 'staff_role'> & {
  application: members.ListedMember['application']
}

const ROLE_WORDS: Record<NonNullable<membership.Profile['staff_role']>, string> = {
  support: texts.support,
  curator: texts.curator,
  billing: texts.billing,
  admin: texts.admin,
}

/** What a staff role covers, in a word. */
export const roleInWords = (role: keyof typeof ROLE_WORDS): string => ROLE_WORDS[role]

/** Whether a member can sign in, and as what; the most serious reason against it comes first. */
export function statusOf({ status, staff_role, application }: Standing): { text: string; tone: Tone } {
  if (status === 'deleted') return { text: texts.deleted, tone: 'neutral' }
  if (status === 'suspended') return { text: texts.suspended, tone: 'danger' }
  if (staff_role) return { text: roleInWords(staff_role), tone: 'neutral' }
  if (application === null) return { text: texts.notApplied, tone: 'warning' }
  if (application === 'pending') return { text: texts.pendingApproval, tone: 'warning' }
  if (application === 'declined') return { text: texts.declined, tone: 'danger' }
  return { text: texts.active, tone: 'ok' }
}

/** Actions that a staff role allows on a member. Only admins change staff, and nobody can suspend themselves. */
export function deedsOn(
  member: Pick<members.ListedMember, 'customer_id' | 'status' | 'staff_role'>,
  me: { customer_id: number; staff_role: keyof typeof ROLE_WORDS },
): { canView: boolean; canChange: boolean; canSuspend: boolean; canChangeRole: boolean } {
  const isAdmin = me.staff_role === 'admin'
  const isThere = member.status !== 'deleted'
  const canChange = isThere && (isAdmin || (me.staff_role === 'support' && member.staff_role === null))
  return {
    canView: canChange && member.staff_role === null && member.status === 'active',
    canChange,
    canSuspend: canChange && member.customer_id !== me.customer_id,
    canChangeRole: isAdmin && member.status === 'active',
  }
}
