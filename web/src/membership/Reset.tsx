import { resetPassword } from '@dubplate/contract/schemas/joining'
import { useState } from 'react'
import { format } from '../format/message.ts'
import { openDialog } from '../platform/address.ts'
import { DialogLink } from '../platform/DialogLink.tsx'
import { clearSession, useSession } from '../platform/session.ts'
import { useResourceForm } from '../platform/useResourceForm.ts'
import { Button } from '../ui/Button.tsx'
import { saveTyped } from './draft.ts'
import { Form } from './Form.tsx'
import { JoiningDialog } from './JoiningDialog.tsx'
import css from './Membership.module.css'
import { resetLink, saveResetLink } from './mailedLinks.ts'
import { NewPassword } from './NewPassword.tsx'
import { PasswordField } from './PasswordField.tsx'
import * as texts from './texts.ts'

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
  const [isExpired, setExpired] = useState(false)
  const form = useResourceForm({
    call: resetPassword,
    values: { password: '', confirm_password: '' },
    toInput: (values) => ({ ...values, email, token }),
    onRejected: ({ status }) => {
      setExpired(status === 401)
      return false
    },
    save: async (send) => {
      await send()
      finish(email)
    },
  })
  return (
    <Form
      form={form}
      errorActions={
        isExpired && (
          <DialogLink to="recover" className={css.link}>
            {texts.requestANewLink}
          </DialogLink>
        )
      }
    >
      <p className={css.hint}>{format(texts.setNewPasswordForEmail, { email })}</p>
      {/* Tells a password manager whose password this is. */}
      <input hidden readOnly type="email" autoComplete="username" value={email} />
      <NewPassword label={texts.password} data-autofocus words={[email]} {...form.field('password')} />
      <PasswordField label={texts.confirmPassword} autoComplete="new-password" {...form.field('confirm_password')} />
      <Button type="submit" variant="primary" busy={form.isBusy}>
        {texts.setPassword}
      </Button>
    </Form>
  )
}

/** The new password has ended every session of this member, including the one in this browser. */
function finish(email: string) {
  saveResetLink(undefined)
  saveTyped({ email })
  if (useSession.getState().profile?.email.toLowerCase() === email.toLowerCase()) clearSession()
  openDialog('sign-in', { text: texts.passwordChangedSuccessfully })
}
