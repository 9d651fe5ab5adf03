import '../styles/mantine-forms.css'
import { members, membership, type StaffRole } from '@dubplate/contract'
import { InputBase } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { Complaints } from '../membership/Complaints.tsx'
import { useDialogForm } from '../membership/useDialogForm.ts'
import { ask } from '../platform/api.ts'
import { draftOf, keepDraft } from '../platform/drafts.ts'
import { plural } from '../platform/format.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { toast } from '../ui/toast.ts'
import { askMembersAnew } from './memberDeeds.ts'
import { roleInWords } from './memberWords.ts'
import css from './PaymentForms.module.css'

type Member = Pick<members.ListedMember, 'customer_id' | 'dj_name' | 'group' | 'staff_role'>
type Props = { member: Member; onClose: () => void }

type FormProps = {
  title: string
  submit: Parameters<typeof Frame>[0]['onSubmit']
  complaints: string[]
  isBusy: boolean
  label: string
  look?: 'primary' | 'danger'
  onClose: () => void
  children: ReactNode
}

/** A question with a button that does it and one that does not. */
function Asked({ title, submit, complaints, isBusy, label, look = 'primary', onClose, children }: FormProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Frame onSubmit={submit}>
        <Complaints sentences={complaints} />
        {children}
        <div className={css.actions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look={look} busy={isBusy}>
            {label}
          </Button>
        </div>
      </Frame>
    </Dialog>
  )
}

type FrameProps = { onSubmit: ReturnType<typeof useDialogForm>['submit']; children: ReactNode }

const Frame = ({ onSubmit, children }: FrameProps) => (
  <form noValidate className={css.form} onSubmit={onSubmit}>
    {children}
  </form>
)

const done = async (message: string, onClose: () => void) => {
  void toast({ message })
  onClose()
  await askMembersAnew()
}

/** A press on the arrow opens the choices like one beside it. */
const CHOICE = { rightSection: <IconChevronDown size={16} aria-hidden />, rightSectionPointerEvents: 'none' } as const

/** Puts a member into another group. */
export function ChangeGroup({
  member,
  groups,
  isPaying,
  onClose,
}: Props & { groups: members.ListedMember['group'][]; isPaying: boolean }) {
  const { customer_id, dj_name, group } = member
  const { form, ...asked } = useDialogForm({
    initialValues: { group_id: String(group.group_id) },
    validate: () => ({}),
    send: async ({ group_id }) => {
      const { member } = await ask(members.changeGroup, { customer_id, group_id: Number(group_id) })
      await done(`${dj_name} moved to ${member.group.name}`, onClose)
    },
  })
  return (
    <Asked title={`Change group of ${dj_name}`} {...asked} label="Change group" onClose={onClose}>
      <InputBase component="select" {...CHOICE} label="Group" data-autofocus {...form.getInputProps('group_id')}>
        {groups.map(({ group_id, name }) => (
          <option key={group_id} value={group_id}>
            {name}
          </option>
        ))}
      </InputBase>
      <p className={css.hint}>
        Only members of the “Downloading member” group can download. Takes effect immediately.
        {isPaying && ' Their subscription continues and is billed as usual.'}
      </p>
    </Asked>
  )
}

const LONGEST = 4000

/** Shuts a member out. */
export function Suspend({ member: { customer_id, dj_name }, onClose }: Props) {
  const draft = `suspend.${customer_id}`
  const { form, ...asked } = useDialogForm({
    initialValues: { reason: draftOf(draft) },
    validate: ({ reason }): { reason?: string } =>
      reason.trim() === '' ? { reason: 'Enter a reason. Your colleagues will see it.' } : {},
    keep: ({ reason }) => keepDraft(draft, reason),
    send: async ({ reason }) => {
      await ask(members.suspend, { customer_id, reason })
      keepDraft(draft, '')
      await done(`${dj_name} suspended and signed out`, onClose)
    },
  })
  return (
    <Asked title={`Suspend ${dj_name}?`} {...asked} label="Suspend" look="danger" onClose={onClose}>
      <InputBase
        component="textarea"
        multiline
        rows={4}
        label="Reason"
        description="Saved in staff notes. The member doesn’t see it when signing in, but it’s included in their data download."
        maxLength={LONGEST}
        data-autofocus
        {...form.getInputProps('reason')}
      />
      <p className={css.hint}>
        All their sessions end now and they can’t sign in until the suspension is lifted. Paid subscriptions continue.
      </p>
    </Asked>
  )
}

/** Lets a suspended member in again. */
export function Lift({ member: { customer_id, dj_name }, onClose }: Props) {
  const { form, ...asked } = useDialogForm({
    initialValues: { reason: '' },
    validate: () => ({}),
    send: async ({ reason }) => {
      await ask(members.liftSuspension, { customer_id, reason })
      await done(`Suspension of ${dj_name} lifted`, onClose)
    },
  })
  return (
    <Asked title={`Lift suspension of ${dj_name}?`} {...asked} label="Lift suspension" onClose={onClose}>
      <InputBase
        component="textarea"
        multiline
        rows={3}
        label="Reason (optional)"
        maxLength={LONGEST}
        data-autofocus
        {...form.getInputProps('reason')}
      />
    </Asked>
  )
}

/** Ends every session of a member. */
export function SignOut({ member: { customer_id, dj_name }, onClose }: Props) {
  const { form: _, ...asked } = useDialogForm({
    initialValues: {},
    validate: () => ({}),
    send: async () => {
      const { ended } = await ask(members.signOutEverywhere, { customer_id })
      await done(`${dj_name} signed out of ${plural(ended, 'session')}`, onClose)
    },
  })
  return (
    <Asked title={`Sign ${dj_name} out everywhere?`} {...asked} label="Sign out everywhere" onClose={onClose}>
      <p>They’ll need to sign in again. Interrupted downloads can be resumed without counting twice.</p>
    </Asked>
  )
}

/** Makes somebody staff, or no longer. */
export function ChangeRole({ member, onClose }: Props) {
  const { customer_id, dj_name, staff_role } = member
  const { form, ...asked } = useDialogForm({
    initialValues: { role: staff_role ?? '' },
    validate: () => ({}),
    send: async ({ role }) => {
      const chosen = (role || null) as StaffRole | null
      await ask(members.changeRole, { customer_id, staff_role: chosen })
      await done(`${dj_name} is ${chosen ? `now ${roleInWords(chosen)}` : 'no longer staff'}`, onClose)
    },
  })
  return (
    <Asked title={`Change role of ${dj_name}`} {...asked} label="Change role" onClose={onClose}>
      <InputBase component="select" {...CHOICE} label="Back-office role" data-autofocus {...form.getInputProps('role')}>
        <option value="">No staff access</option>
        {membership.STAFF_ROLES.map((role) => (
          <option key={role} value={role}>
            {roleInWords(role)}
          </option>
        ))}
      </InputBase>
      <p className={css.hint}>
        Admins have full access. Removing staff access signs the person out everywhere; they then need an approved DJ
        application to sign in again.
      </p>
    </Asked>
  )
}
