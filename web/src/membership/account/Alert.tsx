import { type ReactNode, useEffect, useRef } from 'react'
import css from './Alert.module.css'

type Props = { tone: 'danger' | 'ok' | 'note'; children: ReactNode }

/** A sentence in a box, read out when it comes, and brought into view; nothing where there is nothing to say. */
export function Alert({ tone, children }: Props) {
  const box = useRef<HTMLDivElement>(null)
  const isAnswer = tone !== 'note' && Boolean(children)
  useEffect(() => {
    if (isAnswer) box.current?.scrollIntoView({ block: 'nearest' })
  }, [isAnswer])
  return (
    <div
      ref={box}
      role={tone === 'danger' ? 'alert' : 'status'}
      className={children ? css.alert : undefined}
      data-tone={tone}
    >
      {children}
    </div>
  )
}
