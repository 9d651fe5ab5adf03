import { once } from 'node:events'
import { createServer } from 'node:net'

/** Below the ports that Linux gives to outgoing connections, which could take the port of a killed program. */
const [FIRST_PORT, LAST_PORT] = [20_000, 32_000]

/** Free ports on 127.0.0.1 for programs that are killed and started again. */
export async function findFreePorts(count: number): Promise<number[]> {
  const found: number[] = []
  let port = FIRST_PORT + Math.floor(Math.random() * (LAST_PORT - FIRST_PORT - 10 * count))
  while (found.length < count) {
    if (port > LAST_PORT) throw new Error(`There are no ${count} free ports between ${FIRST_PORT} and ${LAST_PORT}.`)
    if (await isFree(++port)) found.push(port)
  }
  return found
}

async function isFree(port: number): Promise<boolean> {
  const probe = createServer()
  const outcome = Promise.race([once(probe, 'listening').then(() => true), once(probe, 'error').then(() => false)])
  probe.listen(port, '127.0.0.1')
  const free = await outcome
  if (free) await new Promise((resolve) => probe.close(resolve))
  return free
}
