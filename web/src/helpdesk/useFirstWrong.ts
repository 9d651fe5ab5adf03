import { type RefObject, useEffect, useState } from 'react'

/** Answers with a function that puts the focus on the first field of a form that is marked as wrong, once it is marked. */
export function useFirstWrong(form: RefObject<HTMLFormElement | null>) {
  const [tries, setTries] = useState(0)
  useEffect(() => {
    if (tries > 0) form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [tries, form])
  return () => setTries((n) => n + 1)
}
