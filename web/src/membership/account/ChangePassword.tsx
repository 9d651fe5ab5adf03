import '../../styles/mantine-forms.css'
import { account, type membership } from '@dubplate/contract'
import { changePassword } from '@dubplate/contract/schemas/account'
import { schemaResolver } from '@mantine/form'
import { IconKey } from '@tabler/icons-react'
import { useState } from 'react'
import { openDialog } from '../../platform/address.ts'
import { callApi } from '../../platform/api.ts'
import { renewToken } from '../../platform/session.ts'
import { Button } from '../../ui/Button.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Mantine } from '../../ui/Mantine.tsx'
import { ErrorMessages } from '../ErrorMessages.tsx'
import { NewPassword } from '../NewPassword.tsx'
import { PasswordField } from '../PasswordField.tsx'
import * as texts from '../texts.ts'
import { useDialogForm } from '../useDialogForm.ts'
import { AccountPage } from './AccountPage.tsx'
import { Alert } from './Alert.tsx'
import css from './ChangePassword.module.css'
import { FieldSkeleton } from './Skeletons.tsx'

export const ChangePassword = () => (
  <AccountPage title={texts.changePasswordTitle} skeleton={<FieldSkeleton count={3} column />}>
    {(profile) => (profile.has_password ? <PasswordForm profile={profile} /> : <NoPassword />)}
  </AccountPage>
)

const EMPTY_FORM = { current_password: '', password: '', confirm_password: '' }

function PasswordForm({ profile }: { profile: membership.Profile }) {
  const [success, setSuccess] = useState('')
  const {
    form,
    submit,
    isBusy,
    complaints: errorMessages,
  } = useDialogForm({
    initialValues: EMPTY_FORM,
    validate: schemaResolver(changePassword.input, { sync: true }),
    send: async (typed) => {
      setSuccess('')
      const { customerSuccess, token } = await callApi(account.changePassword, typed)
      renewToken(token)
      form.reset()
      setSuccess(customerSuccess)
    },
  })
  return (
    <Mantine>
      <form noValidate className={css.form} onSubmit={submit} aria-label={texts.changePassword}>
        {/* For password managers, which need to know whose password it is. */}
        <input type="hidden" name="username" autoComplete="username" value={profile.email} readOnly />
        <ErrorMessages messages={errorMessages} />
        <PasswordField
          label={texts.currentPassword}
          autoComplete="current-password"
          {...form.getInputProps('current_password')}
        />
        <NewPassword
          label={texts.newPassword}
          words={[profile.dj_name, profile.email]}
          {...form.getInputProps('password')}
        />
        <PasswordField
          label={texts.confirmPassword}
          autoComplete="new-password"
          {...form.getInputProps('confirm_password')}
        />
        <Alert tone="ok">{success}</Alert>
        <div>
          <Button type="submit" variant="primary" busy={isBusy}>
            {texts.changePassword}
          </Button>
        </div>
        <p className={css.hint}>{texts.otherDevicesSignedOut}</p>
      </form>
    </Mantine>
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
