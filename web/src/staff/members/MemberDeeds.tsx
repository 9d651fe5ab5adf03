import type { members, ReplyOf } from '@dubplate/contract'
import { useState } from 'react'
import { useSession } from '../../platform/session.ts'
import { Button } from '../../ui/Button.tsx'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import css from './MemberView.module.css'
import { deedsOn } from './memberStatus.ts'
import * as texts from './texts.ts'
import { ViewAs } from './ViewAs.tsx'

const load = () => import('./MemberActions.tsx')
const ChangeGroup = lazyOnDemand(() => load().then((code) => code.ChangeGroup))
const Suspend = lazyOnDemand(() => load().then((code) => code.Suspend))
const Lift = lazyOnDemand(() => load().then((code) => code.Lift))
const SignOut = lazyOnDemand(() => load().then((code) => code.SignOut))
const ChangeRole = lazyOnDemand(() => load().then((code) => code.ChangeRole))

type Form = 'group' | 'suspend' | 'lift' | 'sign-out' | 'role'

/** Actions on a member, depending on the role of the staff member. */
export function MemberDeeds({ shown: { member, groups, agreement } }: { shown: ReplyOf<typeof members.getMember> }) {
  const [form, setForm] = useState<Form>()
  const me = useSession(({ profile }) => profile)
  if (!me?.staff_role || member.status === 'deleted') return null
  const { canView, canChange, canSuspend, canChangeRole } = deedsOn(member, {
    customer_id: me.customer_id,
    staff_role: me.staff_role,
  })
  const listed = { ...member, application: member.application?.state ?? null }
  const common = { member: listed, onClose: () => setForm(undefined) }
  const isSuspended = member.status === 'suspended'
  return (
    <section className={css.deeds} aria-label={texts.actions}>
      {canView && <ViewAs customerId={member.customer_id} />}
      {canChange && <Button onClick={() => setForm('group')}>{texts.changeGroupMenuItem}</Button>}
      {canChange && <Button onClick={() => setForm('sign-out')}>{texts.signOutEverywhereMenuItem}</Button>}
      {canChangeRole && <Button onClick={() => setForm('role')}>{texts.changeRoleMenuItem}</Button>}
      {canSuspend && !isSuspended && (
        <Button variant="danger" onClick={() => setForm('suspend')}>
          {texts.suspendMenuItem}
        </Button>
      )}
      {canChange && isSuspended && <Button onClick={() => setForm('lift')}>{texts.liftSuspensionMenuItem}</Button>}
      {!canChange && member.staff_role && me.staff_role === 'support' && (
        <p className={css.hint}>{texts.onlyAdminsCanEditStaff}</p>
      )}
      {form === 'group' && (
        <ChangeGroup {...common} groups={groups} isPaying={agreement?.profile_status === 'Active'} />
      )}
      {form === 'suspend' && <Suspend {...common} />}
      {form === 'lift' && <Lift {...common} />}
      {form === 'sign-out' && <SignOut {...common} />}
      {form === 'role' && <ChangeRole {...common} />}
    </section>
  )
}
