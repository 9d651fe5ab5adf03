import { type ReactNode, useEffect, useRef } from 'react'
import css from '../Membership.module.css'

type Props = { tone: 'danger' | 'ok' | 'note'; children: ReactNode }

/** A message in a box, read out and scrolled into view when it appears; nothing while it is empty. */
export function Alert({ tone, children }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const isAnnounced = tone !== 'note' && Boolean(children)
  useEffect(() => {
    if (isAnnounced) box.current?.scrollIntoView({ block: 'nearest' })
  }, [isAnnounced])
  return (
    <div ref={box} role={tone === 'danger' ? 'alert' : 'status'} className={css.alert} data-tone={tone}>
      {children}
    </div>
  )
}
