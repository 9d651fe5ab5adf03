import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import type { Notice as NoticeText } from '../platform/address.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { explainAction, forgetActionWhenClosed } from './actionAfterSignIn.ts'
import { EmailHint } from './EmailHint.tsx'
import css from './Membership.module.css'

type Props = {
  title: string
  /** True once the step is complete: the message about the previous step is then hidden. */
  isDone?: boolean
  onClose: () => void
  children: ReactNode
}

/** One of the dialogs from sign-up to membership: the result of the previous step, then the form of this one. */
export function JoiningDialog({ title, isDone = false, onClose, children }: Props) {
  const notice = useLocation({ select: ({ state }) => state.notice })
  useEffect(() => {
    preloadOtherDialogs()
    return forgetActionWhenClosed
  }, [])
  return (
    <Dialog title={title} onClose={onClose}>
      {notice && !isDone && <Notice {...notice} />}
      {children}
    </Dialog>
  )
}

const Notice = ({ text, isMailed: isEmailSent }: NoticeText) => (
  <div role="status" className={css.notice}>
    <p>{text}</p>
    {isEmailSent && <EmailHint />}
  </div>
)

/** Names the action that the visitor started. */
export function ActionNotice({ message }: { message: Parameters<typeof explainAction>[0] }) {
  const [text] = useState(() => explainAction(message))
  return text && <p className={css.notice}>{text}</p>
}

/** One dialog leads to the next: its code is loaded early, so that it works even if the network fails later. */
function preloadOtherDialogs() {
  const others = [
    import('./SignIn.tsx'),
    import('./SecondStep.tsx'),
    import('./CreateAccount.tsx'),
    import('./Apply.tsx'),
    import('./Recover.tsx'),
  ]
  for (const code of others) code.catch(() => undefined)
}
