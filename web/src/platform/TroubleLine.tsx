import { RefusalError } from './api.ts'
import { format } from './message.ts'
import css from './TroubleLine.module.css'
import * as texts from './texts.ts'

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
      {alert && refusal ? refusal.message : format(texts.couldntLoad, { what })}{' '}
      <button type="button" onClick={retry}>
        {texts.tryAgain}
      </button>
    </p>
  )
}
