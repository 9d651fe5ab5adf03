import { joining } from '@dubplate/contract'
import { signUp } from '@dubplate/contract/schemas/joining'
import { TextInput } from '@mantine/core'
import { schemaResolver } from '@mantine/form'
import { rich } from '../format/message.ts'
import { openDialog } from '../platform/address.ts'
import { callApi } from '../platform/api.ts'
import { DialogLink } from '../platform/DialogLink.tsx'
import { Button } from '../ui/Button.tsx'
import { saveApplicant } from './applicant.ts'
import { saveTyped, typed } from './draft.ts'
import { ErrorMessages } from './ErrorMessages.tsx'
import css from './Joining.module.css'
import { JoiningDialog } from './JoiningDialog.tsx'
import { NewPassword } from './NewPassword.tsx'
import * as texts from './texts.ts'
import { useDialogForm } from './useDialogForm.ts'

export const CreateAccount = ({ onClose }: { onClose: () => void }) => (
  <JoiningDialog title={texts.createAnAccount} onClose={onClose}>
    <CreateAccountForm />
  </JoiningDialog>
)

function CreateAccountForm() {
  const {
    form,
    submit,
    isBusy,
    complaints: errorMessages,
  } = useDialogForm({
    initialValues: { dj_name: typed().dj_name, email: typed().email, password_hash: '' },
    validate: schemaResolver(signUp.input, { sync: true }),
    onValuesChange: saveTyped,
    send: async (values) => {
      const { token } = await callApi(joining.signUp, values)
      saveApplicant(token)
      openDialog('apply')
    },
  })
  const { dj_name, email } = form.values
  return (
    <form noValidate className={css.form} onSubmit={submit}>
      <ErrorMessages messages={errorMessages} />
      <TextInput label={texts.djName} autoComplete="nickname" data-autofocus {...form.getInputProps('dj_name')} />
      <TextInput label={texts.email} type="email" autoComplete="username" {...form.getInputProps('email')} />
      <NewPassword label={texts.password} words={[dj_name, email]} {...form.getInputProps('password_hash')} />
      <Button type="submit" variant="primary" busy={isBusy}>
        {texts.createAccount}
      </Button>
      <p className={css.ways}>
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
    </form>
  )
}
