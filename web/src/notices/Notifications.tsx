import { notices } from '@dubplate/contract'
import { IconBell, IconChecks, IconSettings } from '@tabler/icons-react'
import { Link, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { count } from '../format/format.ts'
import { format } from '../format/message.ts'
import { MembersOnly } from '../membership/MembersOnly.tsx'
import { ErrorState } from '../platform/ErrorState.tsx'
import { Page } from '../platform/Page.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import button from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { NoNotifications, NotificationRows, NotificationSkeleton } from './NotificationRows.tsx'
import css from './Notifications.module.css'
import * as texts from './texts.ts'
import { setUnread } from './unread.ts'
import { useMarkRead } from './useMarkRead.ts'

/** All notifications of a member, newest first. */
export function Notifications() {
  const signedIn = useSession((session) => session.token !== null)
  if (signedIn) return <MemberContent />
  return (
    <Page title={texts.notifications} width="narrow">
      <MembersOnly icon={<IconBell size={24} />}>{texts.signInToSeeUpdates}</MembersOnly>
    </Page>
  )
}

function MemberContent() {
  const { page = 1 } = useSearch({ from: '/notices' })
  const { data, error, isPlaceholderData, isFetching, refetch } = useApiQuery(
    notices.getNotices,
    { page },
    { keepPrevious: true },
  )
  const markRead = useMarkRead({ errorTitle: texts.couldntMarkNotificationsAsRead })
  useEffect(() => {
    if (data && !isFetching) setUnread(data.unread)
  }, [data, isFetching])
  const actions = (
    <>
      <Button disabled={!data?.unread} onClick={() => markRead({})}>
        <IconChecks size={17} aria-hidden />
        {texts.markAllAsRead}
      </Button>
      <Link to="/account/notices" className={button.button}>
        <IconSettings size={17} aria-hidden /> {texts.settings}
      </Link>
    </>
  )
  const note = data && (data.unread > 0 ? format(texts.unreadCount, { unread: count(data.unread) }) : texts.allRead)
  return (
    <Page
      title={texts.notifications}
      note={data?.pagination.totalCount === 0 ? '' : (note ?? '')}
      actions={actions}
      width="narrow"
    >
      <div className={css.page}>
        {error && !data && (
          <ErrorState error={error} title={texts.couldntLoadYourNotifications} retry={() => void refetch()} />
        )}
        {!error && !data && <NotificationSkeleton count={8} />}
        {data?.notices.length === 0 && (page > 1 ? <PageNotFound /> : <NoNotifications action={newReleases} />)}
        {data && data.notices.length > 0 && (
          <>
            <NotificationRows notices={data.notices} isStale={isPlaceholderData} />
            <Pagination pagination={data.pagination} />
          </>
        )}
      </div>
    </Page>
  )
}

const newReleases = (
  <Link to="/newRelease" className={button.button}>
    {texts.seeNewReleases}
  </Link>
)

const PageNotFound = () => (
  <EmptyState
    icon={<IconBell size={24} />}
    title={texts.pageNotFound}
    action={
      <Link to="/notices" className={button.button}>
        {texts.goToFirstPage}
      </Link>
    }
  >
    {texts.noNotificationsOnThisPage}
  </EmptyState>
)
