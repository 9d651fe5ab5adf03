import { cloud } from '@dubplate/contract'
import { IconCloudOff, IconCloudUp } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { format } from '../format/message.ts'
import { MembersOnly } from '../membership/MembersOnly.tsx'
import { history } from '../platform/address.ts'
import { callApi } from '../platform/api.ts'
import { Page } from '../platform/Page.tsx'
import { useSession } from '../platform/session.ts'
import { refreshReplies } from '../platform/useApiMutation.ts'
import button from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import { toast } from '../ui/toast.ts'
import * as texts from './texts.ts'

export const DropboxReturn = () => <CloudReturn provider="dropbox" />
export const GoogleDriveReturn = () => <CloudReturn provider="google_drive" />

type Props = { provider: cloud.CloudProviderName }

/** Where a provider sends the member back to: completes the connection, or says why it was not made. */
function CloudReturn({ provider }: Props) {
  const signedIn = useSession((session) => session.token !== null)
  const name = cloud.CLOUD_NAMES[provider]
  return (
    <Page title={format(texts.connect, { name })}>
      {signedIn ? (
        <Completion provider={provider} />
      ) : (
        <MembersOnly icon={<IconCloudUp size={24} />}>{texts.signInToConnect}</MembersOnly>
      )}
    </Page>
  )
}

function Completion({ provider }: Props) {
  const [problem, setProblem] = useState<string>()
  const name = cloud.CLOUD_NAMES[provider]
  useEffect(() => {
    let isShown = true
    finishOnce(provider, new URLSearchParams(history.location.search)).then(
      async () => {
        void toast({ message: format(texts.connected, { name }) })
        await refreshReplies([cloud.getConnections])
        if (isShown) history.replace('/account/cloud')
      },
      (error: Error) => isShown && setProblem(error.message),
    )
    return () => {
      isShown = false
    }
  }, [provider, name])
  if (problem === undefined)
    return (
      <p aria-busy aria-live="polite">
        {format(texts.connecting, { name })}
      </p>
    )
  return (
    <EmptyState
      alert
      icon={<IconCloudOff size={24} />}
      title={format(texts.couldntConnect, { name })}
      action={
        <Link to="/account/cloud" className={button.button} data-look="primary">
          {texts.startAgain}
        </Link>
      }
    >
      {problem}
    </EmptyState>
  )
}

/** Codes work once: the page may be rendered twice with the same one. */
const finished = new Map<string, Promise<unknown>>()

async function finishOnce(provider: cloud.CloudProviderName, params: URLSearchParams): Promise<void> {
  const [code, state] = [params.get('code'), params.get('state')]
  // The provider adds `error` instead of a code if the member cancels.
  if (!code || !state) throw new Error(texts.accessNotGiven)
  const finishing = finished.get(code) ?? callApi(cloud.finishConnection, { provider, code, state })
  finished.set(code, finishing)
  await finishing
}
