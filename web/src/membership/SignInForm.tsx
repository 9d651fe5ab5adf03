import { site } from '@dubplate/contract'
import { signIn as signInCall } from '@dubplate/contract/schemas/membership'
import { TextInput } from '@mantine/core'
import { schemaResolver } from '@mantine/form'
import { useState } from 'react'
import { format } from '../format/message.ts'
import type { ApiError } from '../platform/api.ts'
import { DialogLink } from '../platform/DialogLink.tsx'
import { useApiQuery } from '../platform/queries.ts'
import buttons from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { applicantTokenOf, saveApplicant } from './applicant.ts'
import { saveTyped, typed } from './draft.ts'
import { EmailHint } from './EmailHint.tsx'
import { ErrorMessages } from './ErrorMessages.tsx'
import { saveReturnPage } from './externalSignIn.ts'
import joining from './Joining.module.css'
import { PasswordField } from './PasswordField.tsx'
import { ResendEmail } from './ResendEmail.tsx'
import css from './SignIn.module.css'
import { signIn } from './signInCalls.ts'
import * as texts from './texts.ts'
import { useDialogForm } from './useDialogForm.ts'

type Props = {
  /** The error of another sign-in method. */
  errorMessage: string | undefined
  /** Returns true if an error leads to another step. */
  continueSignIn: (apiError: ApiError) => boolean
  onDone: () => void
}

export function SignInForm({ errorMessage, continueSignIn, onDone }: Props) {
  const [isUnconfirmed, setUnconfirmed] = useState(false)
  const {
    form,
    submit,
    isBusy,
    complaints: errorMessages,
  } = useDialogForm({
    initialValues: { email: typed().email, password: '' },
    validate: schemaResolver(signInCall.input, { sync: true }),
    onValuesChange: saveTyped,
    send: async (values) => {
      setUnconfirmed(false)
      await signIn(values)
      onDone()
    },
    onRejected: (apiError) => {
      setUnconfirmed(handleUnconfirmed(apiError))
      return continueSignIn(apiError)
    },
  })
  const messages = errorMessages.length > 0 || !errorMessage || isBusy ? errorMessages : [errorMessage]
  return (
    <form noValidate className={joining.form} onSubmit={submit}>
      <ErrorMessages messages={messages}>
        {isUnconfirmed && (
          <>
            <ResendEmail>{texts.resendEmail}</ResendEmail>
            <EmailHint />
          </>
        )}
      </ErrorMessages>
      <TextInput
        label={texts.email}
        type="email"
        autoComplete="username"
        data-autofocus
        {...form.getInputProps('email')}
      />
      <PasswordField label={texts.password} autoComplete="current-password" {...form.getInputProps('password')} />
      <Button type="submit" variant="primary" busy={isBusy}>
        {texts.signIn}
      </Button>
      <OtherSignInMethods />
      <p className={joining.ways}>
        <DialogLink to="create-account" className={joining.link}>
          {texts.createAccount}
        </DialogLink>
        <DialogLink to="recover" className={joining.link}>
          {texts.forgotPassword}
        </DialogLink>
      </p>
      <DemoMembers onPick={(email, password) => form.setValues({ email, password })} />
    </form>
  )
}

/** Handles a sign-in whose email address is not confirmed: the error's token allows sending the email again. */
function handleUnconfirmed({ code, data }: ApiError): boolean {
  const token = applicantTokenOf(data)
  if (code !== 'email_not_verified' || !token) return false
  saveApplicant(token)
  return true
}

/** The operator's own sign-in page. */
function OtherSignInMethods() {
  const { data: pool } = useApiQuery(site.getPool, {})
  if (!pool?.sign_in_elsewhere) return null
  const { name, url } = pool.sign_in_elsewhere
  return (
    <a href={url} className={buttons.button} onClick={saveReturnPage}>
      {format(texts.signInWith, { name })}
    </a>
  )
}

/** In a demo, the sample members are listed, and one click fills in their details. */
function DemoMembers({ onPick }: { onPick: (email: string, password: string) => void }) {
  const { data: pool } = useApiQuery(site.getPool, {})
  if (!pool?.demo_members.length) return null
  return (
    <section className={css.demo} aria-label={texts.demoAccounts}>
      <p>{texts.demoTryOneOfThese}</p>
      <ul>
        {pool.demo_members.map(({ email, password, description }) => (
          <li key={email}>
            <button type="button" onClick={() => onPick(email, password)}>
              <b>{email}</b>
              <small>{description}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  )
}
