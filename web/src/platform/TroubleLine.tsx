import { RefusalError } from './api.ts'
import css from './TroubleLine.module.css'

type Props = {
  error: Error
  /** Its name: 'The spotlights'. */
  what: string
  retry: () => void
  /** Read out at once, in the server's words. */
  alert?: boolean
}

/** Stands in place of a part of a screen that did not load, where the rest of the screen does without it. */
export function TroubleLine({ error, what, retry, alert = false }: Props) {
  const refusal = error instanceof RefusalError ? error : undefined
  // The screen itself says already that one has to sign in.
  if (refusal?.status === 401) return null
  return (
    <p className={css.line} role={alert ? 'alert' : undefined}>
      {alert && refusal ? refusal.message : `Couldn’t load ${what}.`}{' '}
      <button type="button" onClick={retry}>
        Try again
      </button>
    </p>
  )
}
