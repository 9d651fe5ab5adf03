import { forgetPassword } from '@dubplate/contract/schemas/joining'
import { TextInput } from '@mantine/core'
import { openDialog } from '../platform/address.ts'
import { DialogLink } from '../platform/DialogLink.tsx'
import { useResourceForm } from '../platform/useResourceForm.ts'
import { Button } from '../ui/Button.tsx'
import { saveTyped, typed } from './draft.ts'
import { Form } from './Form.tsx'
import { JoiningDialog } from './JoiningDialog.tsx'
import css from './Membership.module.css'
import * as texts from './texts.ts'

export const Recover = ({ onClose }: { onClose: () => void }) => (
  <JoiningDialog title={texts.recoverPassword} onClose={onClose}>
    <RecoverForm />
  </JoiningDialog>
)

function RecoverForm() {
  const form = useResourceForm({
    call: forgetPassword,
    values: { email: typed().email },
    toInput: (values) => values,
    onChange: saveTyped,
    onSaved: () => openDialog('sign-in', { text: texts.checkEmailToResetPassword, isMailed: true }),
  })
  return (
    <Form form={form}>
      <p className={css.hint}>{texts.enterYourAccountEmailWell}</p>
      <TextInput label={texts.email} type="email" autoComplete="username" data-autofocus {...form.field('email')} />
      <Button type="submit" variant="primary" busy={form.isBusy}>
        {texts.sendLink}
      </Button>
      <p className={css.links}>
        <DialogLink to="sign-in" className={css.link}>
          {texts.backToSignIn}
        </DialogLink>
      </p>
    </Form>
  )
}
