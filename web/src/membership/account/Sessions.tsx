import { account, type ReplyOf } from '@dubplate/contract'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { lazy, Suspense, useState } from 'react'
import { ago, useMinute } from '../../platform/ago.ts'
import { ask } from '../../platform/api.ts'
import { Trouble } from '../../platform/errors.tsx'
import { exactDate, shortDate } from '../../platform/format.ts'
import { format } from '../../platform/message.ts'
import { useAsk } from '../../platform/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { toast, toastTrouble } from '../../ui/toast.ts'
import * as texts from '../texts.ts'
import { RowBones } from './Bones.tsx'
import { Part } from './Part.tsx'
import css from './Sessions.module.css'
import { askSessionsAnew } from './sessionList.ts'

const EndOthers = lazy(() => import('./EndOthers.tsx').then(({ EndOthers }) => ({ default: EndOthers })))

type Session = ReplyOf<typeof account.getSessions>['sessions'][number]

/** Ends one session, or all but this one; says what came of it. */
async function endSession(session_id: number | null) {
  try {
    const { ended } = await ask(account.endSession, { session_id })
    void toast({ message: format(texts.sessionsSignedOut, { ended }) })
  } catch (error) {
    void toastTrouble(texts.couldntSignOutTheSession, error)
  }
  // Also after a refusal: what is on screen may have ended elsewhere.
  await askSessionsAnew()
}

/** Where the member is signed in. */
export function Sessions() {
  const { data, error, refetch } = useAsk(account.getSessions, {})
  const [isAsking, setAsking] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const others = (data?.sessions ?? []).filter(({ here }) => !here).length
  const endOthers = async () => {
    setAsking(false)
    setBusy(true)
    await endSession(null)
    setBusy(false)
  }
  return (
    <Part title={texts.activeSessions} about={texts.dontRecogniseOneSignIt}>
      {!data && error && <Trouble error={error} what={texts.yourSessions} retry={() => void refetch()} />}
      {!data && !error && (
        <div aria-busy>
          <RowBones count={2} height_px={60} />
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
            {texts.signOutAllOtherSessions2}
          </Button>
        </div>
      )}
      {isAsking && (
        <Suspense>
          <EndOthers count={others} onEnd={() => void endOthers()} onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </Part>
  )
}

const isPhone = (device: string) => /android|ios|iphone|ipad/i.test(device)

function SessionRow({ session }: { session: Session }) {
  const { device, ip, here, created_at, seen_at } = session
  const now = useMinute()
  const [isBusy, setBusy] = useState(false)
  const end = async () => {
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
          <span title={exactDate(created_at)}>{format(texts.signedIn, { created_at: shortDate(created_at) })}</span> ·{' '}
          <span title={exactDate(seen_at)}>{format(texts.lastActive, { seen_at: ago(seen_at, now) })}</span>
        </p>
      </div>
      {here ? (
        <span className={css.here}>{texts.thisDevice}</span>
      ) : (
        <Button busy={isBusy} aria-label={format(texts.signOut2, { device })} onClick={() => void end()}>
          {texts.signOut}
        </Button>
      )}
    </li>
  )
}
