import { makeApp } from './app.ts'
import type { Config } from './platform/config.ts'
import type { Part } from './process.ts'
import type { World } from './world.ts'

/** How long a stop waits for transfers under way; a link goes on where it was cut. */
const TRANSFERS_MAY_TAKE_MS = 10_000

/** Listens. A stop takes no new request and lets those in flight finish. `mayTakeMs` is only changed by tests. */
export async function startWeb(
  world: World,
  { host, port }: Pick<Config, 'host' | 'port'>,
  mayTakeMs = TRANSFERS_MAY_TAKE_MS,
): Promise<Part> {
  const app = await makeApp(world)
  await app.listen({ host, port })
  const stop = async () => {
    const cut = setTimeout(() => app.server.closeAllConnections(), mayTakeMs)
    await app.close().finally(() => clearTimeout(cut))
  }
  return { stop }
}
