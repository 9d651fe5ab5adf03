import { confirmAddress } from '@dubplate/contract/schemas/joining'
import { TextInput } from '@mantine/core'
import { useEffect, useEffectEvent, useState } from 'react'
import { rich } from '../format/message.ts'
import { openDialog } from '../platform/address.ts'
import { ApiError, OfflineError } from '../platform/api.ts'
import { DialogLink } from '../platform/DialogLink.tsx'
import { isSignedIn } from '../platform/session.ts'
import { messagesOf, useResourceForm } from '../platform/useResourceForm.ts'
import { Button } from '../ui/Button.tsx'
import { clearApplicant, saveApplicant } from './applicant.ts'
import { confirmOnce, confirmWith } from './confirmOnce.ts'
import { saveTyped } from './draft.ts'
import { ErrorMessages } from './ErrorMessages.tsx'
import { Form } from './Form.tsx'
import { JoiningDialog } from './JoiningDialog.tsx'
import css from './Membership.module.css'
import { type Confirmation, confirmLink } from './mailedLinks.ts'
import { loadProfile } from './membership.ts'
import { PasswordField } from './PasswordField.tsx'
import { SuccessMessage } from './SuccessMessage.tsx'
import * as texts from './texts.ts'

const EMAIL_CONFIRMED_MESSAGE = texts.yourEmailIsConfirmed

type State =
  | { is: 'pending' }
  | { is: 'password-needed'; email: string }
  | { is: 'confirmed'; confirmation: Confirmation }
  | { is: 'failed'; error: Error }

/** Opened by a link in an email: confirms the address the email was sent to. */
export function ConfirmEmail({ onClose }: { onClose: () => void }) {
  const { state, retry, confirmed, confirmFailed: handleFailure } = useConfirmation()
  return (
    <JoiningDialog title={texts.confirmYourEmail} onClose={onClose}>
      {state.is === 'pending' && (
        <p role="status" className={css.hint}>
          {texts.confirmingYourEmail}
        </p>
      )}
      {state.is === 'password-needed' && (
        <ConfirmForm email={state.email} onConfirmed={confirmed} onExpired={handleFailure} />
      )}
      {state.is === 'confirmed' && <EmailConfirmed {...state.confirmation} onClose={onClose} />}
      {state.is === 'failed' && <ConfirmFailed error={state.error} retry={retry} />}
    </JoiningDialog>
  )
}

function useConfirmation() {
  const [state, setState] = useState<State>({ is: 'pending' })
  const confirmed = (confirmation: Confirmation) => {
    continueAfterConfirm(confirmation)
    setState({ is: 'confirmed', confirmation })
  }
  const handleFailure = (error: Error) => {
    const email = emailNeedingPassword(error)
    setState(email === undefined ? { is: 'failed', error } : { is: 'password-needed', email })
  }
  const confirmEmail = useEffectEvent(() => void confirmOnce().then(confirmed, handleFailure))
  useEffect(() => confirmEmail(), [])
  const retry = () => {
    setState({ is: 'pending' })
    confirmOnce().then(confirmed, handleFailure)
  }
  return { state, retry, confirmed, confirmFailed: handleFailure }
}

/** The email address of a sign-up that needs its password to be confirmed; undefined for any other error. */
function emailNeedingPassword(error: Error): string | undefined {
  if (!(error instanceof ApiError) || error.code !== 'password_required') return undefined
  return (error.data as { email?: string } | null)?.email ?? ''
}

/**
 * Continues with the application if there is none yet; otherwise shows that it is done. A member's profile shows the
 * new address.
 */
function continueAfterConfirm({ kind, email, application, token }: Confirmation) {
  if (kind === 'changed') void loadProfile()
  else saveTyped({ email })
  if (application === 'pending') clearApplicant()
  if (application !== 'missing' || !token) return
  saveApplicant(token)
  openDialog('apply', { text: EMAIL_CONFIRMED_MESSAGE })
}

function EmailConfirmed({ kind, email, application, onClose }: Confirmation & { onClose: () => void }) {
  const isMember = isSignedIn()
  return (
    <SuccessMessage title={EMAIL_CONFIRMED_MESSAGE}>
      {kind === 'changed' ? (
        <p>{rich(texts.emailChangeConfirmed, { email, b: (inside) => <b>{inside}</b> })}</p>
      ) : application === 'pending' ? (
        <p>{rich(texts.yourApplicationIsInReviewWell, { email, b: (inside) => <b>{inside}</b> })}</p>
      ) : (
        <p>{texts.signInToContinue}</p>
      )}
      {kind === 'changed' && !isMember ? (
        <Button variant="primary" onClick={() => openDialog('sign-in')}>
          {texts.signIn}
        </Button>
      ) : (
        <Button variant="primary" onClick={onClose}>
          {texts.startBrowsing}
        </Button>
      )}
    </SuccessMessage>
  )
}

/** True if the same link may work a moment later. */
const isTemporaryError = (error: Error) =>
  error instanceof OfflineError || (error instanceof ApiError && error.status >= 429)

/** The error for a link that has been used or has expired, in the server's words; or for a missing connection. */
const ConfirmFailed = ({ error, retry }: { error: Error; retry: () => void }) => (
  <div className={css.form}>
    <ErrorMessages messages={messagesOf(error)} />
    {isTemporaryError(error) ? (
      <Button variant="primary" onClick={retry}>
        {texts.tryAgain}
      </Button>
    ) : (
      <p className={css.links}>
        <DialogLink to="sign-in" className={css.link}>
          {texts.signIn}
        </DialogLink>
        <DialogLink to="recover" className={css.link}>
          {texts.forgotPassword}
        </DialogLink>
        <DialogLink to="create-account" className={css.link}>
          {texts.createAccount}
        </DialogLink>
      </p>
    )}
  </div>
)

type Props = {
  email: string
  onConfirmed: (confirmation: Confirmation) => void
  /** Called when the link is no longer valid. */
  onExpired: (reason: Error) => void
}

/**
 * Anyone can sign up with someone else's address: the password proves that the person who opened the link signed up.
 */
function ConfirmForm({ email, onConfirmed, onExpired }: Props) {
  const form = useResourceForm({
    call: confirmAddress,
    values: { password: '' },
    toInput: ({ password }) => ({ token: confirmLink()?.token ?? '', password }),
    validate: ({ password }) => (password ? {} : { password: texts.passwordCannotBeBlank }),
    onRejected: (error) => {
      const isExpired = error.code === 'link_expired' || error.code === 'email_taken'
      if (isExpired) onExpired(error)
      return isExpired
    },
    save: (_, __, { password }) => confirmWith(password),
    onSaved: onConfirmed,
  })
  return (
    <Form form={form}>
      <p className={css.hint}>{texts.enterThePasswordYouChose}</p>
      <TextInput label={texts.email} type="email" autoComplete="username" readOnly value={email} />
      <PasswordField label={texts.password} autoComplete="current-password" autoFocus {...form.field('password')} />
      <Button type="submit" variant="primary" busy={form.isBusy}>
        {texts.confirmEmail}
      </Button>
      <p className={css.links}>
        <DialogLink to="create-account" className={css.link}>
          {texts.signUpAgain}
        </DialogLink>
      </p>
    </Form>
  )
}
