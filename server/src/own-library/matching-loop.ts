import type { AppContext } from '../app-context.ts'
import { repeatEvery } from '../platform/repeat-every.ts'
import { matchNext } from './matching.ts'

const POLL_INTERVAL_MS = 1000

/** Matches libraries one after the other until stopped. One in progress at a stop is continued after the next start. */
export function startMatchingLoop(ctx: AppContext): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const loop = repeatEvery(POLL_INTERVAL_MS, ctx.log, async () => {
    while (!stopping.signal.aborted && (await matchNext(ctx, stopping.signal)));
  })
  return {
    stop: async () => {
      stopping.abort()
      await loop.stop()
    },
  }
}
