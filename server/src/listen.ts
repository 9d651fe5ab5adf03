import { makeApp } from './app.ts'
import type { Config } from './platform/config.ts'
import type { Part } from './process.ts'
import type { World } from './world.ts'

/** Listens, and says where. */
export async function startWeb(world: World, { host, port }: Pick<Config, 'host' | 'port'>): Promise<Part> {
  const app = await makeApp(world)
  await app.listen({ host, port })
  return { stop: () => app.close() }
}
