import { membership } from '@dubplate/contract'
import { callApi, isWorthRetrying } from '../platform/api.ts'

const KEY = 'dubplate.to-end'

/** Tokens that were signed out here and of which the server has yet to hear. */
function readPendingSignOuts(): string[] {
  try {
    const pendingTokens: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(pendingTokens) ? pendingTokens.filter((token) => typeof token === 'string') : []
  } catch {
    return []
  }
}

/** Without storage (some private windows) the server is told once, or not. */
function writePendingSignOuts(tokens: string[]) {
  try {
    if (tokens.length) localStorage.setItem(KEY, JSON.stringify(tokens))
    else localStorage.removeItem(KEY)
  } catch {}
}

/** Ends the session of this token on the server: now, or as soon as there is a network again, also after a reload. */
export function signOutOnServer(token: string): Promise<void> {
  writePendingSignOuts([...readPendingSignOuts(), token])
  return sendSignOut(token)
}

async function sendSignOut(token: string) {
  try {
    await callApi(membership.signOut, {}, { token })
  } catch (error) {
    // Any other refusal is the end of it as well: the session was over.
    if (isWorthRetrying(error as Error)) return
  }
  writePendingSignOuts(readPendingSignOuts().filter((pendingTokens) => pendingTokens !== token))
}

export const retryPendingSignOuts = () => Promise.all(readPendingSignOuts().map(sendSignOut))

addEventListener('online', () => void retryPendingSignOuts())
