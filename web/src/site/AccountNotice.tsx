import { EmailNotice } from '../membership/EmailNotice.tsx'
import { useSession } from '../platform/session.ts'
import { ViewNotice } from './ViewNotice.tsx'

/** Above every screen: that staff look at the pool as a member, or that email to the member came back. */
export function AccountNotice() {
  const isViewedByStaff = useSession(({ profile }) => !!profile?.viewed_by)
  return isViewedByStaff ? <ViewNotice /> : <EmailNotice />
}
