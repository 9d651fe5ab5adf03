import { membership } from '@dubplate/contract'
import { callApi, isWorthRetrying } from '../platform/api.ts'

const KEY = 'dubplate.to-end'

/** Tokens that were signed out here but not yet on the server. */
function readPendingSignOuts(): string[] {
  try {
    const pendingTokens: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(pendingTokens) ? pendingTokens.filter((token) => typeof token === 'string') : []
  } catch {
    return []
  }
}

/** Without storage (some private windows) the request is made only once. */
function writePendingSignOuts(tokens: string[]) {
  try {
    if (tokens.length) localStorage.setItem(KEY, JSON.stringify(tokens))
    else localStorage.removeItem(KEY)
  } catch {}
}

/**
 * Ends the session of this token on the server: now, or as soon as there is a connection again, also after a reload.
 */
export function signOutOnServer(token: string): Promise<void> {
  writePendingSignOuts([...readPendingSignOuts(), token])
  return sendSignOut(token)
}

async function sendSignOut(token: string) {
  try {
    await callApi(membership.signOut, {}, { token })
  } catch (error) {
    // Any other error means that the session had already ended.
    if (isWorthRetrying(error as Error)) return
  }
  writePendingSignOuts(readPendingSignOuts().filter((pendingTokens) => pendingTokens !== token))
}

export const retryPendingSignOuts = () => Promise.all(readPendingSignOuts().map(sendSignOut))

addEventListener('online', () => void retryPendingSignOuts())
