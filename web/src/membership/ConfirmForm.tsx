import { confirmAddress } from '@dubplate/contract/schemas/joining'
import { TextInput } from '@mantine/core'
import { DialogLink } from '../platform/DialogLink.tsx'
import { useResourceForm } from '../platform/useResourceForm.ts'
import { Button } from '../ui/Button.tsx'
import { confirmWith } from './confirmOnce.ts'
import { Form } from './Form.tsx'
import css from './Membership.module.css'
import { type Confirmation, confirmLink } from './mailedLinks.ts'
import { PasswordField } from './PasswordField.tsx'
import * as texts from './texts.ts'

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
  const form = useResourceForm({
    call: confirmAddress,
    values: { password: '' },
    toInput: ({ password }) => ({ token: confirmLink()?.token ?? '', password }),
    validate: ({ password }) => (password ? {} : { password: texts.passwordCannotBeBlank }),
    onRejected: (error) => {
      const isExpired = error.code === 'link_expired' || error.code === 'email_taken'
      if (isExpired) onExpired(error)
      return isExpired
    },
    save: (_, __, { password }) => confirmWith(password),
    onSaved: onConfirmed,
  })
  return (
    <Form form={form}>
      <p className={css.hint}>{texts.enterThePasswordYouChose}</p>
      <TextInput label={texts.email} type="email" autoComplete="username" readOnly value={email} />
      <PasswordField label={texts.password} autoComplete="current-password" autoFocus {...form.field('password')} />
      <Button type="submit" variant="primary" busy={form.isBusy}>
        {texts.confirmEmail}
      </Button>
      <p className={css.links}>
        <DialogLink to="create-account" className={css.link}>
          {texts.signUpAgain}
        </DialogLink>
      </p>
    </Form>
  )
}
