import { ApiError } from './api.ts'
import { format } from './message.ts'
import css from './TroubleLine.module.css'
import * as texts from './texts.ts'

type Props = {
  error: Error
  /** Its name: 'The spotlights'. */
  subject: string
  retry: () => void
  /** Read out at once, in the server's words. */
  alert?: boolean
}

/** Stands in place of a part of a screen that did not load, where the rest of the screen does without it. */
export function InlineError({ error, subject, retry, alert = false }: Props) {
  const apiError = error instanceof ApiError ? error : undefined
  // The screen itself says already that one has to sign in.
  if (apiError?.status === 401) return null
  return (
    <p className={css.line} role={alert ? 'alert' : undefined}>
      {alert && apiError ? apiError.message : format(texts.couldntLoad, { what: subject })}{' '}
      <button type="button" onClick={retry}>
        {texts.tryAgain}
      </button>
    </p>
  )
}
