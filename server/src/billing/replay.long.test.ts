import { spawn } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { shuffle } from '../../test/payment-events.ts'
import {
  expectSameBilling,
  generatePayments,
  poolWithSubscriptions,
  processConcurrently,
  processEvents,
  readBilling,
} from '../../test/payment-replay.ts'
import type { TestPool } from '../../test/pool.ts'
import type { GatewayEvent } from '../gateways/gateway.ts'

const MEMBERS = 20
const EVENTS = generatePayments(MEMBERS)
// Inside the repository, so that the bundle can resolve its packages.
const built = path.resolve('node_modules/.cache', `payments-test-${process.pid}`)

let [inOrder, replayed]: TestPool[] = []
beforeAll(async () => {
  inOrder = await poolWithSubscriptions(MEMBERS)
  replayed = await poolWithSubscriptions(MEMBERS)
  const bundle = await rolldown({
    input: { 'payments-process': path.join(import.meta.dirname, '../../test/payments-process.ts') },
    platform: 'node',
    external: (id) => !/^[./]/.test(id) && !id.startsWith('@dubplate/'),
  })
  await bundle.write({ dir: built, format: 'esm' })
  await bundle.close()
})
afterAll(async () => {
  await inOrder?.close()
  await replayed?.close()
  rmSync(built, { recursive: true, force: true })
})

/** Applies events in a separate process and kills it after this many. */
async function killAfter(pool: TestPool, events: GatewayEvent[], most: number): Promise<void> {
  const file = path.join(built, 'events.json')
  writeFileSync(file, JSON.stringify(events))
  const [database] = await pool.ctx.sql<{ name: string }[]>`select current_database() as name`
  const { dataDir } = pool.ctx.config
  const args = [path.join(built, 'payments-process.js'), inject('socketDir'), database?.name ?? '', dataDir, file]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let taken = 0
  createInterface({ input: child.stdout }).on('line', () => {
    if (++taken === most) child.kill('SIGKILL')
  })
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (_code, signal) =>
      signal === 'SIGKILL' ? resolve() : reject(new Error('The process ended before it was killed.')),
    )
  })
}

test('applies a thousand events like those in order after duplicates, eight at once and a killed process', async () => {
  if (!inOrder || !replayed) throw new Error('no pools')
  expect(EVENTS.length).toBe(1000)
  await processEvents(inOrder, EVENTS)

  const received = shuffle(EVENTS, 7)
  expect(received.length).toBeGreaterThan(1800)
  await killAfter(replayed, received.slice(0, 900), 300)
  // The provider resends what was not acknowledged: here all events, those of each subscription by eight requests at
  // once.
  const repeated = shuffle(received, 8).sort((a, b) => String(a.gateway_ref).localeCompare(String(b.gateway_ref)))
  await processConcurrently(replayed, repeated)
  await expectSameBilling(replayed, inOrder)
  const { subscriptions } = await readBilling(inOrder)
  expect(new Set(subscriptions.map(({ status }) => status)).size, 'different ends').toBeGreaterThan(1)
}, 600_000)
