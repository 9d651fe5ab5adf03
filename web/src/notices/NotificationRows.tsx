import type { notices } from '@dubplate/contract'
import {
  IconBell,
  IconBookmark,
  IconCloud,
  IconCreditCard,
  IconMessageCircle,
  IconUpload,
  IconUserCheck,
  type TablerIcon,
} from '@tabler/icons-react'
import type { MouseEvent, ReactNode } from 'react'
import { formatExactDate } from '../format/format.ts'
import { format } from '../format/message.ts'
import { goTo } from '../platform/address.ts'
import { formatTimeAgo, useCurrentMinute } from '../platform/timeAgo.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import css from './Notifications.module.css'
import * as texts from './texts.ts'
import { useMarkRead } from './useMarkRead.ts'

type Notification = notices.Notice

const KINDS: Record<Notification['kind'], { icon: TablerIcon; name: string }> = {
  reply: { icon: IconMessageCircle, name: texts.helpDesk },
  application: { icon: IconUserCheck, name: texts.application },
  upload: { icon: IconUpload, name: texts.uploads },
  payment: { icon: IconCreditCard, name: texts.payment },
  search: { icon: IconBookmark, name: texts.savedSearch },
  cloud: { icon: IconCloud, name: texts.cloudStorage },
}

type Props = {
  notices: Notification[]
  /** True while the next page is loading. */
  isStale?: boolean
  /** Called when a notification is opened. */
  onOpen?: () => void
}

/** Notifications, each with a link to its subject. */
export function NotificationRows({ notices, isStale = false, onOpen }: Props) {
  const now = useCurrentMinute()
  // It may fail silently: the notification is unread again with the next request.
  const markRead = useMarkRead()
  const open = (event: MouseEvent, { notification_id, is_read, address }: Notification) => {
    if (!is_read) markRead({ notification_ids: [notification_id] })
    if (opensNewTab(event)) return
    event.preventDefault()
    onOpen?.()
    goTo(address)
  }
  return (
    <ul aria-busy={isStale || undefined}>
      {notices.map((notification) => (
        <li key={notification.notification_id}>
          <NotificationLink notification={notification} now={now} onClick={(event) => open(event, notification)} />
        </li>
      ))}
    </ul>
  )
}

const opensNewTab = (event: MouseEvent) => event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0

type LinkProps = { notification: Notification; now: Date; onClick: (event: MouseEvent) => void }

function NotificationLink({ notification: { kind, text, address, created_at, is_read }, now, onClick }: LinkProps) {
  const { icon: Icon, name } = KINDS[kind]
  return (
    <a href={address} className={css.row} data-unread={!is_read || undefined} onClick={onClick}>
      <span className={css.icon} title={name}>
        <Icon size={18} stroke={1.7} aria-hidden />
        <span className="sr">{format(texts.kindOfNotification, { kind: name })}</span>
      </span>
      <span className={css.text} title={text}>
        {text}
      </span>
      {!is_read && <span className="sr"> {texts.unreadMark} </span>}
      <time className="num" dateTime={created_at} title={formatExactDate(created_at)}>
        {formatTimeAgo(created_at, now)}
      </time>
    </a>
  )
}

/** Placeholder rows in their real size. */
export const NotificationSkeleton = ({ count }: { count: number }) => (
  <ul aria-busy aria-label={texts.loadingNotifications}>
    {[...Array(count).keys()].map((n) => (
      <li key={n} className={css.row} aria-hidden>
        <i className={css.icon} />
        <i className={css.icon} style={{ width: '100%', height: 13, borderRadius: 'var(--r-sm)' }} />
      </li>
    ))}
  </ul>
)

/** Replaces an empty list of notifications. */
export const NoNotifications = ({ action }: { action?: ReactNode }) => (
  <EmptyState icon={<IconBell size={24} />} title={texts.noNotificationsYet} action={action}>
    {texts.wellTellYouAboutTicket}
  </EmptyState>
)
