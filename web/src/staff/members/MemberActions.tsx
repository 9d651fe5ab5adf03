import '../../styles/mantine-forms.css'
import { members, membership, type StaffRole } from '@dubplate/contract'
import { InputBase } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { ErrorMessages } from '../../membership/ErrorMessages.tsx'
import { useDialogForm } from '../../membership/useDialogForm.ts'
import { callApi } from '../../platform/api.ts'
import { getDraft, saveDraft } from '../../platform/drafts.ts'
import { format } from '../../platform/message.ts'
import { refreshReplies } from '../../platform/useApiMutation.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/toast.ts'
import css from '../sales/PaymentForms.module.css'
import type { ActionName } from './MemberHeader.tsx'
import { MEMBER_CALLS, type MemberData, roleName } from './memberStatus.ts'
import * as texts from './texts.ts'

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

/** A dialog with a form, a submit button and a cancel button. */
function Asked({ title, submit, complaints, isBusy, label, look = 'primary', onClose, children }: FormProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Frame onSubmit={submit}>
        <ErrorMessages messages={complaints} />
        {children}
        <div className={css.actions}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant={look} busy={isBusy}>
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
  await refreshReplies(MEMBER_CALLS)
}

/** Pressing the arrow opens the options, as on the selects next to it. */
const CHOICE = { rightSection: <IconChevronDown size={16} aria-hidden />, rightSectionPointerEvents: 'none' } as const

function ChangeGroup({
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
      const { member } = await callApi(members.changeGroup, { customer_id, group_id: Number(group_id) })
      await done(format(texts.movedTo, { dj_name, name: member.group.name }), onClose)
    },
  })
  return (
    <Asked title={format(texts.changeGroupOf, { dj_name })} {...asked} label={texts.changeGroup} onClose={onClose}>
      <InputBase component="select" {...CHOICE} label={texts.group} data-autofocus {...form.getInputProps('group_id')}>
        {groups.map(({ group_id, name }) => (
          <option key={group_id} value={group_id}>
            {name}
          </option>
        ))}
      </InputBase>
      <p className={css.hint}>
        {texts.onlyMembersOfTheDownloading} {isPaying && texts.theirSubscriptionContinues}
      </p>
    </Asked>
  )
}

const LONGEST = 4000

function Suspend({ member: { customer_id, dj_name }, onClose }: Props) {
  const draft = `suspend.${customer_id}`
  const { form, ...asked } = useDialogForm({
    initialValues: { reason: getDraft(draft) },
    validate: ({ reason }): { reason?: string } =>
      reason.trim() === '' ? { reason: texts.enterAReasonYourColleagues } : {},
    onValuesChange: ({ reason }) => saveDraft(draft, reason),
    send: async ({ reason }) => {
      await callApi(members.suspend, { customer_id, reason })
      saveDraft(draft, '')
      await done(format(texts.suspendedAndSignedOut, { dj_name }), onClose)
    },
  })
  return (
    <Asked
      title={format(texts.suspendQuestion, { dj_name })}
      {...asked}
      label={texts.suspend}
      look="danger"
      onClose={onClose}
    >
      <InputBase
        component="textarea"
        multiline
        rows={4}
        label={texts.reason}
        description={texts.savedInStaffNotesThe}
        maxLength={LONGEST}
        data-autofocus
        {...form.getInputProps('reason')}
      />
      <p className={css.hint}>{texts.allTheirSessionsEndNow}</p>
    </Asked>
  )
}

function Lift({ member: { customer_id, dj_name }, onClose }: Props) {
  const { form, ...asked } = useDialogForm({
    initialValues: { reason: '' },
    validate: () => ({}),
    send: async ({ reason }) => {
      await callApi(members.liftSuspension, { customer_id, reason })
      await done(format(texts.suspensionOfLifted, { dj_name }), onClose)
    },
  })
  return (
    <Asked
      title={format(texts.liftSuspensionOf, { dj_name })}
      {...asked}
      label={texts.liftSuspension}
      onClose={onClose}
    >
      <InputBase
        component="textarea"
        multiline
        rows={3}
        label={texts.reasonOptional}
        maxLength={LONGEST}
        data-autofocus
        {...form.getInputProps('reason')}
      />
    </Asked>
  )
}

function SignOut({ member: { customer_id, dj_name }, onClose }: Props) {
  const { form: _, ...asked } = useDialogForm({
    initialValues: {},
    validate: () => ({}),
    send: async () => {
      const { ended } = await callApi(members.signOutEverywhere, { customer_id })
      await done(format(texts.signedOutOfSessions, { dj_name, ended }), onClose)
    },
  })
  return (
    <Asked
      title={format(texts.signOutEverywhereQuestion, { dj_name })}
      {...asked}
      label={texts.signOutEverywhere}
      onClose={onClose}
    >
      <p>{texts.theyllNeedToSignIn}</p>
    </Asked>
  )
}

/** Gives a member a staff role, or removes it. */
function ChangeRole({ member, onClose }: Props) {
  const { customer_id, dj_name, staff_role } = member
  const { form, ...asked } = useDialogForm({
    initialValues: { role: staff_role ?? '' },
    validate: () => ({}),
    send: async ({ role }) => {
      const chosen = (role || null) as StaffRole | null
      await callApi(members.changeRole, { customer_id, staff_role: chosen })
      const message = chosen
        ? format(texts.memberIsNow, { dj_name, role: roleName(chosen) })
        : format(texts.memberIsNoLongerStaff, { dj_name })
      await done(message, onClose)
    },
  })
  return (
    <Asked title={format(texts.changeRoleOf, { dj_name })} {...asked} label={texts.changeRole} onClose={onClose}>
      <InputBase
        component="select"
        {...CHOICE}
        label={texts.backOfficeRole}
        data-autofocus
        {...form.getInputProps('role')}
      >
        <option value="">{texts.noStaffAccess}</option>
        {membership.STAFF_ROLES.map((role) => (
          <option key={role} value={role}>
            {roleName(role)}
          </option>
        ))}
      </InputBase>
      <p className={css.hint}>{texts.adminsHaveFullAccessRemoving}</p>
    </Asked>
  )
}

const DIALOGS = { group: ChangeGroup, 'sign-out': SignOut, role: ChangeRole, suspend: Suspend, lift: Lift }

type DialogProps = { action: ActionName; data: MemberData; onClose: () => void }

/** The dialog of an action. */
export function MemberActionDialog({ action, data: { member, groups, agreement }, onClose }: DialogProps) {
  const Form = DIALOGS[action]
  return <Form member={member} groups={groups} isPaying={agreement?.profile_status === 'Active'} onClose={onClose} />
}
