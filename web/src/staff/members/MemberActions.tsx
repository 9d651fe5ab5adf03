import type { Endpoint, InputOf, ReplyOf } from '@dubplate/contract'
import { changeGroup, changeRole, liftSuspension, signOutEverywhere, suspend } from '@dubplate/contract/schemas/members'
import { STAFF_ROLES } from '@dubplate/contract/schemas/membership'
import { NativeSelect, Textarea } from '@mantine/core'
import type { ReactNode } from 'react'
import { ActionDialog } from '../../admin/ActionDialog.tsx'
import { format } from '../../format/message.ts'
import { type ResourceFormState, useResourceForm } from '../../platform/useResourceForm.ts'
import type { ActionName } from './MemberHeader.tsx'
import { MEMBER_CALLS, type MemberData, roleName } from './memberStatus.ts'
import * as texts from './texts.ts'

type FormProps<Values extends object, E extends Endpoint> = {
  call: E
  title: string
  text?: ReactNode
  actionLabel: string
  isDanger?: boolean
  draftName?: string
  values: Values
  toInput: (values: Values) => InputOf<E>
  success: (reply: ReplyOf<E>, input: InputOf<E>) => string
  onClose: () => void
  fields?: (form: ResourceFormState<Values>) => ReactNode
}

function ActionForm<Values extends object, E extends Endpoint>(props: FormProps<Values, E>) {
  const { call, draftName, values, toInput, success, fields, onClose, ...dialog } = props
  const form = useResourceForm({
    call,
    values,
    toInput,
    ...(draftName && { draftName }),
    invalidates: MEMBER_CALLS,
    success: (reply, input) => ({ message: success(reply, input) }),
    onSaved: onClose,
  })
  return (
    <ActionDialog {...dialog} form={form} onClose={onClose}>
      {fields?.(form)}
    </ActionDialog>
  )
}

type Props = { action: ActionName; data: MemberData; onClose: () => void }

/** The dialog of an action on a member. */
export function MemberActionDialog({ action, data: { member, groups, agreement }, onClose }: Props) {
  const { customer_id, dj_name } = member
  switch (action) {
    case 'group':
      return (
        <ActionForm
          call={changeGroup}
          title={format(texts.changeGroupOf, { dj_name })}
          text={
            <>
              {texts.onlyMembersOfTheDownloading}
              {agreement?.profile_status === 'Active' && ` ${texts.theirSubscriptionContinues}`}
            </>
          }
          actionLabel={texts.changeGroup}
          values={{ group_id: String(member.group.group_id) }}
          toInput={({ group_id }) => ({ customer_id, group_id: Number(group_id) })}
          success={(reply) => format(texts.movedTo, { dj_name, name: reply.member.group.name })}
          fields={(form) => (
            <NativeSelect
              label={texts.group}
              data-autofocus
              data={groups.map(({ group_id, name }) => ({ value: String(group_id), label: name }))}
              {...form.field('group_id')}
            />
          )}
          onClose={onClose}
        />
      )
    case 'sign-out':
      return (
        <ActionForm
          call={signOutEverywhere}
          title={format(texts.signOutEverywhereQuestion, { dj_name })}
          text={texts.theyllNeedToSignIn}
          actionLabel={texts.signOutEverywhere}
          values={{}}
          toInput={() => ({ customer_id })}
          success={({ ended }) => format(texts.signedOutOfSessions, { dj_name, ended })}
          onClose={onClose}
        />
      )
    case 'role':
      return (
        <ActionForm
          call={changeRole}
          title={format(texts.changeRoleOf, { dj_name })}
          text={texts.adminsHaveFullAccessRemoving}
          actionLabel={texts.changeRole}
          values={{ role: member.staff_role ?? '' }}
          toInput={({ role }) => ({ customer_id, staff_role: STAFF_ROLES.find((name) => name === role) ?? null })}
          success={(_, { staff_role }) =>
            staff_role
              ? format(texts.memberIsNow, { dj_name, role: roleName(staff_role) })
              : format(texts.memberIsNoLongerStaff, { dj_name })
          }
          fields={(form) => (
            <NativeSelect
              label={texts.backOfficeRole}
              data-autofocus
              data={[
                { value: '', label: texts.noStaffAccess },
                ...STAFF_ROLES.map((value) => ({ value, label: roleName(value) })),
              ]}
              {...form.field('role')}
            />
          )}
          onClose={onClose}
        />
      )
    case 'suspend':
      return (
        <ActionForm
          call={suspend}
          title={format(texts.suspendQuestion, { dj_name })}
          text={texts.allTheirSessionsEndNow}
          actionLabel={texts.suspend}
          isDanger
          draftName={`suspend.${customer_id}`}
          values={{ reason: '' }}
          toInput={({ reason }) => ({ customer_id, reason })}
          success={() => format(texts.suspendedAndSignedOut, { dj_name })}
          fields={(form) => (
            <Textarea
              label={texts.reason}
              rows={4}
              maxLength={MAX_REASON_LENGTH}
              data-autofocus
              {...form.field('reason', texts.savedInStaffNotesThe)}
            />
          )}
          onClose={onClose}
        />
      )
    case 'lift':
      return (
        <ActionForm
          call={liftSuspension}
          title={format(texts.liftSuspensionOf, { dj_name })}
          actionLabel={texts.liftSuspension}
          values={{ reason: '' }}
          toInput={({ reason }) => ({ customer_id, reason })}
          success={() => format(texts.suspensionOfLifted, { dj_name })}
          fields={(form) => (
            <Textarea
              label={texts.reasonOptional}
              rows={3}
              maxLength={MAX_REASON_LENGTH}
              data-autofocus
              {...form.field('reason')}
            />
          )}
          onClose={onClose}
        />
      )
  }
}

const MAX_REASON_LENGTH = 4000
