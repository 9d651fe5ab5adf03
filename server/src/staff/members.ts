import { members } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import {
  type LockedMember,
  liftSuspension,
  lockMember,
  setGroup,
  setStaffRole,
  suspendMember,
} from '../membership/account-status.ts'
import { type Caller, on } from '../membership/caller.ts'
import { clientInfo } from '../membership/routes.ts'
import { endSessions, endViewerSessions, openView, VIEW_MINUTES } from '../membership/session.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { withDeadlockRetry } from '../platform/deadlock-retry.ts'
import type { Call, CallContext } from '../platform/serve.ts'
import { recordAudit } from './audit.ts'
import { explainDownload } from './download-diagnosis.ts'
import { getListedMember, listMembers } from './member-list.ts'
import { getMember } from './member-page.ts'
import { insertNote, listNotes, removeNote } from './notes.ts'

/** Members, as staff see and manage them; each action is recorded in the audit log. */
export const memberRoutes = (ctx: AppContext): Call<Caller>[] => {
  const { sql } = ctx
  return [
    on(members.getMembers, async ({ input }) => listMembers(sql, input)),
    on(members.getMember, async ({ input }) => getMember(ctx, input.customer_id)),
    on(members.whyNoDownload, async ({ input }) => explainDownload(ctx, input)),
    on(members.changeGroup, async ({ input, ...call }) =>
      auditEntry(ctx, call, input.customer_id, async (sql, lockedMember) => {
        if (lockedMember.group_id === input.group_id) return undefined
        const group = await setGroup(sql, input.customer_id, input.group_id)
        const [before, after] = [{ group: lockedMember.group_name }, { group }]
        return { action: 'member group changed', before, after }
      }),
    ),
    on(members.suspend, async ({ input, ...call }) =>
      auditEntry(ctx, call, input.customer_id, async (sql, lockedMember) => {
        if (lockedMember.customer_id === call.member.customer_id) {
          throw new ApiError('cannot_suspend_self', 'You can’t suspend your own account. Ask another admin.')
        }
        await suspendMember(sql, lockedMember.customer_id)
        await insertNote(sql, { ...noteParams(call, lockedMember), kind: 'suspended', text: input.reason })
        return { action: 'member suspended', before: { status: 'active' }, after: { status: 'suspended' } }
      }),
    ),
    on(members.liftSuspension, async ({ input, ...call }) =>
      auditEntry(ctx, call, input.customer_id, async (sql, lockedMember) => {
        await liftSuspension(sql, lockedMember.customer_id)
        await insertNote(sql, { ...noteParams(call, lockedMember), kind: 'lifted', text: input.reason })
        return { action: 'member suspension lifted', before: { status: 'suspended' }, after: { status: 'active' } }
      }),
    ),
    on(members.changeRole, async ({ input, ...call }) =>
      auditEntry(ctx, call, input.customer_id, async (sql, lockedMember) => {
        if (lockedMember.staff_role === input.staff_role) return undefined
        if (lockedMember.status !== 'active')
          throw new ApiError('member_suspended', 'This member is suspended. Lift the suspension first.')
        await setStaffRole(sql, lockedMember.customer_id, input.staff_role)
        const [before, after] = [{ staff_role: lockedMember.staff_role }, { staff_role: input.staff_role }]
        return { action: 'member role changed', before, after }
      }),
    ),
    on(members.signOutEverywhere, async ({ input, ...call }) => {
      let ended = 0
      await auditEntry(ctx, call, input.customer_id, async (sql, { customer_id }) => {
        ended = await endSessions(sql, customer_id, { but: call.member.session_id })
        return { action: 'member signed out of all devices', after: { sessions_ended: ended } }
      })
      return { ended }
    }),
    on(members.viewAs, async ({ input, ...call }) => {
      let token = ''
      await auditEntry(ctx, call, input.customer_id, async (sql, lockedMember) => {
        rejectToView(lockedMember)
        token = await openView(sql, lockedMember.customer_id, call.member.customer_id, clientInfo(call.request))
        return { action: 'viewed as member' }
      })
      return { token, minutes: VIEW_MINUTES }
    }),
    on(members.endView, async ({ member }) => {
      await endViewerSessions(sql, member.customer_id)
      return {}
    }),
    on(members.writeNote, async ({ input, ...call }) =>
      sql.begin(async (sql) => {
        const lockedMember = await lockMember(sql, input.customer_id)
        await insertNote(sql, { ...noteParams(call, lockedMember), kind: 'note', text: input.text })
        await recordAudit(sql, { ...actor(call), action: 'member note added', subject: subjectOf(lockedMember) })
        return { notes: await listNotes(sql, input.customer_id) }
      }),
    ),
    on(members.removeNote, async ({ input, ...call }) =>
      sql.begin(async (sql) => {
        const customer_id = await removeNote(sql, call.member, input.staff_note_id)
        await recordAudit(sql, { ...actor(call), action: 'member note deleted', subject: subjectOf({ customer_id }) })
        return {}
      }),
    ),
  ]
}

type StaffCall = Pick<CallContext<typeof members.getMember, Caller>, 'member' | 'request'>

const actor = ({ member, request }: StaffCall) => ({ staff_id: member.customer_id, ip: request.ip })

const noteParams = (call: StaffCall, { customer_id }: Pick<LockedMember, 'customer_id'>) => ({
  customer_id,
  staff_id: call.member.customer_id,
})

const subjectOf = ({ customer_id }: Pick<LockedMember, 'customer_id'>) => `customer ${customer_id}`

type MemberAction = { action: string; before?: object; after?: object }

/**
 * Runs one action on a locked member, with its audit log entry; returns undefined if there was nothing to do. Throws
 * `unknown_member`, `admin_required`, and the action's errors.
 */
async function auditEntry(
  { sql }: AppContext,
  call: StaffCall,
  customerId: number,
  applyChange: (sql: Sql, lockedMember: LockedMember) => Promise<MemberAction | undefined>,
): Promise<{ member: members.ListedMember }> {
  // Two admins who change each other wait for each other's rows.
  return withDeadlockRetry(sql, async (sql) => {
    const lockedMember = await lockMember(sql, customerId)
    rejectStaffTarget(call.member, lockedMember)
    const done = await applyChange(sql, lockedMember)
    if (done) await recordAudit(sql, { ...actor(call), ...done, subject: subjectOf(lockedMember) })
    return { member: await getListedMember(sql, customerId) }
  })
}

/** Staff cannot view the site as other staff or as inactive members. */
function rejectToView({ staff_role, status }: LockedMember): void {
  if (staff_role !== null) throw new ApiError('cannot_view_as_staff', 'You can’t view the site as a staff member.')
  if (status !== 'active')
    throw new ApiError('member_suspended', 'This member can’t sign in right now, so you can’t view the site as them.')
}

function rejectStaffTarget({ staff_role }: Caller, lockedMember: LockedMember): void {
  if (lockedMember.staff_role === null || staff_role === 'admin') return
  throw new ApiError('admin_required', 'Only admins can change staff accounts.')
}
