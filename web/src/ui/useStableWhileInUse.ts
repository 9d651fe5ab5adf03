import { type FocusEvent, useState } from 'react'

/**
 * Keeps a list unchanged while the pointer or the focus is in it, so that a refetch does not move a row under the
 * pointer. The result of another query is shown at once.
 */
export function useStableWhileInUse<T>(latestValue: T, queryName: string) {
  const [isInUse, setInUse] = useState(false)
  const [held, setHeld] = useState({ queryName, value: latestValue })
  const isHeld = isInUse && held.queryName === queryName && held.value !== undefined
  if (!isHeld && (held.queryName !== queryName || held.value !== latestValue))
    setHeld({ queryName, value: latestValue })
  const holdHandlers = {
    onPointerEnter: () => setInUse(true),
    onPointerLeave: () => setInUse(false),
    onFocus: () => setInUse(true),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => currentTarget.contains(relatedTarget) || setInUse(false),
  }
  return { value: isHeld ? held.value : latestValue, holdHandlers }
}
