import { confirmIdentity } from '@dubplate/contract/schemas/account'
import { TextInput } from '@mantine/core'
import { Form } from '../membership/Form.tsx'
import css from '../membership/Membership.module.css'
import { PasswordField } from '../membership/PasswordField.tsx'
import { useSession } from '../platform/session.ts'
import { useResourceForm } from '../platform/useResourceForm.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import type { Method } from './ConfirmIdentity.tsx'
import * as texts from './texts.ts'

type Props = { method: Method; finish: (isConfirmed: boolean) => void }

/** Asks staff for their password or code again, possibly on top of another dialog. */
export function ConfirmDialog({ method, finish }: Props) {
  const cancel = () => finish(false)
  return (
    <Dialog title={texts.confirmItsYou} onClose={cancel}>
      {method === 'sign_in' ? <SignInAgain onClose={cancel} /> : <ConfirmForm method={method} finish={finish} />}
    </Dialog>
  )
}

function ConfirmForm({ method, finish }: { method: 'password' | 'code'; finish: Props['finish'] }) {
  const email = useSession((session) => session.profile?.email ?? '')
  const form = useResourceForm({
    call: confirmIdentity,
    values: { password: '', code: '' },
    toInput: (values) => ({ [method]: values[method] }),
    validate: (values) =>
      values[method].trim() ? {} : { [method]: method === 'code' ? texts.enterTheCode : texts.enterYourPassword },
    save: async (send) => {
      await send()
      finish(true)
    },
  })
  return (
    <Form form={form}>
      <p className={css.hint}>{method === 'code' ? texts.enterTheCodeFromYour : texts.enterYourPasswordToContinue}</p>
      <input hidden readOnly type="email" autoComplete="username" value={email} />
      {method === 'code' ? (
        <TextInput label={texts.code} autoComplete="one-time-code" data-autofocus {...form.field('code')} />
      ) : (
        <PasswordField
          label={texts.password}
          autoComplete="current-password"
          data-autofocus
          {...form.field('password')}
        />
      )}
      <Button type="submit" variant="primary" busy={form.isBusy}>
        {texts.continueLabel}
      </Button>
    </Form>
  )
}

const SignInAgain = ({ onClose }: { onClose: () => void }) => (
  <div className={css.form}>
    <p>{texts.yourAccountHasNoPassword}</p>
    <Button onClick={onClose}>{texts.close}</Button>
  </div>
)
