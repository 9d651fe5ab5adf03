import { type FocusEvent, useRef, useState } from 'react'

/**
 * Keeps a list unchanged while the pointer or the focus is in it, so that a refetch does not move a row under the
 * pointer. The result of another query is shown at once.
 */
export function useStableWhileInUse<T>(latestValue: T, queryName: string) {
  const [isInUse, setInUse] = useState(false)
  const shownRef = useRef({ question: queryName, value: latestValue })
  const mustUpdate = shownRef.current.question !== queryName || shownRef.current.value === undefined
  if (!isInUse || mustUpdate) shownRef.current = { question: queryName, value: latestValue }
  const holdHandlers = {
    onPointerEnter: () => setInUse(true),
    onPointerLeave: () => setInUse(false),
    onFocus: () => setInUse(true),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => currentTarget.contains(relatedTarget) || setInUse(false),
  }
  return { value: shownRef.current.value, holdHandlers }
}
