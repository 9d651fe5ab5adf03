import { type RefObject, useEffect, useState } from 'react'

/** Returns a function that focuses the first field of a form marked as invalid, once the marks are rendered. */
export function useFocusFirstError(form: RefObject<HTMLFormElement | null>) {
  const [attempts, setAttempts] = useState(0)
  useEffect(() => {
    if (attempts === 0) return
    const field = form.current?.querySelector<HTMLElement>('[aria-invalid="true"], fieldset[data-invalid]')
    // Of a group of choices, the focus goes to the chosen one or else the first.
    const choice = field?.querySelector<HTMLElement>('input:checked') ?? field?.querySelector<HTMLElement>('input')
    ;(choice ?? field)?.focus()
  }, [attempts, form])
  return () => setAttempts((n) => n + 1)
}
