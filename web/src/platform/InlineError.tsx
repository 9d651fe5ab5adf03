import { format } from '../format/message.ts'
import { ApiError } from './api.ts'
import type { FailedContent } from './ErrorState.tsx'
import css from './InlineError.module.css'
import * as texts from './texts.ts'

type Props = FailedContent & {
  error: Error
  retry: () => void
  /** Read out at once, in the server's words. */
  alert?: boolean
}

/** Replaces a part of a screen that failed to load, when the rest works without it. */
export function InlineError({ error, title, subject, retry, alert = false }: Props) {
  const apiError = error instanceof ApiError ? error : undefined
  // The screen itself already asks the visitor to sign in.
  if (apiError?.status === 401) return null
  return (
    <p className={css.line} role={alert ? 'alert' : undefined}>
      {alert && apiError ? apiError.message : (title ?? format(texts.couldntLoad, { what: subject }))}{' '}
      <button type="button" onClick={retry}>
        {texts.tryAgain}
      </button>
    </p>
  )
}
