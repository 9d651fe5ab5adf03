import { useLocation } from '@tanstack/react-router'
import { type ReactNode, useEffect } from 'react'
import type { Notice as NoticeText } from '../platform/address.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { EmailHint } from './EmailHint.tsx'
import css from './Joining.module.css'

type Props = {
  title: string
  /** What is done here is done: what led here is no longer of interest. */
  isDone?: boolean
  onClose: () => void
  children: ReactNode
}

/** One of the dialogs that lead from a visitor to a member: what was done before it, then what is asked. */
export function JoiningDialog({ title, isDone = false, onClose, children }: Props) {
  const notice = useLocation({ select: ({ state }) => state.notice })
  useEffect(preloadOtherDialogs, [])
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

/** One dialog leads to the next: its code is there by then, even if the network goes meanwhile. */
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
