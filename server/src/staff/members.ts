import { members } from '@dubplate/contract'
import { type Asker, on } from '../membership/asker.ts'
import { visitOf } from '../membership/routes.ts'
import { endSessions, endViews, openView, VIEW_MINUTES } from '../membership/session.ts'
import {
  type HeldMember,
  holdMember,
  liftSuspension,
  setGroup,
  setStaffRole,
  suspendMember,
} from '../membership/standing.ts'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import type { Call, Question } from '../platform/serve.ts'
import { untangled } from '../platform/untangled.ts'
import type { World } from '../world.ts'
import { recordDeed } from './audit.ts'
import { listMembers, readListed } from './member-list.ts'
import { readMember } from './member-page.ts'
import { keepNote, listNotes, removeNote } from './notes.ts'
import { whyNoDownload } from './why-no-download.ts'

/** What staff see and do of members, each deed written down. */
export const memberRoutes = (world: World): Call<Asker>[] => {
  const { sql } = world
  return [
    on(members.getMembers, async ({ input }) => listMembers(sql, input)),
    on(members.getMember, async ({ input }) => readMember(world, input.customer_id)),
    on(members.whyNoDownload, async ({ input }) => whyNoDownload(world, input)),
    on(members.changeGroup, async ({ input, ...asked }) =>
      deed(world, asked, input.customer_id, async (sql, was) => {
        if (was.group_id === input.group_id) return undefined
        const group = await setGroup(sql, input.customer_id, input.group_id)
        const [before, after] = [{ group: was.group_name }, { group }]
        return { action: 'member group changed', before, after }
      }),
    ),
    on(members.suspend, async ({ input, ...asked }) =>
      deed(world, asked, input.customer_id, async (sql, was) => {
        if (was.customer_id === asked.member.customer_id) {
          throw new Refusal('cannot_suspend_self', 'You can’t suspend your own account. Ask another admin.')
        }
        await suspendMember(sql, was.customer_id)
        await keepNote(sql, { ...noted(asked, was), kind: 'suspended', text: input.reason })
        return { action: 'member suspended', before: { status: 'active' }, after: { status: 'suspended' } }
      }),
    ),
    on(members.liftSuspension, async ({ input, ...asked }) =>
      deed(world, asked, input.customer_id, async (sql, was) => {
        await liftSuspension(sql, was.customer_id)
        await keepNote(sql, { ...noted(asked, was), kind: 'lifted', text: input.reason })
        return { action: 'member suspension lifted', before: { status: 'suspended' }, after: { status: 'active' } }
      }),
    ),
    on(members.changeRole, async ({ input, ...asked }) =>
      deed(world, asked, input.customer_id, async (sql, was) => {
        if (was.staff_role === input.staff_role) return undefined
        if (was.status !== 'active')
          throw new Refusal('member_suspended', 'This member is suspended. Lift the suspension first.')
        await setStaffRole(sql, was.customer_id, input.staff_role)
        const [before, after] = [{ staff_role: was.staff_role }, { staff_role: input.staff_role }]
        return { action: 'member role changed', before, after }
      }),
    ),
    on(members.signOutEverywhere, async ({ input, ...asked }) => {
      let ended = 0
      await deed(world, asked, input.customer_id, async (sql, { customer_id }) => {
        ended = await endSessions(sql, customer_id, { but: asked.member.session_id })
        return { action: 'member signed out of all devices', after: { sessions_ended: ended } }
      })
      return { ended }
    }),
    on(members.viewAs, async ({ input, ...asked }) => {
      let token = ''
      await deed(world, asked, input.customer_id, async (sql, was) => {
        refuseToView(was)
        token = await openView(sql, was.customer_id, asked.member.customer_id, visitOf(asked.request))
        return { action: 'viewed as member' }
      })
      return { token, minutes: VIEW_MINUTES }
    }),
    on(members.endView, async ({ member }) => {
      await endViews(sql, member.customer_id)
      return {}
    }),
    on(members.writeNote, async ({ input, ...asked }) =>
      sql.begin(async (sql) => {
        const was = await holdMember(sql, input.customer_id)
        await keepNote(sql, { ...noted(asked, was), kind: 'note', text: input.text })
        await recordDeed(sql, { ...by(asked), action: 'member note added', subject: subjectOf(was) })
        return { notes: await listNotes(sql, input.customer_id) }
      }),
    ),
    on(members.removeNote, async ({ input, ...asked }) =>
      sql.begin(async (sql) => {
        const customer_id = await removeNote(sql, asked.member, input.staff_note_id)
        await recordDeed(sql, { ...by(asked), action: 'member note deleted', subject: subjectOf({ customer_id }) })
        return {}
      }),
    ),
  ]
}

type Asked = Pick<Question<typeof members.getMember, Asker>, 'member' | 'request'>

const by = ({ member, request }: Asked) => ({ staff_id: member.customer_id, ip: request.ip })

const noted = (asked: Asked, { customer_id }: Pick<HeldMember, 'customer_id'>) => ({
  customer_id,
  staff_id: asked.member.customer_id,
})

const subjectOf = ({ customer_id }: Pick<HeldMember, 'customer_id'>) => `customer ${customer_id}`

type Done = { action: string; before?: object; after?: object }

/**
 * One deed on a member, held meanwhile, with its line in the audit log; undefined where nothing was to be done. Refuses
 * `unknown_member`, `admin_required`, and what the deed does.
 */
async function deed(
  { sql }: World,
  asked: Asked,
  customerId: number,
  work: (sql: Sql, was: HeldMember) => Promise<Done | undefined>,
): Promise<{ member: members.ListedMember }> {
  // Two admins who act on each other wait for each other's rows.
  return untangled(sql, async (sql) => {
    const was = await holdMember(sql, customerId)
    refuseOverStaff(asked.member, was)
    const done = await work(sql, was)
    if (done) await recordDeed(sql, { ...by(asked), ...done, subject: subjectOf(was) })
    return { member: await readListed(sql, customerId) }
  })
}

/** What staff see of each other they see as staff. */
function refuseToView({ staff_role, status }: HeldMember): void {
  if (staff_role !== null) throw new Refusal('cannot_view_as_staff', 'You can’t view the site as a staff member.')
  if (status !== 'active')
    throw new Refusal('member_suspended', 'This member can’t sign in right now, so you can’t view the site as them.')
}

function refuseOverStaff({ staff_role }: Asker, was: HeldMember): void {
  if (was.staff_role === null || staff_role === 'admin') return
  throw new Refusal('admin_required', 'Only admins can change staff accounts.')
}
