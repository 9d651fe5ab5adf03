import type { membership } from '@dubplate/contract'
import { create } from 'zustand'

const TOKEN_KEY = 'dubplate.token'
/** The token of a “View as member” tab; separate from the session of other tabs. */
const VIEW_KEY = 'dubplate.view'

type Session = {
  token: string | null
  /** Null while signed out, and until the profile for a stored token has loaded. */
  profile: membership.Profile | null
  /** True after the server ended a session that was in use; cleared by the next sign-in. */
  ended: boolean
}

/** The back office opens such a tab with the token in its URL; it is removed from the history. */
function readViewToken(): string | null {
  try {
    const [, token] = /^#view=([\w-]{43})$/.exec(location.hash) ?? []
    if (token) {
      sessionStorage.setItem(VIEW_KEY, token)
      history.replaceState(null, '', location.pathname)
    }
    return sessionStorage.getItem(VIEW_KEY)
  } catch {
    return null
  }
}

/** Whether this tab views the site as a member: choices made here are not saved. */
export const isMemberView = () => readViewToken() !== null

function readStoredToken(): string | null {
  const view = readViewToken()
  if (view) return view
  try {
    return localStorage.getItem(TOKEN_KEY)
  } catch {
    return null
  }
}

function storeToken(token: string | null) {
  try {
    if (isMemberView()) return sessionStorage.removeItem(VIEW_KEY)
    if (token) localStorage.setItem(TOKEN_KEY, token)
    else localStorage.removeItem(TOKEN_KEY)
  } catch {
    // Some private windows do not allow storage: the session then lasts as long as the tab.
  }
}

export const useSession = create<Session>(() => ({ token: readStoredToken(), profile: null, ended: false }))

export const isSignedIn = () => useSession.getState().token !== null

export function startSession(token: string, profile: membership.Profile) {
  storeToken(token)
  useSession.setState({ token, profile, ended: false })
}

/** Continues with another token of the same member after a password change. */
export function renewToken(token: string) {
  storeToken(token)
  useSession.setState({ token, ended: false })
}

/** Updates the profile with changes from a server reply. */
export const changeProfile = (change: Partial<membership.Profile>) =>
  useSession.setState(({ profile }) => ({ profile: profile && { ...profile, ...change } }))

/** Removes the session on sign-out. */
export function clearSession() {
  storeToken(null)
  useSession.setState({ token: null, profile: null, ended: false })
}

/** Handles a session ended by the server: informs the member, or continues with a newer token of another tab. */
export function endSession(token: string) {
  if (token !== useSession.getState().token) return
  const stored = readStoredToken()
  if (stored && stored !== token) return useSession.setState({ token: stored, profile: null, ended: false })
  storeToken(null)
  useSession.setState({ token: null, profile: null, ended: true })
}

// Signing in or out in one tab does the same in the others.
addEventListener('storage', (event) => {
  if (event.key !== TOKEN_KEY && event.key !== null) return
  const token = readStoredToken()
  if (token !== useSession.getState().token) useSession.setState({ token, profile: null, ended: false })
})
