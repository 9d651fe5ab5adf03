import { newsletter } from '@dubplate/contract'
import { IconMailCheck, IconMailOff, IconMoodSad } from '@tabler/icons-react'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import { ask, isWorthRetrying } from '../platform/api.ts'
import button from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import { toastTrouble } from '../ui/toast.ts'
import { type Answer, askAnew, useAskedOnce } from './askedOnce.ts'

const Onward = () => (
  <Link to="/" className={button.button}>
    Go home
  </Link>
)

/** Opened by the link of the mail that was asked for: from now on the newsletter comes. */
export function NewsletterConfirm() {
  const { token } = useParams({ from: '/newsletter/confirm/$token' })
  const { answer, retry } = useAskedOnce(newsletter.confirmSubscription, token)
  return (
    <Page title="Newsletter">
      {answer.is === 'given' ? (
        <EmptyState icon={<IconMailCheck size={24} />} title="You’re subscribed" action={<Onward />}>
          We’ll send the newsletter to <b>{answer.email}</b>. You can unsubscribe with the link in any issue.
        </EmptyState>
      ) : (
        <Unanswered answer={answer} what="Couldn’t confirm your subscription" retry={retry}>
          Request a new link at the bottom of this page.
        </Unanswered>
      )}
    </Page>
  )
}

/** Opened by the link each newsletter carries: it ends it at once. `?again=1` once that was taken back. */
export function NewsletterLeave() {
  const { again } = useSearch({ from: '/newsletter/leave/$token' })
  return <Page title="Newsletter">{again ? <BackIn /> : <Left />}</Page>
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
      void toastTrouble('Couldn’t resubscribe', error)
      setBusy(false)
    }
  }
  if (answer.is !== 'given')
    return (
      <Unanswered answer={answer} what="Couldn’t unsubscribe" retry={retry}>
        Open the link in the latest newsletter, or change your email settings in your account.
      </Unanswered>
    )
  const actions = (
    <>
      <Button busy={isBusy} onClick={() => void takeBack()}>
        Resubscribe
      </Button>
      <Onward />
    </>
  )
  return (
    <EmptyState icon={<IconMailOff size={24} />} title="You’re unsubscribed" action={actions}>
      We won’t send the newsletter to <b>{answer.email}</b> any more.
    </EmptyState>
  )
}

function BackIn() {
  const { token } = useParams({ from: '/newsletter/leave/$token' })
  const leave = (
    <>
      <Link to="/newsletter/leave/$token" params={{ token }} replace className={button.button}>
        Unsubscribe
      </Link>
      <Onward />
    </>
  )
  return (
    <EmptyState icon={<IconMailCheck size={24} />} title="You’re subscribed again" action={leave}>
      You’ll keep getting the newsletter.
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
      <EmptyState icon={<IconMailCheck size={24} />} title="Loading…">
        <span role="status">Checking your link…</span>
      </EmptyState>
    )
  const { error } = answer
  const mayPass = isWorthRetrying(error)
  const action = mayPass ? (
    <Button look="primary" onClick={retry}>
      Try again
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
