import { confirmTwoStep } from '@dubplate/contract/schemas/account'
import { Box, Group, Stack, Text, TextInput } from '@mantine/core'
import { rich } from '../../format/message.ts'
import { changeProfile } from '../../platform/session.ts'
import { useResourceForm } from '../../platform/useResourceForm.ts'
import { Button } from '../../ui/Button.tsx'
import { Form } from '../Form.tsx'
import * as texts from '../texts.ts'
import css from './Account.module.css'
import { refetchSessions } from './sessionList.ts'
import type { Secret } from './TwoStep.tsx'

type Props = { secret: Secret; onEnabled: (recoveryCodes: string[]) => void; onCancel: () => void }

/** Shows the secret for the app, and enables two-factor authentication with the first code from it. */
export function TwoStepCode({ secret, onEnabled, onCancel }: Props) {
  const form = useResourceForm({
    call: confirmTwoStep,
    values: { code: '' },
    toInput: (values) => values,
    save: async (send) => {
      const { recovery_codes } = await send()
      changeProfile({ has_two_factor: true, two_factor_required: false })
      void refetchSessions()
      onEnabled(recovery_codes)
    },
  })
  return (
    <Group gap={24} align="flex-start">
      <img
        className={css.qr}
        src={`data:image/svg+xml,${encodeURIComponent(secret.qr_svg)}`}
        alt={texts.qrCodeForYourAuthenticator}
        width={196}
        height={196}
      />
      <Stack gap="lg" flex="1 1 260px">
        <Text component="div" c="var(--text-2)">
          {rich(texts.scanQrCode, {
            a: (inside) => <a href={secret.address}>{inside}</a>,
            secret: secret.secret,
            code: (inside) => (
              <Text component="code" display="block" mt={4} className={css.code}>
                {inside}
              </Text>
            ),
          })}
        </Text>
        <Box maw={240}>
          <Form form={form} label={texts.confirmAuthenticatorApp}>
            <TextInput
              label={texts.n6DigitCode}
              autoComplete="one-time-code"
              inputMode="numeric"
              maxLength={20}
              autoFocus
              {...form.field('code')}
            />
            <Group gap="sm">
              <Button type="submit" variant="primary" busy={form.isBusy}>
                {texts.turnOn}
              </Button>
              <Button onClick={onCancel}>{texts.cancel}</Button>
            </Group>
          </Form>
        </Box>
      </Stack>
    </Group>
  )
}
