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
  if (isSignedIn()) return <p className={css.hint}>You are a member already: there is nothing to apply for.</p>
  return (
    <Done title="Sign in first">
      <p>Your application comes up then. What you typed is kept.</p>
      <p className={css.ways}>
        <DialogLink to="sign-in" className={css.link}>
          Sign in
        </DialogLink>
        <DialogLink to="create-account" className={css.link}>
          Create an account
        </DialogLink>
      </p>
    </Done>
  )
}

/** What happens next. */
function Sent({ email, address_confirmed }: Applied) {
  if (address_confirmed) {
    return (
      <Done title="Thank you, your application is sent">
        <p>
          Our staff read it now. A mail to <b>{email}</b> tells you how it went; then you can sign in.
        </p>
        <WhereMailGoes />
      </Done>
    )
  }
  return (
    <Done title="Thank you, your application is kept">
      <p>
        Now open the link in the mail to <b>{email}</b>: it shows that the address is yours. Then our staff read your
        application, and a mail tells you how it went.
      </p>
      <WhereMailGoes />
      <SendAgain>Send it again</SendAgain>
    </Done>
  )
}
