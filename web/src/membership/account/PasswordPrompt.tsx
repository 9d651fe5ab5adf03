import '../../styles/mantine-forms.css'
import type { Endpoint, InputOf, ReplyOf } from '@dubplate/contract'
import type { startTwoStep } from '@dubplate/contract/schemas/account'
import { Box, Group, TextInput } from '@mantine/core'
import { format } from '../../format/message.ts'
import { useSession } from '../../platform/session.ts'
import { useResourceForm } from '../../platform/useResourceForm.ts'
import { Button } from '../../ui/Button.tsx'
import { Form } from '../Form.tsx'
import { PasswordField } from '../PasswordField.tsx'
import * as texts from '../texts.ts'

/** A call whose only input is the password, '' for a member without one. */
type PasswordCall = Endpoint<(typeof startTwoStep)['input']>

type Props<E extends PasswordCall> = {
  /** The call, with its schema. */
  call: E
  /** The accessible name of the form. */
  label: string
  submit: string
  look?: 'primary' | 'danger'
  /** The DJ name, if it has to be entered too. */
  djName?: string
  onDone: (reply: ReplyOf<E>) => void
  onCancel: () => void
}

/** Asks for the password again before something only the account's owner may do. */
export function PasswordPrompt<E extends PasswordCall>(props: Props<E>) {
  const { call, label, submit, look = 'primary', djName, onDone, onCancel } = props
  const profile = useSession((session) => session.profile)
  const hasPassword = profile?.has_password ?? true
  const form = useResourceForm({
    call,
    values: { name: '', password: '' },
    toInput: ({ password }) => ({ password }) as InputOf<E>,
    validate: ({ name, password }) => ({
      name:
        djName === undefined || isSameName(name, djName)
          ? undefined
          : format(texts.enterToDeleteYourAccount, { dj_name: djName }),
      password: hasPassword && !password ? texts.passwordCannotBeBlank : undefined,
    }),
    save: async (send) => onDone(await send()),
  })
  return (
    <Box maw={380}>
      <Form form={form} label={label}>
        <input type="hidden" name="username" autoComplete="username" value={profile?.email ?? ''} readOnly />
        {djName !== undefined && (
          <TextInput
            label={format(texts.enterDjNameToConfirm, { dj_name: djName })}
            autoComplete="off"
            autoFocus
            {...form.field('name')}
          />
        )}
        {hasPassword && (
          <PasswordField
            label={texts.currentPassword}
            autoComplete="current-password"
            autoFocus={djName === undefined}
            {...form.field('password')}
          />
        )}
        <Group gap="sm">
          <Button type="submit" variant={look} busy={form.isBusy}>
            {submit}
          </Button>
          <Button onClick={onCancel}>{texts.cancel}</Button>
        </Group>
      </Form>
    </Box>
  )
}

const isSameName = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()
