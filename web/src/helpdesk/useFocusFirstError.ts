import { type RefObject, useEffect, useState } from 'react'

/** Answers with a function that puts the focus on the first field of a form that is marked as wrong, once it is marked. */
export function useFocusFirstError(form: RefObject<HTMLFormElement | null>) {
  const [attempts, setAttempts] = useState(0)
  useEffect(() => {
    if (attempts > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempts, form])
  return () => setAttempts((n) => n + 1)
}
