import { useEffect, useState } from 'react'
import { openDialog } from '../platform/address.ts'
import { ApiError, OfflineError } from '../platform/api.ts'
import { DialogLink } from '../platform/DialogLink.tsx'
import { rich } from '../platform/message.ts'
import { isSignedIn } from '../platform/session.ts'
import { Button } from '../ui/Button.tsx'
import { clearApplicant, saveApplicant } from './applicant.ts'
import { ConfirmForm } from './ConfirmForm.tsx'
import { confirmOnce } from './confirmOnce.ts'
import { saveTyped } from './draft.ts'
import { EmailHint } from './EmailHint.tsx'
import { ErrorMessages } from './ErrorMessages.tsx'
import css from './Joining.module.css'
import { JoiningDialog } from './JoiningDialog.tsx'
import type { Confirmation } from './mailedLinks.ts'
import { loadProfile } from './membership.ts'
import { SuccessMessage } from './SuccessMessage.tsx'
import * as texts from './texts.ts'
import { errorMessagesOf } from './useDialogForm.ts'

const EMAIL_CONFIRMED_MESSAGE = texts.yourEmailIsConfirmed

type State =
  | { is: 'asked' }
  | { is: 'password-needed'; email: string }
  | { is: 'confirmed'; confirmation: Confirmation }
  | { is: 'refused'; error: Error }

/** Opened by the link in a mail: confirms the address it was sent to. */
export function ConfirmEmail({ onClose }: { onClose: () => void }) {
  const { state, retry, confirmed, refused: confirmFailed } = useConfirmation()
  return (
    <JoiningDialog title={texts.confirmYourEmail} onClose={onClose}>
      {state.is === 'asked' && (
        <p role="status" className={css.hint}>
          {texts.confirmingYourEmail}
        </p>
      )}
      {state.is === 'password-needed' && (
        <ConfirmForm email={state.email} onConfirmed={confirmed} onExpired={confirmFailed} />
      )}
      {state.is === 'confirmed' && <EmailConfirmed {...state.confirmation} onClose={onClose} />}
      {state.is === 'refused' && <ConfirmFailed error={state.error} retry={retry} />}
    </JoiningDialog>
  )
}

function useConfirmation() {
  const [state, setState] = useState<State>({ is: 'asked' })
  const confirmed = (confirmation: Confirmation) => {
    continueAfterConfirm(confirmation)
    setState({ is: 'confirmed', confirmation })
  }
  const confirmFailed = (error: Error) => {
    const email = emailNeedingPassword(error)
    setState(email === undefined ? { is: 'refused', error } : { is: 'password-needed', email })
  }
  const confirmEmail = () => {
    setState({ is: 'asked' })
    confirmOnce().then(confirmed, confirmFailed)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, as the dialog comes up
  useEffect(confirmEmail, [])
  return { state, retry: confirmEmail, confirmed, refused: confirmFailed }
}

/** The address of a sign-up that is confirmed with its password; undefined where another thing is wrong. */
function emailNeedingPassword(error: Error): string | undefined {
  if (!(error instanceof ApiError) || error.code !== 'password_required') return undefined
  return (error.data as { email?: string } | null)?.email ?? ''
}

/** Whoever has not applied yet does so now, whoever has is done; a member's profile shows the new address. */
function continueAfterConfirm({ what, email, application, token }: Confirmation) {
  if (what === 'changed') void loadProfile()
  else saveTyped({ email })
  if (application === 'pending') clearApplicant()
  if (application !== 'missing' || !token) return
  saveApplicant(token)
  openDialog('apply', { text: EMAIL_CONFIRMED_MESSAGE })
}

function EmailConfirmed({ what, email, application, onClose }: Confirmation & { onClose: () => void }) {
  const isMember = isSignedIn()
  return (
    <SuccessMessage title={EMAIL_CONFIRMED_MESSAGE}>
      {what === 'changed' ? (
        <p>{rich(texts.youNowSignInWith, { email, b: (inside) => <b>{inside}</b> })}</p>
      ) : application === 'pending' ? (
        <>
          <p>{rich(texts.yourApplicationIsInReviewWell, { email, b: (inside) => <b>{inside}</b> })}</p>
          <EmailHint />
        </>
      ) : (
        <p>{texts.signInToContinue}</p>
      )}
      <div className={css.actions}>
        {what === 'changed' && !isMember ? (
          <Button variant="primary" onClick={() => openDialog('sign-in')}>
            {texts.signIn}
          </Button>
        ) : (
          <Button variant="primary" onClick={onClose}>
            {texts.startBrowsing}
          </Button>
        )}
      </div>
    </SuccessMessage>
  )
}

/** True where the same link may be good a moment later. */
const isTemporaryError = (error: Error) =>
  error instanceof OfflineError || (error instanceof ApiError && error.status >= 429)

/** A link that has been used or has run out, of which the server says what to do now; or no network. */
const ConfirmFailed = ({ error, retry }: { error: Error; retry: () => void }) => (
  <div className={css.form}>
    <ErrorMessages messages={errorMessagesOf(error)} />
    {isTemporaryError(error) ? (
      <Button variant="primary" onClick={retry}>
        {texts.tryAgain}
      </Button>
    ) : (
      <p className={css.ways}>
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
