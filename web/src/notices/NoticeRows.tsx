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
import { ago, useMinute } from '../platform/ago.ts'
import { exactDate } from '../platform/format.ts'
import css from './NoticeRows.module.css'
import { markRead } from './reading.ts'
import * as texts from './texts.ts'

type Notice = notices.Notice

const KINDS: Record<Notice['kind'], { icon: TablerIcon; name: string }> = {
  reply: { icon: IconMessageCircle, name: texts.helpDesk },
  application: { icon: IconUserCheck, name: 'Application' },
  upload: { icon: IconUpload, name: 'Uploads' },
  payment: { icon: IconCreditCard, name: 'Payment' },
  search: { icon: IconBookmark, name: texts.savedSearch },
}

type Props = {
  notices: Notice[]
  /** The next page is on its way. */
  isStale?: boolean
  /** Hears that one was opened. */
  onOpen?: () => void
}

/** What a member was told, each leading to where it happened. */
export function NoticeRows({ notices, isStale = false, onOpen }: Props) {
  const now = useMinute()
  return (
    <ul className={css.rows} aria-busy={isStale || undefined}>
      {notices.map((notice) => (
        <Row key={notice.notice_id} notice={notice} now={now} onOpen={onOpen} />
      ))}
    </ul>
  )
}

const isForAnotherTab = (event: MouseEvent) => event.metaKey || event.ctrlKey || event.shiftKey || event.button !== 0

function Row({ notice, now, onOpen }: { notice: Notice; now: Date; onOpen: (() => void) | undefined }) {
  const { icon: Icon, name } = KINDS[notice.kind]
  const open = (event: MouseEvent) => {
    if (!notice.is_read) void markRead([notice.notice_id])
    if (isForAnotherTab(event)) return
    event.preventDefault()
    onOpen?.()
    goTo(notice.address)
  }
  return (
    <li>
      <a href={notice.address} className={css.row} data-unread={!notice.is_read || undefined} onClick={open}>
        <span className={css.icon} title={name}>
          <Icon size={18} stroke={1.7} aria-hidden />
          <span className="sr">{name}:</span>
        </span>
        <span className={css.text} title={notice.text}>
          {notice.text}
        </span>
        {!notice.is_read && <span className="sr">{texts.unread} </span>}
        <time className="num" dateTime={notice.created_at} title={exactDate(notice.created_at)}>
          {ago(notice.created_at, now)}
        </time>
      </a>
    </li>
  )
}

/** Rows that are on their way, in their size. */
export const NoticeBones = ({ count }: { count: number }) => (
  <ul className={css.rows} aria-busy aria-label={texts.loadingNotifications}>
    {Array.from({ length: count }, (_, n) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
      <li key={n} className={css.row} aria-hidden>
        <i className={css.bone} />
        <i className={css.bone} />
      </li>
    ))}
  </ul>
)
