import { once } from 'node:events'
import { createServer } from 'node:net'

/** A port that nothing listens on at this moment, on any address of this computer. */
export async function freePort(): Promise<number> {
  const probe = createServer().listen(0)
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  await once(probe, 'close')
  return port
}
