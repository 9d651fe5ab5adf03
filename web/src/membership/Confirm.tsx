import { useEffect, useState } from 'react'
import { openDialog } from '../platform/address.ts'
import { OfflineError, RefusalError } from '../platform/api.ts'
import { DialogLink } from '../platform/DialogLink.tsx'
import { rich } from '../platform/message.ts'
import { isSignedIn } from '../platform/session.ts'
import { Button } from '../ui/Button.tsx'
import { becomeApplicant, forgetApplicant } from './applicant.ts'
import { Complaints } from './Complaints.tsx'
import { ConfirmForm } from './ConfirmForm.tsx'
import { confirmOnce } from './confirmOnce.ts'
import { Done } from './Done.tsx'
import { keepTyped } from './draft.ts'
import css from './Joining.module.css'
import { JoiningDialog } from './JoiningDialog.tsx'
import type { Confirmation } from './mailedLinks.ts'
import { loadProfile } from './membership.ts'
import * as texts from './texts.ts'
import { complaintsOf } from './useDialogForm.ts'
import { WhereMailGoes } from './WhereMailGoes.tsx'

const IS_CONFIRMED = texts.yourEmailIsConfirmed

type State =
  | { is: 'asked' }
  | { is: 'password-needed'; email: string }
  | { is: 'confirmed'; answer: Confirmation }
  | { is: 'refused'; error: Error }

/** Opened by the link in a mail: confirms the address it was sent to. */
export function Confirm({ onClose }: { onClose: () => void }) {
  const { state, retry, confirmed, refused } = useConfirmation()
  return (
    <JoiningDialog title={texts.confirmYourEmail} onClose={onClose}>
      {state.is === 'asked' && (
        <p role="status" className={css.hint}>
          {texts.confirmingYourEmail}
        </p>
      )}
      {state.is === 'password-needed' && <ConfirmForm email={state.email} onConfirmed={confirmed} onOver={refused} />}
      {state.is === 'confirmed' && <Confirmed {...state.answer} onClose={onClose} />}
      {state.is === 'refused' && <Refused error={state.error} retry={retry} />}
    </JoiningDialog>
  )
}

function useConfirmation() {
  const [state, setState] = useState<State>({ is: 'asked' })
  const confirmed = (answer: Confirmation) => {
    goOn(answer)
    setState({ is: 'confirmed', answer })
  }
  const refused = (error: Error) => {
    const email = emailAskedFor(error)
    setState(email === undefined ? { is: 'refused', error } : { is: 'password-needed', email })
  }
  const ask = () => {
    setState({ is: 'asked' })
    confirmOnce().then(confirmed, refused)
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: asked once, as the dialog comes up
  useEffect(ask, [])
  return { state, retry: ask, confirmed, refused }
}

/** The address of a sign-up that is confirmed with its password; undefined where another thing is wrong. */
function emailAskedFor(error: Error): string | undefined {
  if (!(error instanceof RefusalError) || error.code !== 'password_required') return undefined
  return (error.data as { email?: string } | null)?.email ?? ''
}

/** Whoever has not applied yet does so now, whoever has is done; a member's profile shows the new address. */
function goOn({ what, email, application, token }: Confirmation) {
  if (what === 'changed') void loadProfile()
  else keepTyped({ email })
  if (application === 'pending') forgetApplicant()
  if (application !== 'missing' || !token) return
  becomeApplicant(token)
  openDialog('apply', { text: IS_CONFIRMED })
}

function Confirmed({ what, email, application, onClose }: Confirmation & { onClose: () => void }) {
  const isMember = isSignedIn()
  return (
    <Done title={IS_CONFIRMED}>
      {what === 'changed' ? (
        <p>{rich(texts.youNowSignInWith, { email, b: (inside) => <b>{inside}</b> })}</p>
      ) : application === 'pending' ? (
        <>
          <p>{rich(texts.yourApplicationIsInReviewWell, { email, b: (inside) => <b>{inside}</b> })}</p>
          <WhereMailGoes />
        </>
      ) : (
        <p>{texts.signInToContinue}</p>
      )}
      <div className={css.actions}>
        {what === 'changed' && !isMember ? (
          <Button look="primary" onClick={() => openDialog('sign-in')}>
            {texts.signIn}
          </Button>
        ) : (
          <Button look="primary" onClick={onClose}>
            {texts.startBrowsing}
          </Button>
        )}
      </div>
    </Done>
  )
}

/** True where the same link may be good a moment later. */
const isPassing = (error: Error) =>
  error instanceof OfflineError || (error instanceof RefusalError && error.status >= 429)

/** A link that has been used or has run out, of which the server says what to do now; or no network. */
const Refused = ({ error, retry }: { error: Error; retry: () => void }) => (
  <div className={css.form}>
    <Complaints sentences={complaintsOf(error)} />
    {isPassing(error) ? (
      <Button look="primary" onClick={retry}>
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
