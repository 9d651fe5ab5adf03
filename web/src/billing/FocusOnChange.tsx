import { type ReactNode, useEffect, useRef } from 'react'

/** Takes the focus each time there is a message, so that it is visible and read out. */
export function FocusOnChange({ when, children }: { when: readonly string[]; children: ReactNode }) {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (when.length > 0) box.current?.focus()
  }, [when])
  return (
    <div ref={box} tabIndex={-1} hidden={when.length === 0}>
      {children}
    </div>
  )
}
