import type { MouseEvent, ReactNode } from 'react'
import { type DialogName, dialogUrl, openDialog } from './address.ts'

type Props = { to: DialogName; className?: string | undefined; look?: 'primary'; children: ReactNode }

const opensNewTab = (event: MouseEvent) => event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0

/** A link that opens a dialog over the current page, in place of an open one. */
export function DialogLink({ to, className, look, children }: Props) {
  const handleClick = (event: MouseEvent) => {
    if (opensNewTab(event)) return
    event.preventDefault()
    openDialog(to)
  }
  return (
    <a href={dialogUrl(to)} className={className} data-look={look} onClick={handleClick}>
      {children}
    </a>
  )
}
