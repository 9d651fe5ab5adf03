import { newsletter } from '@dubplate/contract'
import { IconMailCheck, IconMailOff, IconMoodSad } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { rich } from '../format/message.ts'
import { callApi, isWorthRetrying } from '../platform/api.ts'
import { Page } from '../platform/Page.tsx'
import { queryClient } from '../platform/queries.ts'
import { useApiMutation } from '../platform/useApiMutation.ts'
import button from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import * as texts from './texts.ts'

type LinkCall = typeof newsletter.confirmSubscription | typeof newsletter.unsubscribe

const linkKey = (call: LinkCall, token: string) => [call.path, token]

/** Sends the request of an email link once, however often its screen is shown; again only after an error. */
const useEmailLink = (call: LinkCall, token: string) =>
  useQuery({
    queryKey: linkKey(call, token),
    queryFn: (): Promise<{ email: string }> => callApi(call, { token }),
    retry: false,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: Number.POSITIVE_INFINITY,
  })

const ContinueLink = () => (
  <Link to="/" className={button.button}>
    {texts.goHome}
  </Link>
)

/** Opened by the link in the confirmation email: starts the newsletter. */
export function NewsletterConfirm() {
  const { token } = useParams({ from: '/newsletter/confirm/$token' })
  const request = useEmailLink(newsletter.confirmSubscription, token)
  return (
    <Page title={texts.newsletter}>
      {request.data ? (
        <EmptyState icon={<IconMailCheck size={24} />} title={texts.youreSubscribed} action={<ContinueLink />}>
          {rich(texts.newsletterSubscribed, { email: request.data.email, b: (inside) => <b>{inside}</b> })}
        </EmptyState>
      ) : (
        <LinkPending request={request} failed={texts.couldntConfirmYourSubscription}>
          {texts.requestNewLinkBelow}
        </LinkPending>
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
  const request = useEmailLink(newsletter.unsubscribe, token)
  const navigate = useNavigate({ from: '/newsletter/leave/$token' })
  const resubscribing = useApiMutation(newsletter.resubscribe, { errorTitle: texts.couldntResubscribe })
  const resubscribe = () =>
    resubscribing.mutate(
      { token },
      {
        onSuccess: async () => {
          await navigate({ to: '.', search: { again: 1 }, replace: true })
          queryClient.removeQueries({ queryKey: linkKey(newsletter.unsubscribe, token) })
        },
      },
    )
  if (!request.data)
    return (
      <LinkPending request={request} failed={texts.couldntUnsubscribe}>
        {texts.unsubscribeLinkInvalidHint}
      </LinkPending>
    )
  const actions = (
    <>
      <Button busy={resubscribing.isPending} onClick={resubscribe}>
        {texts.resubscribe}
      </Button>
      <ContinueLink />
    </>
  )
  return (
    <EmptyState icon={<IconMailOff size={24} />} title={texts.youreUnsubscribed} action={actions}>
      {rich(texts.weWontSendTheNewsletter, { email: request.data.email, b: (inside) => <b>{inside}</b> })}
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
  request: ReturnType<typeof useEmailLink>
  /** The title if it fails. */
  failed: string
  /** What to do when the link itself is invalid. */
  children: ReactNode
}

/** The request of an email link until it has succeeded. */
function LinkPending({ request: { error, isFetching, refetch }, failed, children }: Props) {
  if (isFetching || !error)
    return (
      <EmptyState icon={<IconMailCheck size={24} />} title={texts.loading}>
        <span role="status">{texts.checkingYourLink}</span>
      </EmptyState>
    )
  const action = isWorthRetrying(error) ? (
    <Button variant="primary" onClick={() => void refetch()}>
      {texts.tryAgain}
    </Button>
  ) : (
    <ContinueLink />
  )
  return (
    <EmptyState alert icon={<IconMoodSad size={24} />} title={failed} action={action}>
      {error.message} {!isWorthRetrying(error) && children}
    </EmptyState>
  )
}
