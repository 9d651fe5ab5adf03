import { membership } from '@dubplate/contract'
import { ask, isWorthRetrying } from '../platform/api.ts'

const KEY = 'dubplate.to-end'

/** Tokens that were signed out here and of which the server has yet to hear. */
function readLeft(): string[] {
  try {
    const left: unknown = JSON.parse(localStorage.getItem(KEY) ?? '[]')
    return Array.isArray(left) ? left.filter((token) => typeof token === 'string') : []
  } catch {
    return []
  }
}

/** Without storage (some private windows) the server is told once, or not. */
function writeLeft(tokens: string[]) {
  try {
    if (tokens.length) localStorage.setItem(KEY, JSON.stringify(tokens))
    else localStorage.removeItem(KEY)
  } catch {}
}

/** Ends the session of this token on the server: now, or as soon as there is a network again, also after a reload. */
export function endOnServer(token: string): Promise<void> {
  writeLeft([...readLeft(), token])
  return tellOf(token)
}

async function tellOf(token: string) {
  try {
    await ask(membership.signOut, {}, { token })
  } catch (error) {
    // Any other refusal is the end of it as well: the session was over.
    if (isWorthRetrying(error as Error)) return
  }
  writeLeft(readLeft().filter((left) => left !== token))
}

export const endLeft = () => Promise.all(readLeft().map(tellOf))

addEventListener('online', () => void endLeft())
