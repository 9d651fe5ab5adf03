import { TextInput } from '@mantine/core'
import { DialogLink } from '../platform/DialogLink.tsx'
import { Button } from '../ui/Button.tsx'
import { confirmWith } from './confirmOnce.ts'
import { ErrorMessages } from './ErrorMessages.tsx'
import css from './Joining.module.css'
import type { Confirmation } from './mailedLinks.ts'
import { PasswordField } from './PasswordField.tsx'
import * as texts from './texts.ts'
import { useDialogForm } from './useDialogForm.ts'

type Props = {
  email: string
  onConfirmed: (confirmation: Confirmation) => void
  /** Called when the link is no longer valid. */
  onExpired: (reason: Error) => void
}

/**
 * Anyone can sign up with someone else's address: the password proves that the person who opened the link signed up.
 */
export function ConfirmForm({ email, onConfirmed, onExpired }: Props) {
  const {
    form,
    submit,
    isBusy,
    complaints: errorMessages,
  } = useDialogForm({
    initialValues: { password: '' },
    validate: ({ password }) => (password ? {} : { password: texts.passwordCannotBeBlank }),
    send: async ({ password }) => onConfirmed(await confirmWith(password)),
    onRejected: (apiError) => {
      const isOver = apiError.code === 'link_expired' || apiError.code === 'email_taken'
      if (isOver) onExpired(apiError)
      return isOver
    },
  })
  return (
    <form noValidate className={css.form} onSubmit={submit}>
      <ErrorMessages messages={errorMessages} />
      <p className={css.hint}>{texts.enterThePasswordYouChose}</p>
      <TextInput label={texts.email} type="email" autoComplete="username" readOnly value={email} />
      <PasswordField
        label={texts.password}
        autoComplete="current-password"
        autoFocus
        {...form.getInputProps('password')}
      />
      <Button type="submit" variant="primary" busy={isBusy}>
        {texts.confirmEmail}
      </Button>
      <p className={css.ways}>
        <DialogLink to="create-account" className={css.link}>
          {texts.signUpAgain}
        </DialogLink>
      </p>
    </form>
  )
}
