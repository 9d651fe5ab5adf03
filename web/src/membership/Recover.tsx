import { joining } from '@dubplate/contract'
import { forgetPassword } from '@dubplate/contract/schemas/joining'
import { TextInput } from '@mantine/core'
import { schemaResolver } from '@mantine/form'
import { openDialog } from '../platform/address.ts'
import { callApi } from '../platform/api.ts'
import { DialogLink } from '../platform/DialogLink.tsx'
import { Button } from '../ui/Button.tsx'
import { saveTyped, typed } from './draft.ts'
import { ErrorMessages } from './ErrorMessages.tsx'
import css from './Joining.module.css'
import { JoiningDialog } from './JoiningDialog.tsx'
import * as texts from './texts.ts'
import { useDialogForm } from './useDialogForm.ts'

export const Recover = ({ onClose }: { onClose: () => void }) => (
  <JoiningDialog title={texts.recoverPassword} onClose={onClose}>
    <RecoverForm />
  </JoiningDialog>
)

function RecoverForm() {
  const {
    form,
    submit,
    isBusy,
    complaints: errorMessages,
  } = useDialogForm({
    initialValues: { email: typed().email },
    validate: schemaResolver(forgetPassword.input, { sync: true }),
    onValuesChange: saveTyped,
    send: async (values) => {
      await callApi(joining.forgetPassword, values)
      openDialog('sign-in', { text: texts.checkEmailToResetPassword, isMailed: true })
    },
  })
  return (
    <form noValidate className={css.form} onSubmit={submit}>
      <ErrorMessages messages={errorMessages} />
      <p className={css.hint}>{texts.enterYourAccountEmailWell}</p>
      <TextInput
        label={texts.email}
        type="email"
        autoComplete="username"
        data-autofocus
        {...form.getInputProps('email')}
      />
      <Button type="submit" variant="primary" busy={isBusy}>
        {texts.sendLink}
      </Button>
      <p className={css.ways}>
        <DialogLink to="sign-in" className={css.link}>
          {texts.backToSignIn}
        </DialogLink>
      </p>
    </form>
  )
}
