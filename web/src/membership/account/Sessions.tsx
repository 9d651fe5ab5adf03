import { account, type ReplyOf } from '@dubplate/contract'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { formatExactDate, formatShortDate } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { callApi } from '../../platform/api.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { formatTimeAgo, useCurrentMinute } from '../../platform/timeAgo.ts'
import { Button } from '../../ui/Button.tsx'
import { toast, toastError } from '../../ui/toast.ts'
import * as texts from '../texts.ts'
import { AccountSection } from './AccountSection.tsx'
import css from './Sessions.module.css'
import { ListRowSkeleton } from './Skeletons.tsx'
import { refetchSessions } from './sessionList.ts'

const EndOtherSessionsDialog = lazy(() =>
  import('./EndOtherSessionsDialog.tsx').then(({ EndOtherSessionsDialog }) => ({ default: EndOtherSessionsDialog })),
)

type Session = ReplyOf<typeof account.getSessions>['sessions'][number]

/** Ends one session, or all but this one; shows the result. */
async function endSession(session_id: number | null) {
  try {
    const { ended } = await callApi(account.endSession, { session_id })
    void toast({ message: format(texts.sessionsSignedOut, { ended }) })
  } catch (error) {
    void toastError(texts.couldntSignOutTheSession, error)
  }
  // Also after an error: sessions on screen may have ended elsewhere.
  await refetchSessions()
}

/** The member's sessions. */
export function Sessions() {
  const { data, error, refetch } = useApiQuery(account.getSessions, {})
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const others = (data?.sessions ?? []).filter(({ here }) => !here).length
  const endOtherSessions = async () => {
    setAsking(false)
    setBusy(true)
    await endSession(null)
    setBusy(false)
  }
  return (
    <AccountSection title={texts.activeSessions} description={texts.unknownSessionHint}>
      {!data && error && (
        <ErrorState error={error} title={texts.couldntLoadYourSessions} retry={() => void refetch()} />
      )}
      {!data && !error && (
        <div aria-busy>
          <ListRowSkeleton count={2} height_px={60} />
        </div>
      )}
      {data && (
        <ul className={css.sessions}>
          {data.sessions.map((session) => (
            <SessionRow key={session.session_id} session={session} />
          ))}
        </ul>
      )}
      {others > 0 && (
        <div>
          <Button busy={isBusy} onClick={() => setAsking(true)}>
            {texts.signOutAllOtherSessions}
          </Button>
        </div>
      )}
      {isAsking && (
        <Suspense>
          <EndOtherSessionsDialog
            count={others}
            onConfirm={() => void endOtherSessions()}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </AccountSection>
  )
}

const isPhone = (device: string) => /android|ios|iphone|ipad/i.test(device)

function SessionRow({ session }: { session: Session }) {
  const { device, ip, here, created_at, seen_at } = session
  const now = useCurrentMinute()
  const [isBusy, setBusy] = useState(false)
  const endThisSession = async () => {
    setBusy(true)
    await endSession(session.session_id)
    setBusy(false)
  }
  const Picture = isPhone(device) ? IconDeviceMobile : IconDeviceDesktop
  return (
    <li className={css.session}>
      <Picture size={22} stroke={1.6} aria-hidden />
      <div>
        <b>{device || texts.unknownDevice}</b>
        <p>
          {ip} ·{' '}
          <span title={formatExactDate(created_at)}>
            {format(texts.signedIn, { created_at: formatShortDate(created_at) })}
          </span>{' '}
          ·{' '}
          <span title={formatExactDate(seen_at)}>
            {format(texts.lastActive, { seen_at: formatTimeAgo(seen_at, now) })}
          </span>
        </p>
      </div>
      {here ? (
        <span className={css.here}>{texts.thisDevice}</span>
      ) : (
        <Button
          busy={isBusy}
          aria-label={format(texts.signOutDeviceLabel, { device })}
          onClick={() => void endThisSession()}
        >
          {texts.signOut}
        </Button>
      )}
    </li>
  )
}
