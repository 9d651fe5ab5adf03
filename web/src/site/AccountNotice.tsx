import { EmailNotice } from '../membership/EmailNotice.tsx'
import { useSession } from '../platform/session.ts'
import { ViewNotice } from './ViewNotice.tsx'

/** Shown above every screen in “View as member”, or when emails to the member have bounced. */
export function AccountNotice() {
  const isViewedByStaff = useSession(({ profile }) => !!profile?.viewed_by)
  return isViewedByStaff ? <ViewNotice /> : <EmailNotice />
}
