import { IconCloudOff, IconDisc, IconLock, IconMoodSad, IconRefresh } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { format } from '../format/message.ts'
import css from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ApiError, isWorthRetrying, OfflineError } from './api.ts'
import { Invitation } from './Invitation.tsx'
import { isSignedIn } from './session.ts'
import * as texts from './texts.ts'

const RetryButton = ({ retry }: { retry: () => void }) => (
  <Button onClick={retry}>
    <IconRefresh size={16} aria-hidden />
    {texts.tryAgain}
  </Button>
)

/** True for an error that a visitor can resolve by signing in. */
export const needsSignIn = (error: Error | null) => error instanceof ApiError && error.status === 401 && !isSignedIn()

const isNotFoundError = (error: Error) => error instanceof ApiError && error.status === 404

/** What failed: a whole title, 'Couldn’t load this song', or (in the back office) only the content, 'this song'. */
export type FailedContent = { title: string; subject?: undefined } | { title?: undefined; subject: string }

type Props = FailedContent & { error: Error; retry: () => void }

/** Replaces content that failed to load: the error, and what to do about it. */
export function ErrorState({ error, title, subject, retry }: Props) {
  if (needsSignIn(error)) {
    return (
      <EmptyState icon={<IconLock size={24} />} title={texts.membersOnly} action={<Invitation />}>
        {error.message}
      </EmptyState>
    )
  }
  if (isNotFoundError(error)) {
    const home = (
      <Link to="/" className={css.button}>
        {texts.goHome}
      </Link>
    )
    return (
      <EmptyState icon={<IconDisc size={24} />} title={texts.notFound} action={home}>
        {error.message}
      </EmptyState>
    )
  }
  const icon = error instanceof OfflineError ? <IconCloudOff size={24} /> : <IconMoodSad size={24} />
  const action = isWorthRetrying(error) && <RetryButton retry={retry} />
  return (
    <EmptyState alert icon={icon} title={title ?? format(texts.couldntLoadTitle, { what: subject })} action={action}>
      {error.message}
    </EmptyState>
  )
}

/** Replaces a screen that failed to render, or whose code could not be loaded: the rest of the page still works. */
export function BrokenScreen({ reset }: { reset: () => void }) {
  const reload = (
    <>
      <RetryButton retry={reset} />
      <Button onClick={() => location.reload()}>{texts.reloadPage}</Button>
    </>
  )
  return (
    <EmptyState alert icon={<IconMoodSad size={24} />} title={texts.couldntLoadThisPage} action={reload}>
      {navigator.onLine ? texts.errorOrNewVersion : texts.youreOfflineLoadedPagesStill}
    </EmptyState>
  )
}
