import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'

const HALF_DAY_MS = 12 * 3600 * 1000
/** How long a session that has ended may still play. */
const KNOWN_FOR_MS = 60_000
const MOST_KNOWN = 10_000

/**
 * A session's key to full-length previews, good for half a day to a whole one. The same for a whole half-day, so that
 * previews stay in the browser's cache between visits of a screen.
 */
export function mediaKey({ signing, now }: Pick<World, 'signing' | 'now'>, sessionId: number): string {
  const endsAt = new Date((Math.floor(now().getTime() / HALF_DAY_MS) + 2) * HALF_DAY_MS)
  return signing.sign('media', [sessionId], endsAt)
}

type Known = { isOpen: boolean; until: number }

/** Whether a key is good and its member still signed in, which is asked once a minute for each session. */
export function checkMediaKeys(world: Pick<World, 'sql' | 'signing' | 'now'>) {
  const known = new Map<number, Known>()
  const isOpen = async (sessionId: number): Promise<boolean> => {
    const before = known.get(sessionId)
    if (before && before.until > world.now().getTime()) return before.isOpen
    const found = await world.sql`
      select 1 from session join customer using (customer_id)
      where session_id = ${sessionId} and expires_at > now() and purpose in ('member', 'viewer') and status = 'active'`
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(sessionId, { isOpen: found.length > 0, until: world.now().getTime() + KNOWN_FOR_MS })
    return found.length > 0
  }
  return async (key: string | undefined): Promise<boolean> => {
    const sessionId = key && sessionOf(world, key)
    return sessionId ? isOpen(sessionId) : false
  }
}

function sessionOf({ signing, now }: Pick<World, 'signing' | 'now'>, key: string): number | undefined {
  try {
    return Number(signing.open('media', key, now())[0])
  } catch (error) {
    if (error instanceof Refusal) return undefined
    throw error
  }
}
