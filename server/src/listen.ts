import { setTimeout as pause } from 'node:timers/promises'
import { makeApp } from './app.ts'
import type { AppContext } from './app-context.ts'
import { getEstimator } from './membership/password-strength.ts'
import { type Config, findWarnings } from './platform/config.ts'
import type { Stoppable } from './process.ts'

/** How long a stop waits for transfers under way; a link goes on where it was cut. */
const TRANSFER_TIMEOUT_MS = 10_000

/** When what new passwords are held against is read: the first pages of a start come before it. */
const READ_ESTIMATOR_AFTER_MS = 5000

/**
 * Listens. A stop says so by /readyz first, and goes on answering until whatever stands in front has noticed
 * (`DRAIN_SECONDS`); then it takes no new request and lets those in flight finish. `mayTakeMs` is only changed by tests.
 */
export async function startWeb(
  ctx: AppContext,
  { host, port, drainSeconds = 0 }: Pick<Config, 'host' | 'port'> & Partial<Pick<Config, 'drainSeconds'>>,
  timeoutMs = TRANSFER_TIMEOUT_MS,
): Promise<Stoppable> {
  for (const warning of findWarnings(ctx.config)) ctx.log.warn(warning)
  let isLeaving = false
  const app = await makeApp(ctx, { isShuttingDown: () => isLeaving })
  await app.listen({ host, port })
  const read = () =>
    getEstimator().catch((error) => ctx.log.error(error, 'Could not load the password strength estimator'))
  const reading = setTimeout(read, READ_ESTIMATOR_AFTER_MS)
  const stop = async () => {
    clearTimeout(reading)
    isLeaving = true
    await pause(drainSeconds * 1000)
    const closeTimer = setTimeout(() => app.server.closeAllConnections(), timeoutMs)
    await app.close().finally(() => clearTimeout(closeTimer))
  }
  return { stop }
}
