import { signUp } from '@dubplate/contract/schemas/joining'
import { TextInput } from '@mantine/core'
import { rich } from '../format/message.ts'
import { openDialog } from '../platform/address.ts'
import { DialogLink } from '../platform/DialogLink.tsx'
import { useResourceForm } from '../platform/useResourceForm.ts'
import { Button } from '../ui/Button.tsx'
import { keepActionFor } from './actionAfterSignIn.ts'
import { saveApplicant } from './applicant.ts'
import { saveTyped, typed } from './draft.ts'
import { Form } from './Form.tsx'
import { ActionNotice, JoiningDialog } from './JoiningDialog.tsx'
import css from './Membership.module.css'
import { NewPassword } from './NewPassword.tsx'
import * as texts from './texts.ts'

export const CreateAccount = ({ onClose }: { onClose: () => void }) => (
  <JoiningDialog title={texts.createAnAccount} onClose={onClose}>
    <ActionNotice message={texts.createAccountToContinueAction} />
    <CreateAccountForm />
  </JoiningDialog>
)

function CreateAccountForm() {
  const form = useResourceForm({
    call: signUp,
    values: { dj_name: typed().dj_name, email: typed().email, password_hash: '' },
    toInput: (values) => values,
    onChange: saveTyped,
    save: async (send, _, { email }) => {
      saveApplicant((await send()).token)
      keepActionFor(email)
    },
    onSaved: () => openDialog('apply'),
  })
  const { dj_name, email } = form.values
  return (
    <Form form={form}>
      <TextInput label={texts.djName} autoComplete="nickname" data-autofocus {...form.field('dj_name')} />
      <TextInput label={texts.email} type="email" autoComplete="username" {...form.field('email')} />
      <NewPassword label={texts.password} words={[dj_name, email]} {...form.field('password_hash')} />
      <Button type="submit" variant="primary" busy={form.isBusy}>
        {texts.createAccount}
      </Button>
      <p className={css.links}>
        <span>
          {rich(texts.alreadyHaveAnAccount, {
            link: (inside) => (
              <DialogLink to="sign-in" className={css.link}>
                {inside}
              </DialogLink>
            ),
          })}
        </span>
      </p>
    </Form>
  )
}
