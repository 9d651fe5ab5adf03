import { TextInput } from '@mantine/core'
import { DialogLink } from '../platform/DialogLink.tsx'
import { Button } from '../ui/Button.tsx'
import { Complaints } from './Complaints.tsx'
import { confirmWith } from './confirmOnce.ts'
import css from './Joining.module.css'
import type { Confirmation } from './mailedLinks.ts'
import { PasswordField } from './PasswordField.tsx'
import * as texts from './texts.ts'
import { useDialogForm } from './useDialogForm.ts'

type Props = {
  email: string
  onConfirmed: (answer: Confirmation) => void
  /** The link is no longer good. */
  onOver: (why: Error) => void
}

/** Anybody can sign up with another's address: whoever opens the link shows with the password that it was them. */
export function ConfirmForm({ email, onConfirmed, onOver }: Props) {
  const { form, submit, isBusy, complaints } = useDialogForm({
    initialValues: { password: '' },
    validate: ({ password }) => (password ? {} : { password: texts.passwordCannotBeBlank }),
    send: async ({ password }) => onConfirmed(await confirmWith(password)),
    onRefused: (refusal) => {
      const isOver = refusal.code === 'link_expired' || refusal.code === 'email_taken'
      if (isOver) onOver(refusal)
      return isOver
    },
  })
  return (
    <form noValidate className={css.form} onSubmit={submit}>
      <Complaints sentences={complaints} />
      <p className={css.hint}>{texts.enterThePasswordYouChose}</p>
      <TextInput label={texts.email} type="email" autoComplete="username" readOnly value={email} />
      <PasswordField
        label={texts.password}
        autoComplete="current-password"
        autoFocus
        {...form.getInputProps('password')}
      />
      <Button type="submit" look="primary" busy={isBusy}>
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
