import { useState } from 'react'
import { openDialog } from '../platform/address.ts'
import { ApiError } from '../platform/api.ts'
import { useSession } from '../platform/session.ts'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import { applicantTokenOf, saveApplicant } from './applicant.ts'
import { returnToSavedPage } from './externalSignIn.ts'
import { ActionNotice, JoiningDialog } from './JoiningDialog.tsx'
import css from './Membership.module.css'
import { SignInForm } from './SignInForm.tsx'
import * as texts from './texts.ts'
import { useSignInReturn } from './useSignInReturn.ts'

/** Only few members need it, and its code has loaded by then. */
const SecondStep = lazyOnDemand(() => import('./SecondStep.tsx').then(({ SecondStep }) => SecondStep))

type Props = { onClose: () => void }

export function SignIn({ onClose }: Props) {
  const ended = useSession((session) => session.ended)
  const [secondStep, setSecondStep] = useState<{ token: string; onDone: () => void }>()
  const [errorMessage, setErrorMessage] = useState<string>()

  /** Some errors lead to another step: returns true if one follows; `onDone` is called at its end. */
  const continueSignIn = (apiError: ApiError, onDone = onClose): boolean => {
    const token = applicantTokenOf(apiError.data)
    if (!token) return false
    if (apiError.code === 'two_factor_required') setSecondStep({ token, onDone })
    else if (apiError.code === 'dj_application_missing') continueApplication(token, apiError.message)
    else return false
    return true
  }
  const restartSignIn = (reason: string | undefined) => {
    setSecondStep(undefined)
    setErrorMessage(reason)
  }
  const goBack = () => void (returnToSavedPage() || onClose())
  const isReturning = useSignInReturn(goBack, (error) => {
    if (error instanceof ApiError && continueSignIn(error, goBack)) return
    setErrorMessage(error.message)
  })

  return (
    <JoiningDialog title={texts.signInTitle} onClose={onClose}>
      <ActionNotice message={texts.signInToContinueAction} />
      {ended && <p className={css.notice}>{texts.youveBeenSignedOutSign}</p>}
      {isReturning ? (
        <p role="status" className={css.hint}>
          {texts.signingIn}
        </p>
      ) : secondStep ? (
        <SecondStep {...secondStep} onExpired={restartSignIn} />
      ) : (
        <SignInForm errorMessage={errorMessage} continueSignIn={continueSignIn} onDone={onClose} />
      )}
    </JoiningDialog>
  )
}

function continueApplication(token: string, reason: string) {
  saveApplicant(token)
  openDialog('apply', { text: reason })
}
