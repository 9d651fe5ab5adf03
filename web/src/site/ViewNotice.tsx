import { IconEye } from '@tabler/icons-react'
import { rich } from '../format/message.ts'
import { leaveView } from '../membership/membership.ts'
import { useSession } from '../platform/session.ts'
import * as texts from './texts.ts'
import css from './ViewNotice.module.css'

/** Shown above the player in “View as member”. */
export function ViewNotice() {
  const profile = useSession((session) => session.profile)
  if (!profile) return null
  return (
    <aside className={css.place} aria-label={texts.viewAsMember}>
      <p className={css.notice}>
        <IconEye size={16} aria-hidden />
        <span className={css.words}>
          {rich(texts.viewingAsReadOnly, { dj_name: profile.dj_name, b: (inside) => <b>{inside}</b> })}
        </span>
        <button type="button" className={css.end} onClick={() => leaveView(profile.customer_id)}>
          {texts.exitView}
        </button>
      </p>
    </aside>
  )
}
