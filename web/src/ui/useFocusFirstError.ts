import { type RefObject, useEffect, useState } from 'react'

/** Returns a function that focuses the first field of a form marked as invalid, once the marks are rendered. */
export function useFocusFirstError(form: RefObject<HTMLFormElement | null>) {
  const [attempts, setAttempts] = useState(0)
  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempts, form])
  return () => setAttempts((n) => n + 1)
}
