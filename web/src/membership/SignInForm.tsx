import { site } from '@dubplate/contract'
import { signIn as signInCall } from '@dubplate/contract/schemas/membership'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { format } from '../format/message.ts'
import type { ApiError } from '../platform/api.ts'
import { DialogLink } from '../platform/DialogLink.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { useResourceForm } from '../platform/useResourceForm.ts'
import buttons from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { applicantTokenOf, saveApplicant } from './applicant.ts'
import { saveTyped, typed } from './draft.ts'
import { saveReturnPage } from './externalSignIn.ts'
import { Form } from './Form.tsx'
import css from './Membership.module.css'
import { PasswordField } from './PasswordField.tsx'
import { ResendEmail } from './ResendEmail.tsx'
import { signIn } from './signInCalls.ts'
import * as texts from './texts.ts'

type Props = {
  /** The error of another sign-in method. */
  errorMessage: string | undefined
  /** Returns true if an error leads to another step. */
  continueSignIn: (apiError: ApiError) => boolean
  onDone: () => void
}

export function SignInForm({ errorMessage, continueSignIn, onDone }: Props) {
  const [isUnconfirmed, setUnconfirmed] = useState(false)
  const form = useResourceForm({
    call: signInCall,
    values: { email: typed().email, password: '' },
    toInput: (values) => values,
    onChange: saveTyped,
    onRejected: (error) => {
      setUnconfirmed(handleUnconfirmed(error))
      return continueSignIn(error)
    },
    save: (_, __, values) => signIn(values),
    onSaved: onDone,
  })
  const { element, submit, isBusy } = form
  const messages = form.messages.length > 0 || !errorMessage || isBusy ? form.messages : [errorMessage]
  return (
    <Form
      form={{ element, submit, messages }}
      errorActions={isUnconfirmed && <ResendEmail>{texts.resendEmail}</ResendEmail>}
    >
      <TextInput label={texts.email} type="email" autoComplete="username" data-autofocus {...form.field('email')} />
      <PasswordField label={texts.password} autoComplete="current-password" {...form.field('password')} />
      <Button type="submit" variant="primary" busy={isBusy}>
        {texts.signIn}
      </Button>
      <OtherSignInMethods />
      <DialogLink to="create-account" className={buttons.button} look="primary">
        {texts.createAccount}
      </DialogLink>
      <p className={css.links}>
        <DialogLink to="recover" className={css.link}>
          {texts.forgotPassword}
        </DialogLink>
      </p>
      <DemoMembers onPick={(email, password) => form.setValues({ email, password })} />
    </Form>
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
