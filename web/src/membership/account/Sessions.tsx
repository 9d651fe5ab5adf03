import { account, type ReplyOf } from '@dubplate/contract'
import { Badge, Group, Text } from '@mantine/core'
import { IconDeviceDesktop, IconDeviceMobile } from '@tabler/icons-react'
import { useState } from 'react'
import { formatExactDate, formatShortDate } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { callApi } from '../../platform/api.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { formatTimeAgo, useCurrentMinute } from '../../platform/timeAgo.ts'
import { Button } from '../../ui/Button.tsx'
import { ConfirmDialog } from '../../ui/ConfirmDialog.tsx'
import { toast, toastError } from '../../ui/toast.ts'
import { useAction } from '../../ui/useAction.ts'
import * as texts from '../texts.ts'
import css from './Account.module.css'
import { AccountSection } from './AccountSection.tsx'
import { ListRowSkeleton } from './Skeletons.tsx'
import { refetchSessions } from './sessionList.ts'

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
  const others = (data?.sessions ?? []).filter(({ here }) => !here).length
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
        <ul>
          {data.sessions.map((session) => (
            <SessionRow key={session.session_id} session={session} />
          ))}
        </ul>
      )}
      {others > 0 && (
        <div>
          <Button onClick={() => setAsking(true)}>{texts.signOutAllOtherSessions}</Button>
        </div>
      )}
      {isAsking && (
        <ConfirmDialog
          title={texts.signOutAllOtherSessionsQuestion}
          what={format(texts.otherSessionsSignedOut, { count: others })}
          confirmLabel={format(texts.signOutSessions, { count: others })}
          isDanger
          onConfirm={() => endSession(null)}
          onClose={() => setAsking(false)}
        />
      )}
    </AccountSection>
  )
}

const isPhone = (device: string) => /android|ios|iphone|ipad/i.test(device)

function SessionRow({ session }: { session: Session }) {
  const { device, ip, here, created_at, seen_at } = session
  const now = useCurrentMinute()
  const [endThisSession, isBusy] = useAction(() => endSession(session.session_id))
  const Picture = isPhone(device) ? IconDeviceMobile : IconDeviceDesktop
  return (
    <Group component="li" className={css.session} gap={14} wrap="nowrap" mih={60} py={10}>
      <Picture size={22} stroke={1.6} color="var(--text-3)" style={{ flex: 'none' }} aria-hidden />
      <div style={{ flex: 1, minWidth: 0, overflowWrap: 'anywhere' }}>
        <Text inherit fw={580}>
          {device || texts.unknownDevice}
        </Text>
        <Text size="sm" lh="inherit" c="var(--text-2)">
          {ip} ·{' '}
          <span title={formatExactDate(created_at)}>
            {format(texts.signedIn, { created_at: formatShortDate(created_at) })}
          </span>{' '}
          ·{' '}
          <span title={formatExactDate(seen_at)}>
            {format(texts.lastActive, { seen_at: formatTimeAgo(seen_at, now) })}
          </span>
        </Text>
      </div>
      {here ? (
        <Badge h={24} fz="xs" fw={650} tt="none" bg="var(--accent-soft)" c="var(--accent-ink)">
          {texts.thisDevice}
        </Badge>
      ) : (
        <Button busy={isBusy} aria-label={format(texts.signOutDeviceLabel, { device })} onClick={endThisSession}>
          {texts.signOut}
        </Button>
      )}
    </Group>
  )
}
