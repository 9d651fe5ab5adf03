import { setTimeout as pause } from 'node:timers/promises'
import { makeApp } from './app.ts'
import { readEstimator } from './membership/password-strength.ts'
import { type Config, findWarnings } from './platform/config.ts'
import type { Part } from './process.ts'
import type { World } from './world.ts'

/** How long a stop waits for transfers under way; a link goes on where it was cut. */
const TRANSFERS_MAY_TAKE_MS = 10_000

/** When what new passwords are held against is read: the first pages of a start come before it. */
const READ_ESTIMATOR_AFTER_MS = 5000

/**
 * Listens. A stop says so by /readyz first, and goes on answering until whatever stands in front has noticed
 * (`DRAIN_SECONDS`); then it takes no new request and lets those in flight finish. `mayTakeMs` is only changed by tests.
 */
export async function startWeb(
  world: World,
  { host, port, drainSeconds = 0 }: Pick<Config, 'host' | 'port'> & Partial<Pick<Config, 'drainSeconds'>>,
  mayTakeMs = TRANSFERS_MAY_TAKE_MS,
): Promise<Part> {
  for (const warning of findWarnings(world.config)) world.log.warn(warning)
  let isLeaving = false
  const app = await makeApp(world, { isLeaving: () => isLeaving })
  await app.listen({ host, port })
  const read = () =>
    readEstimator().catch((error) => world.log.error(error, 'Could not load the password strength estimator'))
  const reading = setTimeout(read, READ_ESTIMATOR_AFTER_MS)
  const stop = async () => {
    clearTimeout(reading)
    isLeaving = true
    await pause(drainSeconds * 1000)
    const cut = setTimeout(() => app.server.closeAllConnections(), mayTakeMs)
    await app.close().finally(() => clearTimeout(cut))
  }
  return { stop }
}
