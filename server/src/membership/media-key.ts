import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'

const KEY_PERIOD_MS = 12 * 3600 * 1000
/** How long an ended session can still play. */
const KEY_CACHE_MS = 60_000
const MAX_CACHED_KEYS = 10_000

/**
 * Creates a session's key to full-length previews, valid for 12 to 24 hours. It stays the same for 12 hours, so that
 * previews stay in the browser's cache.
 */
export function createMediaKey({ signing, now }: Pick<AppContext, 'signing' | 'now'>, sessionId: number): string {
  const expiresAt = new Date((Math.floor(now().getTime() / KEY_PERIOD_MS) + 2) * KEY_PERIOD_MS)
  return signing.sign('media', [sessionId], expiresAt)
}

type CachedKey = { isOpen: boolean; until: number }

/**
 * Returns a check whether a key is valid and its member still signed in, which is queried once a minute per session.
 */
export function createMediaKeyCheck(ctx: Pick<AppContext, 'sql' | 'signing' | 'now'>) {
  const cachedKeys = new Map<number, CachedKey>()
  const isSessionOpen = async (sessionId: number): Promise<boolean> => {
    const before = cachedKeys.get(sessionId)
    if (before && before.until > ctx.now().getTime()) return before.isOpen
    const activeSession = await ctx.sql`
      select 1 from session join customer using (customer_id)
      where session_id = ${sessionId} and expires_at > now() and purpose in ('member', 'viewer') and status = 'active'`
    if (cachedKeys.size >= MAX_CACHED_KEYS) cachedKeys.clear()
    cachedKeys.set(sessionId, { isOpen: activeSession.length > 0, until: ctx.now().getTime() + KEY_CACHE_MS })
    return activeSession.length > 0
  }
  return async (key: string | undefined): Promise<boolean> => {
    const sessionId = key && parseSessionId(ctx, key)
    return sessionId ? isSessionOpen(sessionId) : false
  }
}

function parseSessionId({ signing, now }: Pick<AppContext, 'signing' | 'now'>, key: string): number | undefined {
  try {
    return Number(signing.open('media', key, now())[0])
  } catch (error) {
    if (error instanceof ApiError) return undefined
    throw error
  }
}
