import type { membership } from '@dubplate/contract'
import { create } from 'zustand'

const TOKEN_KEY = 'dubplate.token'
/** Of a tab in which staff look at the pool as a member: the token they look with, which other tabs have nothing to do with. */
const VIEW_KEY = 'dubplate.view'

type Session = {
  token: string | null
  /** Null while signed out, and until the profile of a stored token has arrived. */
  profile: membership.Profile | null
  /** True after the server ended a session that was in use; cleared by the next sign-in. */
  ended: boolean
}

/** The back office opens such a tab with the token in its address; it stays in no history. */
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

/** Whether this tab shows the pool as a member sees it: what is chosen here is nobody's choice. */
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
    // Storage is refused in some private windows: the session then lasts as long as the tab.
  }
}

export const useSession = create<Session>(() => ({ token: readStoredToken(), profile: null, ended: false }))

export const isSignedIn = () => useSession.getState().token !== null

export function startSession(token: string, profile: membership.Profile) {
  storeToken(token)
  useSession.setState({ token, profile, ended: false })
}

/** Goes on with another token of the same member: their password has changed. */
export function renewToken(token: string) {
  storeToken(token)
  useSession.setState({ token, ended: false })
}

/** What of the member has changed, as the server answered it. */
export const changeProfile = (change: Partial<membership.Profile>) =>
  useSession.setState(({ profile }) => ({ profile: profile && { ...profile, ...change } }))

/** Forgets the session of somebody who signs out. */
export function clearSession() {
  storeToken(null)
  useSession.setState({ token: null, profile: null, ended: false })
}

/** The server ended the session of this token: the person is told, or goes on with a newer token of another tab. */
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
