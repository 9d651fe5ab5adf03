import { IconEye } from '@tabler/icons-react'
import { rich } from '../format/message.ts'
import { EmailNotice } from '../membership/EmailNotice.tsx'
import { leaveView } from '../membership/membership.ts'
import { useSession } from '../platform/session.ts'
import css from './Notice.module.css'
import * as texts from './texts.ts'

/** Shown above the player in “View as member”. */
function ViewNotice() {
  const profile = useSession((session) => session.profile)
  if (!profile) return null
  return (
    <aside className={css.place} aria-label={texts.viewAsMember}>
      <p className={css.notice} data-view>
        <IconEye size={16} aria-hidden />
        <span>{rich(texts.viewingAsReadOnly, { dj_name: profile.dj_name, b: (inside) => <b>{inside}</b> })}</span>
        <button type="button" onClick={() => leaveView(profile.customer_id)}>
          {texts.exitView}
        </button>
      </p>
    </aside>
  )
}

/** Shown above every screen in “View as member”, or when emails to the member have bounced. */
export function AccountNotice() {
  const isViewedByStaff = useSession(({ profile }) => !!profile?.viewed_by)
  return isViewedByStaff ? <ViewNotice /> : <EmailNotice />
}
