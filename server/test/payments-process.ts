import { readFileSync } from 'node:fs'
import { applyEvents } from '../src/billing/ledger.ts'
import type { GatewayEvent } from '../src/gateways/gateway.ts'
import { readConfig } from '../src/platform/config.ts'
import { connect } from '../src/platform/db.ts'
import { createLog } from '../src/platform/log.ts'
import { createAppContext } from '../src/process.ts'
import { END } from './payment-events.ts'

/**
 * Processes payment events, eight at once, in a separate process, so that a test can kill it. Writes a line for each.
 */
const [socketDir = '', database = '', dataDir = '', file = ''] = process.argv.slice(2)

const alive = setInterval(() => {}, 1000)
const sql = connect({ socketDir, database })
const made = await createAppContext(readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' }), createLog('silent'), {
  sql,
})
const ctx = { ...made, now: () => END }
const events = (JSON.parse(readFileSync(file, 'utf8')) as GatewayEvent[]).map((event) => ({
  ...event,
  at: new Date(event.at),
}))
const processAllEvents = async () => {
  for (let event = events.pop(); event; event = events.pop()) {
    await applyEvents(ctx, 'stripe', [event])
    process.stdout.write(`${event.event_id}\n`)
  }
}
await Promise.all(Array.from({ length: 8 }, processAllEvents))
clearInterval(alive)
process.exit(0)
