import { members } from '@dubplate/contract'
import {
  type LockedMember,
  liftSuspension,
  lockMember,
  setGroup,
  setStaffRole,
  suspendMember,
} from '../membership/account-status.ts'
import { type Caller, on, type Route } from '../membership/caller.ts'
import { clientInfo } from '../membership/routes.ts'
import { endSessions, endViewerSessions, openView, VIEW_MINUTES } from '../membership/session.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { staffRead, staffWrite } from './audit.ts'
import { explainDownload } from './download-diagnosis.ts'
import { getListedMember, listMembers } from './member-list.ts'
import { getMember } from './member-page.ts'
import { insertNote, listNotes, removeNote } from './notes.ts'

const subject = ({ customer_id }: Pick<LockedMember, 'customer_id'>) => `customer ${customer_id}`

type MemberContext = { input: { customer_id: number }; member: Caller; sql: Sql }
type MemberChange = { before: object; after: object }

/** Changes a locked member and returns them; records nothing if there was nothing to change. */
const changeMember =
  <C extends MemberContext>(
    applyChange: (context: C, lockedMember: LockedMember) => Promise<MemberChange | undefined>,
  ) =>
  async (context: C) => {
    const { input, member, sql } = context
    const changed = await applyChange(context, await lockTarget(sql, member, input.customer_id))
    const reply = { member: await getListedMember(sql, input.customer_id) }
    return changed ? { reply, ...changed } : { reply, entries: [] }
  }

/** Locks the member an action is about. Throws `unknown_member`, and `admin_required` for staff. */
async function lockTarget(sql: Sql, { staff_role }: Caller, customerId: number): Promise<LockedMember> {
  const lockedMember = await lockMember(sql, customerId)
  if (lockedMember.staff_role === null || staff_role === 'admin') return lockedMember
  throw new ApiError('admin_required', 'Only admins can change staff accounts.')
}

/** Members, as staff see and manage them; each action is recorded in the audit log. */
export const memberRoutes: Route[] = [
  staffRead(members.getMembers, async ({ input, sql }) => listMembers(sql, input)),
  staffRead(members.getMember, async ({ input, ctx }) => getMember(ctx, input.customer_id)),
  staffRead(members.whyNoDownload, async ({ input, ctx }) => explainDownload(ctx, input)),
  staffWrite(
    members.changeGroup,
    { action: 'member group changed', subject },
    changeMember(async ({ input, sql }, lockedMember) => {
      if (lockedMember.group_id === input.group_id) return undefined
      const group = await setGroup(sql, input.customer_id, input.group_id)
      return { before: { group: lockedMember.group_name }, after: { group } }
    }),
  ),
  staffWrite(
    members.suspend,
    { action: 'member suspended', subject },
    changeMember(async ({ input: { customer_id, reason }, staff_id, sql }) => {
      if (customer_id === staff_id)
        throw new ApiError('cannot_suspend_self', 'You can’t suspend your own account. Ask another admin.')
      await suspendMember(sql, customer_id)
      await insertNote(sql, { customer_id, staff_id, kind: 'suspended', text: reason })
      return { before: { status: 'active' }, after: { status: 'suspended' } }
    }),
  ),
  staffWrite(
    members.liftSuspension,
    { action: 'member suspension lifted', subject },
    changeMember(async ({ input: { customer_id, reason }, staff_id, sql }) => {
      await liftSuspension(sql, customer_id)
      await insertNote(sql, { customer_id, staff_id, kind: 'lifted', text: reason })
      return { before: { status: 'suspended' }, after: { status: 'active' } }
    }),
  ),
  staffWrite(
    members.changeRole,
    { action: 'member role changed', subject },
    changeMember(async ({ input: { staff_role }, sql }, lockedMember) => {
      if (lockedMember.staff_role === staff_role) return undefined
      if (lockedMember.status !== 'active')
        throw new ApiError('member_suspended', 'This member is suspended. Lift the suspension first.')
      await setStaffRole(sql, lockedMember.customer_id, staff_role)
      return { before: { staff_role: lockedMember.staff_role }, after: { staff_role } }
    }),
  ),
  staffWrite(
    members.signOutEverywhere,
    { action: 'member signed out of all devices', subject },
    async ({ input, member, sql }) => {
      const { customer_id } = await lockTarget(sql, member, input.customer_id)
      const ended = await endSessions(sql, customer_id, { but: member.session_id })
      return { reply: { ended }, after: { sessions_ended: ended } }
    },
  ),
  staffWrite(
    members.viewAs,
    { action: 'viewed as member', subject },
    async ({ input, member, request, staff_id, sql }) => {
      const lockedMember = await lockTarget(sql, member, input.customer_id)
      rejectToView(lockedMember)
      const token = await openView(sql, lockedMember.customer_id, staff_id, clientInfo(request))
      return { reply: { token, minutes: VIEW_MINUTES } }
    },
  ),
  on(
    members.endView,
    async ({ member, sql }) => {
      await endViewerSessions(sql, member.customer_id)
      return {}
    },
    { audit: { unrecorded: 'ends a view whose start is recorded, and which ends by itself after some minutes' } },
  ),
  staffWrite(
    members.writeNote,
    { action: 'member note added', subject },
    async ({ input: { customer_id, text }, staff_id, sql }) => {
      await lockMember(sql, customer_id)
      await insertNote(sql, { customer_id, staff_id, kind: 'note', text })
      return { reply: { notes: await listNotes(sql, customer_id) } }
    },
  ),
  staffWrite(members.removeNote, { action: 'member note deleted' }, async ({ input, member, sql }) => ({
    subject: subject({ customer_id: await removeNote(sql, member, input.staff_note_id) }),
    reply: {},
  })),
]

/** Staff cannot view the site as other staff or as inactive members. */
function rejectToView({ staff_role, status }: LockedMember): void {
  if (staff_role !== null) throw new ApiError('cannot_view_as_staff', 'You can’t view the site as a staff member.')
  if (status !== 'active')
    throw new ApiError('member_suspended', 'This member can’t sign in right now, so you can’t view the site as them.')
}
