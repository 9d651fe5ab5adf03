import '../../styles/mantine-forms.css'
import type { ReactNode } from 'react'
import { useSession } from '../../platform/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Mantine } from '../../ui/Mantine.tsx'
import { ErrorMessages } from '../ErrorMessages.tsx'
import { PasswordField } from '../PasswordField.tsx'
import * as texts from '../texts.ts'
import { useDialogForm } from '../useDialogForm.ts'
import css from './PasswordAsked.module.css'

type Props = {
  /** What the form is for, as a name for it. */
  label: string
  submit: string
  look?: 'primary' | 'danger'
  /** What else is asked, above the password. */
  children?: ReactNode
  /** Gets the password, '' of a member without one. Throws what the server refuses. */
  onSend: (password: string) => Promise<void>
  onCancel?: () => void
}

/** Asks for the password once more before something that only its owner may do. */
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
    validate: ({ password }) => (isAsked && !password ? { password: 'password cannot be blank!' } : {}),
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
