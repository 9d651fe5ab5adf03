import type { MouseEvent, ReactNode } from 'react'
import { addressOfDialog, type DialogName, openDialog } from './address.ts'

type Props = { to: DialogName; className?: string | undefined; children: ReactNode }

const isForAnotherTab = (event: MouseEvent) => event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0

/** A link that opens a dialog over the page on screen, in place of the one that is open. */
export function DialogLink({ to, className, children }: Props) {
  const follow = (event: MouseEvent) => {
    if (isForAnotherTab(event)) return
    event.preventDefault()
    openDialog(to)
  }
  return (
    <a href={addressOfDialog(to)} className={className} onClick={follow}>
      {children}
    </a>
  )
}
