import { type FocusEvent, useRef, useState } from 'react'

/**
 * Keeps a list as it is while the pointer or the focus is in it, so that a newer answer to the same question does not
 * move a row away under the hand. Another question is shown at once.
 */
export function useStill<T>(newest: T, question: string) {
  const [isHeld, setHeld] = useState(false)
  const held = useRef({ question, shown: newest })
  const isOwed = held.current.question !== question || held.current.shown === undefined
  if (!isHeld || isOwed) held.current = { question, shown: newest }
  const hold = {
    onPointerEnter: () => setHeld(true),
    onPointerLeave: () => setHeld(false),
    onFocus: () => setHeld(true),
    onBlur: ({ currentTarget, relatedTarget }: FocusEvent) => currentTarget.contains(relatedTarget) || setHeld(false),
  }
  return { shown: held.current.shown, hold }
}
