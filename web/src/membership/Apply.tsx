import { site } from '@dubplate/contract'
import { useState } from 'react'
import { rich } from '../format/message.ts'
import { DialogLink } from '../platform/DialogLink.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { isSignedIn } from '../platform/session.ts'
import { ApplicationForm } from './ApplicationForm.tsx'
import { type AppliedReply, applicant } from './applicant.ts'
import { JoiningDialog } from './JoiningDialog.tsx'
import css from './Membership.module.css'
import { ResendEmail } from './ResendEmail.tsx'
import { SuccessMessage } from './SuccessMessage.tsx'
import * as texts from './texts.ts'

type Props = { onClose: () => void }

export function Apply({ onClose }: Props) {
  const [isKnown, setKnown] = useState(() => applicant() !== undefined)
  const [applied, setApplied] = useState(() => applicant()?.applied)
  return (
    <JoiningDialog title={texts.areYouADj} isDone={applied !== undefined} onClose={onClose}>
      {!isKnown ? (
        <ApplyWithoutAccount />
      ) : applied ? (
        <ApplicationSent {...applied} />
      ) : (
        <ApplicationForm onSent={setApplied} onExpired={() => setKnown(false)} />
      )}
    </JoiningDialog>
  )
}

/** For visitors who opened this URL directly, or whose time to apply has expired. */
function ApplyWithoutAccount() {
  if (isSignedIn()) return <p className={css.hint}>{texts.youreAlreadyAMemberNo}</p>
  return (
    <SuccessMessage title={texts.signInToApply}>
      <p>{texts.youllReturnToYourApplication}</p>
      <p className={css.links}>
        <DialogLink to="sign-in" className={css.link}>
          {texts.signIn}
        </DialogLink>
        <DialogLink to="create-account" className={css.link}>
          {texts.createAccount}
        </DialogLink>
      </p>
    </SuccessMessage>
  )
}

/** Explains what happens next. */
function ApplicationSent({ email, address_confirmed }: AppliedReply) {
  const { data: pool } = useApiQuery(site.getPool, {})
  if (address_confirmed) {
    return (
      <SuccessMessage title={texts.applicationSubmitted}>
        <p>
          {pool?.can_send_email === false
            ? texts.staffReadYourApplication
            : rich(texts.yourApplicationIsInReview, { email, b: (inside) => <b>{inside}</b> })}
        </p>
      </SuccessMessage>
    )
  }
  return (
    <SuccessMessage title={texts.almostDoneConfirmYourEmail}>
      <p>{rich(texts.confirmationLinkSent, { email, b: (inside) => <b>{inside}</b> })}</p>
      <ResendEmail>{texts.resendEmail}</ResendEmail>
    </SuccessMessage>
  )
}
