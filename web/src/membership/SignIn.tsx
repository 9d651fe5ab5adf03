import { useState } from 'react'
import { openDialog } from '../platform/address.ts'
import { RefusalError } from '../platform/api.ts'
import { useSession } from '../platform/session.ts'
import { late } from '../ui/late.tsx'
import { becomeApplicant, tokenIn } from './applicant.ts'
import { goBackToPlace } from './elsewhere.ts'
import joining from './Joining.module.css'
import { JoiningDialog } from './JoiningDialog.tsx'
import { SignInForm } from './SignInForm.tsx'
import * as texts from './texts.ts'
import { useReturn } from './useReturn.ts'

/** Few need it, and it is there by the time they do. */
const SecondStep = late(() => import('./SecondStep.tsx').then(({ SecondStep }) => SecondStep))

type Props = { onClose: () => void }

export function SignIn({ onClose }: Props) {
  const ended = useSession((session) => session.ended)
  const [secondStep, setSecondStep] = useState<{ token: string; onDone: () => void }>()
  const [trouble, setTrouble] = useState<string>()

  /** Some refusals are a step on the way: true where it goes on elsewhere, `onDone` at the end of it. */
  const goOn = (refusal: RefusalError, onDone = onClose): boolean => {
    const token = tokenIn(refusal.data)
    if (!token) return false
    if (refusal.code === 'two_factor_required') setSecondStep({ token, onDone })
    else if (refusal.code === 'dj_application_missing') startApplying(token, refusal.message)
    else return false
    return true
  }
  const startOver = (why: string | undefined) => {
    setSecondStep(undefined)
    setTrouble(why)
  }
  const goBack = () => void (goBackToPlace() || onClose())
  const isComing = useReturn(goBack, (error) => {
    if (error instanceof RefusalError && goOn(error, goBack)) return
    setTrouble(error.message)
  })

  return (
    <JoiningDialog title={texts.signIn2} onClose={onClose}>
      {ended && <p className={joining.notice}>{texts.youveBeenSignedOutSign}</p>}
      {isComing ? (
        <p role="status" className={joining.hint}>
          {texts.signingIn}
        </p>
      ) : secondStep ? (
        <SecondStep {...secondStep} onOver={startOver} />
      ) : (
        <SignInForm trouble={trouble} goOn={goOn} onDone={onClose} />
      )}
    </JoiningDialog>
  )
}

function startApplying(token: string, why: string) {
  becomeApplicant(token)
  openDialog('apply', { text: why })
}
