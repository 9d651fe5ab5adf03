import { type ReactNode, useEffect, useRef } from 'react'
import css from './Membership.module.css'

/** Replaces a completed form. It takes the focus, so that it is read out. */
export function SuccessMessage({ title, children }: { title: string; children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <div className={css.done}>
      <h3 ref={heading} tabIndex={-1} data-autofocus>
        {title}
      </h3>
      {children}
    </div>
  )
}
