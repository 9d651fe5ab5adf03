import { type InputOf, membership } from '@dubplate/contract'
import { ask } from '../platform/api.ts'
import { forgetSession, isSignedIn, startSession, useSession } from '../platform/session.ts'

/** Signs in; throws the server's refusal. */
export async function signIn(input: InputOf<typeof membership.signIn>) {
  const { token, profile } = await ask(membership.signIn, input)
  startSession(token, profile)
}

/** Renews who is signed in, and with it the key to full-length previews. */
export async function loadProfile() {
  const token = useSession.getState().token
  if (!token) return
  const reply = await ask(membership.getProfile, {}).catch(() => undefined)
  if (reply && useSession.getState().token === token) useSession.setState({ profile: reply.profile })
}

/** Ends the session here at once; the server is told, but nobody waits for it. */
export async function signOut() {
  if (!isSignedIn()) return
  const told = ask(membership.signOut, {}).catch(() => undefined)
  forgetSession('signed-out')
  await told
}

const RENEWAL_MS = 10 * 60_000

/** Keeps the profile fresh while the page is open: at once, in other tabs' sign-ins, and every ten minutes. */
export function keepProfileFresh(): () => void {
  void loadProfile()
  const timer = setInterval(loadProfile, RENEWAL_MS)
  const stop = useSession.subscribe((now, before) => {
    if (now.token && now.token !== before.token && !now.profile) void loadProfile()
  })
  return () => {
    clearInterval(timer)
    stop()
  }
}
