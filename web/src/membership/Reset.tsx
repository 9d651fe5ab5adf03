import { joining } from '@dubplate/contract'
import { resetPassword } from '@dubplate/contract/schemas/joining'
import { schemaResolver } from '@mantine/form'
import { useState } from 'react'
import { format } from '../format/message.ts'
import { openDialog } from '../platform/address.ts'
import { callApi } from '../platform/api.ts'
import { DialogLink } from '../platform/DialogLink.tsx'
import { clearSession, useSession } from '../platform/session.ts'
import { Button } from '../ui/Button.tsx'
import { saveTyped } from './draft.ts'
import { ErrorMessages } from './ErrorMessages.tsx'
import css from './Joining.module.css'
import { JoiningDialog } from './JoiningDialog.tsx'
import { resetLink, saveResetLink } from './mailedLinks.ts'
import { NewPassword } from './NewPassword.tsx'
import { PasswordField } from './PasswordField.tsx'
import * as texts from './texts.ts'
import { useDialogForm } from './useDialogForm.ts'

export function Reset({ onClose }: { onClose: () => void }) {
  const [link] = useState(resetLink)
  return (
    <JoiningDialog title={texts.resetPassword} onClose={onClose}>
      {link ? <ResetForm {...link} /> : <InvalidResetLink />}
    </JoiningDialog>
  )
}

/** Shown when the link itself was not opened in this tab. */
const InvalidResetLink = () => (
  <div className={css.done}>
    <p>{texts.openPasswordLink}</p>
    <DialogLink to="recover" className={css.link}>
      {texts.requestALink}
    </DialogLink>
  </div>
)

function ResetForm({ email, token }: { email: string; token: string }) {
  const [isOver, setOver] = useState(false)
  const {
    form,
    submit,
    isBusy,
    complaints: errorMessages,
  } = useDialogForm({
    initialValues: { password: '', confirm_password: '' },
    validate: (values) => {
      const errors = schemaResolver(resetPassword.input, { sync: true })({ ...values, email, token })
      // Errors of the link itself come from the server: they have no field here.
      return { password: errors.password, confirm_password: errors.confirm_password }
    },
    send: async (values) => {
      setOver(false)
      await callApi(joining.resetPassword, { ...values, email, token })
      finish(email)
    },
    onRejected: ({ status }) => {
      setOver(status === 401)
      return false
    },
  })
  return (
    <form noValidate className={css.form} onSubmit={submit}>
      <ErrorMessages messages={errorMessages}>
        {isOver && (
          <DialogLink to="recover" className={css.link}>
            {texts.requestANewLink}
          </DialogLink>
        )}
      </ErrorMessages>
      <p className={css.hint}>{format(texts.setNewPasswordForEmail, { email })}</p>
      {/* Tells a password manager whose password this is. */}
      <input hidden readOnly type="email" autoComplete="username" value={email} />
      <NewPassword label={texts.password} data-autofocus words={[email]} {...form.getInputProps('password')} />
      <PasswordField
        label={texts.confirmPassword}
        autoComplete="new-password"
        {...form.getInputProps('confirm_password')}
      />
      <Button type="submit" variant="primary" busy={isBusy}>
        {texts.setPassword}
      </Button>
    </form>
  )
}

/** The new password has ended every session of this member, including the one in this browser. */
function finish(email: string) {
  saveResetLink(undefined)
  saveTyped({ email })
  if (useSession.getState().profile?.email.toLowerCase() === email.toLowerCase()) clearSession()
  openDialog('sign-in', { text: texts.passwordChangedSuccessfully })
}
