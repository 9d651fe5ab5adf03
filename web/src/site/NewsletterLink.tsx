import { newsletter } from '@dubplate/contract'
import { IconMailCheck, IconMailOff, IconMoodSad } from '@tabler/icons-react'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ask, isWorthRetrying } from '../platform/api.ts'
import { rich } from '../platform/message.ts'
import button from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import { toastTrouble } from '../ui/toast.ts'
import { type Answer, askAnew, useAskedOnce } from './askedOnce.ts'
import * as texts from './texts.ts'

const Onward = () => (
  <Link to="/" className={button.button}>
    {texts.goHome}
  </Link>
)

/** Opened by the link of the mail that was asked for: from now on the newsletter comes. */
export function NewsletterConfirm() {
  const { token } = useParams({ from: '/newsletter/confirm/$token' })
  const { answer, retry } = useAskedOnce(newsletter.confirmSubscription, token)
  return (
    <Page title={texts.newsletter}>
      {answer.is === 'given' ? (
        <EmptyState icon={<IconMailCheck size={24} />} title={texts.youreSubscribed} action={<Onward />}>
          {rich(texts.wellSendTheNewsletterTo, { email: answer.email, b: (inside) => <b>{inside}</b> })}
        </EmptyState>
      ) : (
        <Unanswered answer={answer} what={texts.couldntConfirmYourSubscription} retry={retry}>
          {texts.requestANewLinkAt}
        </Unanswered>
      )}
    </Page>
  )
}

/** Opened by the link each newsletter carries: it ends it at once. `?again=1` once that was taken back. */
export function NewsletterLeave() {
  const { again } = useSearch({ from: '/newsletter/leave/$token' })
  return <Page title={texts.newsletter}>{again ? <BackIn /> : <Left />}</Page>
}

function Left() {
  const { token } = useParams({ from: '/newsletter/leave/$token' })
  const { answer, retry } = useAskedOnce(newsletter.unsubscribe, token)
  const navigate = useNavigate({ from: '/newsletter/leave/$token' })
  const [isBusy, setBusy] = useState(false)
  const takeBack = async () => {
    setBusy(true)
    try {
      await ask(newsletter.resubscribe, { token })
      askAnew(newsletter.unsubscribe, token)
      await navigate({ to: '.', search: { again: 1 }, replace: true })
    } catch (error) {
      void toastTrouble(texts.couldntResubscribe, error)
      setBusy(false)
    }
  }
  if (answer.is !== 'given')
    return (
      <Unanswered answer={answer} what={texts.couldntUnsubscribe} retry={retry}>
        {texts.openTheLinkInThe}
      </Unanswered>
    )
  const actions = (
    <>
      <Button busy={isBusy} onClick={() => void takeBack()}>
        {texts.resubscribe}
      </Button>
      <Onward />
    </>
  )
  return (
    <EmptyState icon={<IconMailOff size={24} />} title={texts.youreUnsubscribed} action={actions}>
      {rich(texts.weWontSendTheNewsletter, { email: answer.email, b: (inside) => <b>{inside}</b> })}
    </EmptyState>
  )
}

function BackIn() {
  const { token } = useParams({ from: '/newsletter/leave/$token' })
  const leave = (
    <>
      <Link to="/newsletter/leave/$token" params={{ token }} replace className={button.button}>
        {texts.unsubscribe}
      </Link>
      <Onward />
    </>
  )
  return (
    <EmptyState icon={<IconMailCheck size={24} />} title={texts.youreSubscribedAgain} action={leave}>
      {texts.youllKeepGettingTheNewsletter}
    </EmptyState>
  )
}

type Props = {
  answer: Exclude<Answer, { is: 'given' }>
  what: string
  retry: () => void
  /** What helps where the link itself is no good. */
  children: ReactNode
}

function Unanswered({ answer, what, retry, children }: Props) {
  if (answer.is === 'asked')
    return (
      <EmptyState icon={<IconMailCheck size={24} />} title={texts.loading}>
        <span role="status">{texts.checkingYourLink}</span>
      </EmptyState>
    )
  const { error } = answer
  const mayPass = isWorthRetrying(error)
  const action = mayPass ? (
    <Button look="primary" onClick={retry}>
      {texts.tryAgain}
    </Button>
  ) : (
    <Onward />
  )
  return (
    <EmptyState alert icon={<IconMoodSad size={24} />} title={what} action={action}>
      {error.message} {!mayPass && children}
    </EmptyState>
  )
}
