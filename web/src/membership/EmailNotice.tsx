import { account } from '@dubplate/contract'
import { IconMailX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { ask } from '../platform/api.ts'
import { changeProfile, useSession } from '../platform/session.ts'
import { Button } from '../ui/Button.tsx'
import { toast, toastTrouble } from '../ui/toast.ts'
import css from './EmailNotice.module.css'

/** Asks about an email address that mail came back from, until it is confirmed or changed. It can be put off. */
export function EmailNotice() {
  const email = useSession(({ profile }) => profile?.email)
  const [isBusy, setBusy] = useState(false)
  const [isHidden, setHidden] = useState(false)
  if (!email || isHidden) return null
  const confirm = async () => {
    setBusy(true)
    try {
      changeProfile((await ask(account.confirmEmail, {})).profile)
      void toast({ message: `Thank you. We’ll keep using ${email}.` })
    } catch (refused) {
      void toastTrouble('Couldn’t confirm your email', refused)
      setBusy(false)
    }
  }
  return (
    <aside className={css.place} aria-label="Your email address">
      <div className={css.notice}>
        <IconMailX size={20} aria-hidden />
        <p>
          We couldn’t deliver email to <b>{email}</b>. Is this address correct?
        </p>
        <div className={css.actions}>
          <Button onClick={() => setHidden(true)}>Not now</Button>
          <Button busy={isBusy} onClick={() => void confirm()}>
            It’s correct
          </Button>
          <Link to="/account/update" className={css.change}>
            Change email
          </Link>
        </div>
      </div>
    </aside>
  )
}
