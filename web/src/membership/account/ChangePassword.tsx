import '../../styles/mantine-forms.css'
import type { membership } from '@dubplate/contract'
import { changePassword } from '@dubplate/contract/schemas/account'
import { Box, Text } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import { openDialog } from '../../platform/address.ts'
import { renewToken } from '../../platform/session.ts'
import { useResourceForm } from '../../platform/useResourceForm.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Form } from '../Form.tsx'
import { NewPassword } from '../NewPassword.tsx'
import { PasswordField } from '../PasswordField.tsx'
import * as texts from '../texts.ts'
import { AccountPage } from './AccountPage.tsx'
import { Alert } from './Alert.tsx'
import { FieldSkeleton } from './Skeletons.tsx'

export const ChangePassword = () => (
  <AccountPage title={texts.changePasswordTitle} skeleton={<FieldSkeleton count={3} column />}>
    {(profile) => (profile.has_password ? <PasswordForm profile={profile} /> : <NoPassword />)}
  </AccountPage>
)

const EMPTY_FORM = { current_password: '', password: '', confirm_password: '' }

function PasswordForm({ profile }: { profile: membership.Profile }) {
  const [success, setSuccess] = useState('')
  const form = useResourceForm({
    call: changePassword,
    values: EMPTY_FORM,
    toInput: (values) => values,
    save: async (send, setValues) => {
      const { customerSuccess, token } = await send()
      renewToken(token)
      setValues(EMPTY_FORM)
      setSuccess(customerSuccess)
    },
  })
  return (
    <Box maw={380}>
      <Form form={form} label={texts.changePassword}>
        {/* For password managers, which need to know whose password it is. */}
        <input type="hidden" name="username" autoComplete="username" value={profile.email} readOnly />
        <PasswordField
          label={texts.currentPassword}
          autoComplete="current-password"
          {...form.field('current_password')}
        />
        <NewPassword label={texts.newPassword} words={[profile.dj_name, profile.email]} {...form.field('password')} />
        <PasswordField label={texts.confirmPassword} autoComplete="new-password" {...form.field('confirm_password')} />
        <Alert tone="ok">{form.wasSaved && success}</Alert>
        <div>
          <Button type="submit" variant="primary" busy={form.isBusy}>
            {texts.changePassword}
          </Button>
        </div>
        <Text size="sm" lh="inherit" c="var(--text-3)">
          {texts.otherDevicesSignedOut}
        </Text>
      </Form>
    </Box>
  )
}

const NoPassword = () => (
  <EmptyState
    icon={<IconKey size={24} />}
    title={texts.noPasswordYet}
    action={
      <Button variant="primary" onClick={() => openDialog('recover')}>
        {texts.setPassword}
      </Button>
    }
  >
    {texts.youSignInThroughAnother}
  </EmptyState>
)
