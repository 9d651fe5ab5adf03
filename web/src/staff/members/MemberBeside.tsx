import type { members, ReplyOf } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { formatExactDate, formatShortDate } from '../../platform/format.ts'
import { format } from '../../platform/message.ts'
import { formatTimeAgo, useCurrentMinute } from '../../platform/timeAgo.ts'
import { Part } from './MemberPart.tsx'
import css from './MemberView.module.css'
import * as texts from './texts.ts'

type Shown = ReplyOf<typeof members.getMember>

/** Where a member is signed in. */
export function Sessions({ sessions }: { sessions: Shown['sessions'] }) {
  const now = useCurrentMinute()
  return (
    <Part title={texts.activeSessions}>
      {sessions.length === 0 && <p className={css.none}>{texts.noActiveSessions}</p>}
      <ul className={css.lines}>
        {sessions.map(({ session_id, device, ip, seen_at }) => (
          <li key={session_id}>
            <b>{device}</b>
            <span>{ip}</span>
            <time dateTime={seen_at} title={format(texts.lastSeen, { seen_at: formatExactDate(seen_at) })}>
              {formatTimeAgo(seen_at, now)}
            </time>
          </li>
        ))}
      </ul>
    </Part>
  )
}

type DeedsProps = { deeds: Shown['audit_entries']; customerId: number; isOpen: boolean }

/** What staff did to a member's account. */
export const Deeds = ({ deeds, customerId, isOpen }: DeedsProps) => (
  <Part
    title={texts.staffActivity}
    note={
      isOpen &&
      deeds.length > 0 && (
        <Link to="/staff/audit" search={{ subject: `customer ${customerId}` }}>
          {texts.viewInAuditLog}
        </Link>
      )
    }
  >
    {deeds.length === 0 && <p className={css.none}>{texts.noActivityYet}</p>}
    <ul className={css.lines}>
      {deeds.map(({ audit_id, at, action, by }) => (
        <li key={audit_id}>
          <b>{action}</b>
          <span>{by}</span>
          <time dateTime={at} title={formatExactDate(at)}>
            {formatShortDate(at)}
          </time>
        </li>
      ))}
    </ul>
  </Part>
)
