import { readFileSync } from 'node:fs'
import { applyEvents } from '../src/billing/ledger.ts'
import type { GatewayEvent } from '../src/gateways/gateway.ts'
import { readConfig } from '../src/platform/config.ts'
import { connect } from '../src/platform/db.ts'
import { makeLog } from '../src/platform/log.ts'
import { makeWorld } from '../src/process.ts'
import { LATER } from './payment-events.ts'

/** Takes in payment events, eight at once, as a process of its own, so that a test can kill it. A line for each. */
const [socketDir = '', database = '', dataDir = '', file = ''] = process.argv.slice(2)

const alive = setInterval(() => {}, 1000)
const sql = connect({ socketDir, database })
const made = await makeWorld(readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' }), makeLog('silent'), { sql })
const world = { ...made, now: () => LATER }
const events = (JSON.parse(readFileSync(file, 'utf8')) as GatewayEvent[]).map((event) => ({
  ...event,
  at: new Date(event.at),
}))
const takeAll = async () => {
  for (let event = events.pop(); event; event = events.pop()) {
    await applyEvents(world, 'stripe', [event])
    process.stdout.write(`${event.event_id}\n`)
  }
}
await Promise.all(Array.from({ length: 8 }, takeAll))
clearInterval(alive)
process.exit(0)
