import type { membership } from '@dubplate/contract'
import { create } from 'zustand'

const TOKEN_KEY = 'dubplate.token'

type Session = {
  token: string | null
  /** Null while signed out, and until the profile of a stored token has arrived. */
  profile: membership.Profile | null
  /** True after the server ended a session that was in use; cleared by the next sign-in. */
  ended: boolean
}

function readStoredToken(): string | null {
  try {
    return localStorage.getItem(TOKEN_KEY)
  } catch {
    return null
  }
}

function storeToken(token: string | null) {
  try {
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

/** Forgets the session; `ended` when the server ended it, so that the person is told. */
export function forgetSession(how: 'signed-out' | 'ended') {
  storeToken(null)
  useSession.setState({ token: null, profile: null, ended: how === 'ended' })
}

// Signing in or out in one tab does the same in the others.
addEventListener('storage', (event) => {
  if (event.key !== TOKEN_KEY && event.key !== null) return
  const token = readStoredToken()
  if (token !== useSession.getState().token) useSession.setState({ token, profile: null, ended: false })
})
