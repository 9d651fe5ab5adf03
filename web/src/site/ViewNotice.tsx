import { IconEye } from '@tabler/icons-react'
import { leaveView } from '../membership/membership.ts'
import { useSession } from '../platform/session.ts'
import css from './ViewNotice.module.css'

/** Stands above the player for as long as staff look at the pool as a member. */
export function ViewNotice() {
  const profile = useSession((session) => session.profile)
  if (!profile) return null
  return (
    <aside className={css.place} aria-label="View as member">
      <p className={css.notice}>
        <IconEye size={16} aria-hidden />
        <span className={css.words}>
          Viewing as <b>{profile.dj_name}</b> (read-only).
        </span>
        <button type="button" className={css.end} onClick={() => leaveView(profile.customer_id)}>
          {' '}
          Exit view{' '}
        </button>
      </p>
    </aside>
  )
}
