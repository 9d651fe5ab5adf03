import { setTimeout as pause } from 'node:timers/promises'
import { makeApp } from './app.ts'
import type { AppContext } from './app-context.ts'
import { getEstimator } from './membership/password-strength.ts'
import type { Config } from './platform/config.ts'
import { findWarnings } from './platform/config-warnings.ts'
import type { Stoppable } from './process.ts'

/** How long a stop waits for transfers in progress; interrupted downloads can be resumed. */
const TRANSFER_TIMEOUT_MS = 10_000

/** When the password strength data is loaded: after the first pages of a start. */
const READ_ESTIMATOR_AFTER_MS = 5000

/**
 * Listens. A stop first reports by /readyz that it is not ready, and keeps serving until the load balancer has noticed
 * (`DRAIN_SECONDS`); then it accepts no new requests and lets those in progress finish. `timeoutMs` is only
 * changed by tests.
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
