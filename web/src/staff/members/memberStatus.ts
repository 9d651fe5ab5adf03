import { members, type membership, type ReplyOf } from '@dubplate/contract'
import type { Tone } from '../../admin/cells.tsx'
import { format } from '../../format/message.ts'
import * as texts from './texts.ts'

/** A member with everything that their page shows. */
export type MemberData = ReplyOf<typeof members.getMember>

/** The calls whose replies change with a member. */
export const MEMBER_CALLS = [members.getMember, members.getMembers, members.whyNoDownload]

type MemberState = Pick<members.ListedMember, 'status' | 'staff_role'> & {
  application: members.ListedMember['application']
}

const ROLE_NAMES: Record<NonNullable<membership.Profile['staff_role']>, string> = {
  support: texts.support,
  curator: texts.curator,
  billing: texts.billing,
  admin: texts.admin,
}

export const roleName = (role: keyof typeof ROLE_NAMES): string => ROLE_NAMES[role]

/** Whether a member can sign in, and as what; the most serious reason against it comes first. */
export function statusOf({ status, staff_role, application }: MemberState): { text: string; tone: Tone } {
  if (status === 'deleted') return { text: texts.deleted, tone: 'neutral' }
  if (status === 'suspended') return { text: texts.suspended, tone: 'danger' }
  if (staff_role) return { text: roleName(staff_role), tone: 'neutral' }
  if (application === null) return { text: texts.notApplied, tone: 'warning' }
  if (application === 'pending') return { text: texts.pendingApproval, tone: 'warning' }
  if (application === 'declined') return { text: texts.declined, tone: 'danger' }
  return { text: texts.active, tone: 'ok' }
}

/** Actions that a staff role allows on a member. Only admins change staff, and staff cannot suspend themselves. */
export function allowedActions(
  member: Pick<members.ListedMember, 'customer_id' | 'status' | 'staff_role'>,
  me: { customer_id: number; staff_role: keyof typeof ROLE_NAMES },
): { canView: boolean; canChange: boolean; canSuspend: boolean; canChangeRole: boolean } {
  const isAdmin = me.staff_role === 'admin'
  const exists = member.status !== 'deleted'
  const canChange = exists && (isAdmin || (me.staff_role === 'support' && member.staff_role === null))
  return {
    canView: canChange && member.staff_role === null && member.status === 'active',
    canChange,
    canSuspend: canChange && member.customer_id !== me.customer_id,
    canChangeRole: isAdmin && member.status === 'active',
  }
}

const DAY_MS = 86_400_000

/** '12 days', '8 months', '3 years'. */
export function membershipLength(createdAt: string, now = new Date()): string {
  const days = Math.max(0, Math.floor((now.getTime() - new Date(createdAt).getTime()) / DAY_MS))
  if (days < 60) return format(texts.daysLong, { days })
  return days < 730
    ? format(texts.monthsLong, { months: Math.floor(days / 30.44) })
    : format(texts.yearsLong, { years: Math.floor(days / 365.25) })
}
