import '../../styles/mantine-forms.css'
import type { ReactNode } from 'react'
import { useSession } from '../../platform/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Mantine } from '../../ui/Mantine.tsx'
import { ErrorMessages } from '../ErrorMessages.tsx'
import { PasswordField } from '../PasswordField.tsx'
import * as texts from '../texts.ts'
import { useDialogForm } from '../useDialogForm.ts'
import css from './PasswordPrompt.module.css'

type Props = {
  /** The accessible name of the form. */
  label: string
  submit: string
  look?: 'primary' | 'danger'
  /** Further fields above the password. */
  children?: ReactNode
  /** Called with the password; '' for a member without one. Throws the server's `ApiError`. */
  onSend: (password: string) => Promise<void>
  onCancel?: () => void
}

/** Asks for the password again before something only the account's owner may do. */
export function PasswordPrompt({ label, submit: action, look = 'primary', children, onSend, onCancel }: Props) {
  const profile = useSession((session) => session.profile)
  const isAsked = profile?.has_password ?? true
  const {
    form,
    submit,
    isBusy,
    complaints: errorMessages,
  } = useDialogForm({
    initialValues: { password: '' },
    validate: ({ password }) => (isAsked && !password ? { password: texts.passwordCannotBeBlank } : {}),
    send: ({ password }) => onSend(password),
  })
  return (
    <Mantine>
      <form noValidate className={css.form} onSubmit={submit} aria-label={label}>
        <input type="hidden" name="username" autoComplete="username" value={profile?.email ?? ''} readOnly />
        <ErrorMessages messages={errorMessages} />
        {children}
        {isAsked && (
          <PasswordField
            label={texts.currentPassword}
            autoComplete="current-password"
            autoFocus={!children}
            {...form.getInputProps('password')}
          />
        )}
        <div className={css.actions}>
          <Button type="submit" variant={look} busy={isBusy}>
            {action}
          </Button>
          {onCancel && <Button onClick={onCancel}>{texts.cancel}</Button>}
        </div>
      </form>
    </Mantine>
  )
}
