import { membership } from '@dubplate/contract'
import { callApi } from '../platform/api.ts'
import { clearSession, useSession } from '../platform/session.ts'
import { retryPendingSignOuts, signOutOnServer } from './pendingSignOuts.ts'

/** Loads the profile of the current user and with it the key for full-length previews. Throws if it can't be loaded. */
export async function fetchProfile() {
  const token = useSession.getState().token
  if (!token) return
  const { profile } = await callApi(membership.getProfile, {})
  if (useSession.getState().token === token) useSession.setState({ profile })
}

/** Loads the profile in the background: screens that need it request it themselves and show the error. */
export const loadProfile = () => fetchProfile().catch(() => undefined)

/** Ends the session here at once; the request to the server is not awaited. */
export async function signOut() {
  const { token } = useSession.getState()
  if (!token) return
  clearSession()
  await signOutOnServer(token)
}

const PROFILE_REFRESH_MS = 10 * 60_000

/** Ends “View as member”: the tab returns to the back office with the staff member's session. */
export function leaveView(customerId: number) {
  clearSession()
  location.replace(`/staff/members/${customerId}`)
}

/**
 * Keeps the profile up to date while the page is open: at once, after a sign-in in another tab, and every ten minutes.
 */
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
