import { useState } from 'react'
import { DialogLink } from '../platform/DialogLink.tsx'
import { isSignedIn } from '../platform/session.ts'
import { ApplicationForm } from './ApplicationForm.tsx'
import { type Applied, applicant } from './applicant.ts'
import { Done } from './Done.tsx'
import css from './Joining.module.css'
import { JoiningDialog } from './JoiningDialog.tsx'
import { SendAgain } from './SendAgain.tsx'
import { WhereMailGoes } from './WhereMailGoes.tsx'

type Props = { onClose: () => void }

export function Apply({ onClose }: Props) {
  const [isKnown, setKnown] = useState(() => applicant() !== undefined)
  const [applied, setApplied] = useState(() => applicant()?.applied)
  return (
    <JoiningDialog title="Are you a DJ?" isDone={applied !== undefined} onClose={onClose}>
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
  if (isSignedIn()) return <p className={css.hint}>You’re already a member. No application needed.</p>
  return (
    <Done title="Sign in to apply">
      <p>You’ll return to your application. Your answers are saved.</p>
      <p className={css.ways}>
        <DialogLink to="sign-in" className={css.link}>
          Sign in
        </DialogLink>
        <DialogLink to="create-account" className={css.link}>
          Create account
        </DialogLink>
      </p>
    </Done>
  )
}

/** What happens next. */
function Sent({ email, address_confirmed }: Applied) {
  if (address_confirmed) {
    return (
      <Done title="Application submitted">
        <p>
          Your application is in review. We’ll email you at <b>{email}</b>, and you can sign in once it’s approved.
        </p>
        <WhereMailGoes />
      </Done>
    )
  }
  return (
    <Done title="Almost done: confirm your email">
      <p>
        We sent a link to <b>{email}</b>. Confirm it and we’ll review your application and email you.
      </p>
      <WhereMailGoes />
      <SendAgain>Resend email</SendAgain>
    </Done>
  )
}
