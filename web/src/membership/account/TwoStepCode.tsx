import { account } from '@dubplate/contract'
import { TextInput } from '@mantine/core'
import { rich } from '../../format/message.ts'
import { callApi } from '../../platform/api.ts'
import { changeProfile } from '../../platform/session.ts'
import { Button } from '../../ui/Button.tsx'
import { Mantine } from '../../ui/Mantine.tsx'
import { ErrorMessages } from '../ErrorMessages.tsx'
import * as texts from '../texts.ts'
import { useDialogForm } from '../useDialogForm.ts'
import { refetchSessions } from './sessionList.ts'
import css from './TwoStep.module.css'
import type { Secret } from './TwoStep.tsx'

type Props = { secret: Secret; onEnabled: (recoveryCodes: string[]) => void; onCancel: () => void }

/** Shows the secret for the app, and enables two-factor authentication with the first code from it. */
export function TwoStepCode({ secret, onEnabled, onCancel }: Props) {
  const {
    form,
    submit,
    isBusy,
    complaints: errorMessages,
  } = useDialogForm({
    initialValues: { code: '' },
    validate: ({ code }) => (code.trim() ? {} : { code: texts.enterTheCode }),
    send: async ({ code }) => {
      const { recovery_codes } = await callApi(account.confirmTwoStep, { code })
      changeProfile({ has_two_factor: true, two_factor_required: false })
      void refetchSessions()
      onEnabled(recovery_codes)
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
          {rich(texts.scanQrCode, {
            a: (inside) => <a href={secret.address}>{inside}</a>,
            secret: secret.secret,
            code: (inside) => <code className={css.secret}>{inside}</code>,
          })}
        </div>
        <Mantine>
          <form noValidate className={css.form} onSubmit={submit} aria-label={texts.confirmAuthenticatorApp}>
            <ErrorMessages messages={errorMessages} />
            <TextInput
              label={texts.n6DigitCode}
              autoComplete="one-time-code"
              inputMode="numeric"
              maxLength={20}
              autoFocus
              {...form.getInputProps('code')}
            />
            <div className={css.actions}>
              <Button type="submit" variant="primary" busy={isBusy}>
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
