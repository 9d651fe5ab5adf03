import { newsletter } from '@dubplate/contract'
import { IconMailCheck, IconMailOff, IconMoodSad } from '@tabler/icons-react'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { rich } from '../format/message.ts'
import { callApi, isWorthRetrying } from '../platform/api.ts'
import { Page } from '../platform/Page.tsx'
import button from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { toastError } from '../ui/toast.ts'
import * as texts from './texts.ts'
import { type Answer, requestAgain, useRequestOnce } from './useRequestOnce.ts'

const ContinueLink = () => (
  <Link to="/" className={button.button}>
    {texts.goHome}
  </Link>
)

/** Opened by the link in the confirmation email: starts the newsletter. */
export function NewsletterConfirm() {
  const { token } = useParams({ from: '/newsletter/confirm/$token' })
  const { answer, retry } = useRequestOnce(newsletter.confirmSubscription, token)
  return (
    <Page title={texts.newsletter}>
      {answer.is === 'done' ? (
        <EmptyState icon={<IconMailCheck size={24} />} title={texts.youreSubscribed} action={<ContinueLink />}>
          {rich(texts.newsletterSubscribed, { email: answer.email, b: (inside) => <b>{inside}</b> })}
        </EmptyState>
      ) : (
        <LinkFailed answer={answer} what={texts.couldntConfirmYourSubscription} retry={retry}>
          {texts.requestNewLinkBelow}
        </LinkFailed>
      )}
    </Page>
  )
}

/** Opened by the unsubscribe link in each newsletter: ends it at once. `?again=1` after that was undone. */
export function NewsletterLeave() {
  const { again } = useSearch({ from: '/newsletter/leave/$token' })
  return <Page title={texts.newsletter}>{again ? <Resubscribed /> : <Unsubscribed />}</Page>
}

function Unsubscribed() {
  const { token } = useParams({ from: '/newsletter/leave/$token' })
  const { answer, retry } = useRequestOnce(newsletter.unsubscribe, token)
  const navigate = useNavigate({ from: '/newsletter/leave/$token' })
  const [isBusy, setBusy] = useState(false)
  const resubscribe = async () => {
    setBusy(true)
    try {
      await callApi(newsletter.resubscribe, { token })
      requestAgain(newsletter.unsubscribe, token)
      await navigate({ to: '.', search: { again: 1 }, replace: true })
    } catch (error) {
      void toastError(texts.couldntResubscribe, error)
      setBusy(false)
    }
  }
  if (answer.is !== 'done')
    return (
      <LinkFailed answer={answer} what={texts.couldntUnsubscribe} retry={retry}>
        {texts.unsubscribeLinkInvalidHint}
      </LinkFailed>
    )
  const actions = (
    <>
      <Button busy={isBusy} onClick={() => void resubscribe()}>
        {texts.resubscribe}
      </Button>
      <ContinueLink />
    </>
  )
  return (
    <EmptyState icon={<IconMailOff size={24} />} title={texts.youreUnsubscribed} action={actions}>
      {rich(texts.weWontSendTheNewsletter, { email: answer.email, b: (inside) => <b>{inside}</b> })}
    </EmptyState>
  )
}

function Resubscribed() {
  const { token } = useParams({ from: '/newsletter/leave/$token' })
  const leaveLink = (
    <>
      <Link to="/newsletter/leave/$token" params={{ token }} replace className={button.button}>
        {texts.unsubscribe}
      </Link>
      <ContinueLink />
    </>
  )
  return (
    <EmptyState icon={<IconMailCheck size={24} />} title={texts.youreSubscribedAgain} action={leaveLink}>
      {texts.youllKeepGettingTheNewsletter}
    </EmptyState>
  )
}

type Props = {
  answer: Exclude<Answer, { is: 'done' }>
  what: string
  retry: () => void
  /** What to do when the link itself is invalid. */
  children: ReactNode
}

function LinkFailed({ answer, what, retry, children }: Props) {
  if (answer.is === 'pending')
    return (
      <EmptyState icon={<IconMailCheck size={24} />} title={texts.loading}>
        <span role="status">{texts.checkingYourLink}</span>
      </EmptyState>
    )
  const { error } = answer
  const isRetryable = isWorthRetrying(error)
  const action = isRetryable ? (
    <Button variant="primary" onClick={retry}>
      {texts.tryAgain}
    </Button>
  ) : (
    <ContinueLink />
  )
  return (
    <EmptyState alert icon={<IconMoodSad size={24} />} title={what} action={action}>
      {error.message} {!isRetryable && children}
    </EmptyState>
  )
}
