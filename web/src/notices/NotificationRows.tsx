import type { notices } from '@dubplate/contract'
import {
  IconBookmark,
  IconCreditCard,
  IconMessageCircle,
  IconUpload,
  IconUserCheck,
  type TablerIcon,
} from '@tabler/icons-react'
import type { MouseEvent } from 'react'
import { goTo } from '../platform/address.ts'
import { formatExactDate } from '../platform/format.ts'
import { format } from '../platform/message.ts'
import { formatTimeAgo, useCurrentMinute } from '../platform/timeAgo.ts'
import { markRead } from './markRead.ts'
import css from './NotificationRows.module.css'
import * as texts from './texts.ts'

type Notification = notices.Notice

const KINDS: Record<Notification['kind'], { icon: TablerIcon; name: string }> = {
  reply: { icon: IconMessageCircle, name: texts.helpDesk },
  application: { icon: IconUserCheck, name: texts.application },
  upload: { icon: IconUpload, name: texts.uploads },
  payment: { icon: IconCreditCard, name: texts.payment },
  search: { icon: IconBookmark, name: texts.savedSearch },
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
  return (
    <ul className={css.rows} aria-busy={isStale || undefined}>
      {notices.map((notification) => (
        <NotificationRow key={notification.notification_id} notice={notification} now={now} onOpen={onOpen} />
      ))}
    </ul>
  )
}

const opensNewTab = (event: MouseEvent) => event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0

function NotificationRow({
  notice: notification,
  now,
  onOpen,
}: {
  notice: Notification
  now: Date
  onOpen: (() => void) | undefined
}) {
  const { icon: Icon, name } = KINDS[notification.kind]
  const open = (event: MouseEvent) => {
    if (!notification.is_read) void markRead([notification.notification_id])
    if (opensNewTab(event)) return
    event.preventDefault()
    onOpen?.()
    goTo(notification.address)
  }
  return (
    <li>
      <a
        href={notification.address}
        className={css.row}
        data-unread={!notification.is_read || undefined}
        onClick={open}
      >
        <span className={css.icon} title={name}>
          <Icon size={18} stroke={1.7} aria-hidden />
          <span className="sr">{format(texts.kindOfNotification, { kind: name })}</span>
        </span>
        <span className={css.text} title={notification.text}>
          {notification.text}
        </span>
        {!notification.is_read && <span className="sr"> {texts.unreadMark} </span>}
        <time className="num" dateTime={notification.created_at} title={formatExactDate(notification.created_at)}>
          {formatTimeAgo(notification.created_at, now)}
        </time>
      </a>
    </li>
  )
}

/** Placeholder rows in their real size. */
export const NotificationSkeleton = ({ count }: { count: number }) => (
  <ul className={css.rows} aria-busy aria-label={texts.loadingNotifications}>
    {Array.from({ length: count }, (_, n) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows are all alike
      <li key={n} className={css.row} aria-hidden>
        <i className={css.bone} />
        <i className={css.bone} />
      </li>
    ))}
  </ul>
)
