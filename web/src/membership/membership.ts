import { membership } from '@dubplate/contract'
import { callApi } from '../platform/api.ts'
import { clearSession, useSession } from '../platform/session.ts'
import { retryPendingSignOuts, signOutOnServer } from './pendingSignOuts.ts'

/** Renews who is signed in, and with it the key to full-length previews. Throws why that is not known. */
export async function fetchProfile() {
  const token = useSession.getState().token
  if (!token) return
  const { profile } = await callApi(membership.getProfile, {})
  if (useSession.getState().token === token) useSession.setState({ profile })
}

/** The same behind the screens: one that cannot do without the profile asks itself, and says what is wrong. */
export const loadProfile = () => fetchProfile().catch(() => undefined)

/** Ends the session here at once; the server is told, but nobody waits for it. */
export async function signOut() {
  const { token } = useSession.getState()
  if (!token) return
  clearSession()
  await signOutOnServer(token)
}

const PROFILE_REFRESH_MS = 10 * 60_000

/** Ends the look at the pool as a member sees it: the tab goes back to the back office, as whoever looked. */
export function leaveView(customerId: number) {
  clearSession()
  location.replace(`/staff/members/${customerId}`)
}

/** Keeps the profile fresh while the page is open: at once, in other tabs' sign-ins, and every ten minutes. */
export function startProfileRefresh(): () => void {
  void loadProfile()
  void retryPendingSignOuts()
  const timer = setInterval(loadProfile, PROFILE_REFRESH_MS)
  const stop = useSession.subscribe((now, before) => {
    if (now.token && now.token !== before.token && !now.profile) void loadProfile()
  })
  return () => {
    clearInterval(timer)
    stop()
  }
}
