import type { AppContext } from '../app-context.ts'
import { repeatEvery } from '../platform/repeat-every.ts'
import { queueCrateSongs } from './crate-deliveries.ts'
import { deliverNext } from './deliver-file.ts'
import { listProviders } from './providers.ts'
import { revokeDue } from './revocations.ts'

/** Each has a chunk of 8 MiB in memory. */
const FILES_AT_ONCE = 2
const POLL_MS = 2000
const CRATE_POLL_MS = 5000
const REVOCATION_POLL_MS = 30_000

/** Sends files to cloud storage until stopped. A file in progress at a stop continues after the next start. */
export function startDeliveryLoop(ctx: AppContext): { stop(): Promise<void> } {
  if (listProviders(ctx).length === 0) return { stop: async () => {} }
  const stopping = new AbortController()
  const turns = Array.from({ length: FILES_AT_ONCE }, () =>
    repeatEvery(POLL_MS, ctx.log, async () => {
      while (!stopping.signal.aborted && (await deliverNext(ctx, stopping.signal)));
    }),
  )
  turns.push(
    repeatEvery(CRATE_POLL_MS, ctx.log, () => queueCrateSongs(ctx)),
    repeatEvery(REVOCATION_POLL_MS, ctx.log, () => revokeDue(ctx)),
  )
  return {
    stop: async () => {
      stopping.abort()
      await Promise.all(turns.map((turn) => turn.stop()))
    },
  }
}
