import { useState } from 'react'
import { DialogLink } from '../platform/DialogLink.tsx'
import { rich } from '../platform/message.ts'
import { isSignedIn } from '../platform/session.ts'
import { ApplicationForm } from './ApplicationForm.tsx'
import { type Applied, applicant } from './applicant.ts'
import { Done } from './Done.tsx'
import css from './Joining.module.css'
import { JoiningDialog } from './JoiningDialog.tsx'
import { SendAgain } from './SendAgain.tsx'
import * as texts from './texts.ts'
import { WhereMailGoes } from './WhereMailGoes.tsx'

type Props = { onClose: () => void }

export function Apply({ onClose }: Props) {
  const [isKnown, setKnown] = useState(() => applicant() !== undefined)
  const [applied, setApplied] = useState(() => applicant()?.applied)
  return (
    <JoiningDialog title={texts.areYouADj} isDone={applied !== undefined} onClose={onClose}>
      {!isKnown ? (
        <Stranger />
      ) : applied ? (
        <Sent {...applied} />
      ) : (
        <ApplicationForm onSent={setApplied} onOver={() => setKnown(false)} />
      )}
    </JoiningDialog>
  )
}

/** Somebody who came to this address by itself, or whose time for applying has run out. */
function Stranger() {
  if (isSignedIn()) return <p className={css.hint}>{texts.youreAlreadyAMemberNo}</p>
  return (
    <Done title={texts.signInToApply}>
      <p>{texts.youllReturnToYourApplication}</p>
      <p className={css.ways}>
        <DialogLink to="sign-in" className={css.link}>
          {texts.signIn}
        </DialogLink>
        <DialogLink to="create-account" className={css.link}>
          {texts.createAccount}
        </DialogLink>
      </p>
    </Done>
  )
}

/** What happens next. */
function Sent({ email, address_confirmed }: Applied) {
  if (address_confirmed) {
    return (
      <Done title={texts.applicationSubmitted}>
        <p>{rich(texts.yourApplicationIsInReview, { email, b: (inside) => <b>{inside}</b> })}</p>
        <WhereMailGoes />
      </Done>
    )
  }
  return (
    <Done title={texts.almostDoneConfirmYourEmail}>
      <p>{rich(texts.weSentALinkTo, { email, b: (inside) => <b>{inside}</b> })}</p>
      <WhereMailGoes />
      <SendAgain>{texts.resendEmail}</SendAgain>
    </Done>
  )
}
