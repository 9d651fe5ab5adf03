import { account } from '@dubplate/contract'
import { TextInput } from '@mantine/core'
import { ask } from '../../platform/api.ts'
import { rich } from '../../platform/message.ts'
import { changeProfile } from '../../platform/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Mantine } from '../../ui/Mantine.tsx'
import { Complaints } from '../Complaints.tsx'
import * as texts from '../texts.ts'
import { useDialogForm } from '../useDialogForm.ts'
import { askSessionsAnew } from './sessionList.ts'
import css from './TwoStep.module.css'
import type { Secret } from './TwoStep.tsx'

type Props = { secret: Secret; onOn: (recoveryCodes: string[]) => void; onCancel: () => void }

/** Shows the secret to the app, and switches on with the first code the app gives. */
export function TwoStepCode({ secret, onOn, onCancel }: Props) {
  const { form, submit, isBusy, complaints } = useDialogForm({
    initialValues: { code: '' },
    validate: ({ code }) => (code.trim() ? {} : { code: texts.enterTheCode }),
    send: async ({ code }) => {
      const { recovery_codes } = await ask(account.confirmTwoStep, { code })
      changeProfile({ two_step: true, two_step_needed: false })
      void askSessionsAnew()
      onOn(recovery_codes)
    },
  })
  return (
    <div className={css.setup}>
      <img
        className={css.qr}
        src={`data:image/svg+xml,${encodeURIComponent(secret.qr_svg)}`}
        alt={texts.qrCodeForYourAuthenticator}
        width={196}
        height={196}
      />
      <div className={css.words}>
        <div className={css.hint}>
          {rich(texts.scanTheQrCodeWith, {
            a: (inside) => <a href={secret.address}>{inside}</a>,
            secret: secret.secret,
            code: (inside) => <code className={css.secret}>{inside}</code>,
          })}
        </div>
        <Mantine>
          <form noValidate className={css.form} onSubmit={submit} aria-label={texts.confirmAuthenticatorApp}>
            <Complaints sentences={complaints} />
            <TextInput
              label={texts.n6DigitCode}
              autoComplete="one-time-code"
              inputMode="numeric"
              maxLength={20}
              autoFocus
              {...form.getInputProps('code')}
            />
            <div className={css.actions}>
              <Button type="submit" look="primary" busy={isBusy}>
                {texts.turnOn}
              </Button>
              <Button onClick={onCancel}>{texts.cancel}</Button>
            </div>
          </form>
        </Mantine>
      </div>
    </div>
  )
}
