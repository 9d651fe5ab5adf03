import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type ImapServer, openImapServer } from '../../test/imap-server.ts'
import { aMail, anOpenTicket, aPlainMail, INBOUND, inboundOf, repliesOf } from '../../test/mails.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import type { World } from '../world.ts'
import { type ImapDoor, watchMailbox } from './inbound-imap.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool({ config: { inbound: INBOUND } })
})
afterAll(() => pool.close())

let server: ImapServer
let door: ImapDoor | undefined
let ticket: Awaited<ReturnType<typeof anOpenTicket>>
beforeEach(async () => {
  server = await openImapServer()
  ticket = await anOpenTicket(pool)
})
afterEach(async () => {
  await door?.stop()
  await server.close()
})

function watch(world: World = pool.world, lookEveryMs = 60_000, port = server.port): void {
  const imap = { host: '127.0.0.1', port, secure: false, user: 'u', password: 'hush', mailbox: 'INBOX' }
  door = watchMailbox(world, imap, { lookEveryMs, firstWaitMs: 20 })
}

/** What the log was told, by level. */
function withLog(world: World = pool.world) {
  const said: { level: string; words: string; fields: object }[] = []
  const level = (name: string) => (fields: object, words: string) => void said.push({ level: name, fields, words })
  const log = Object.fromEntries(['info', 'warn', 'error', 'debug'].map((name) => [name, level(name)]))
  return { world: { ...world, log: log as unknown as World['log'] }, said }
}

const until = (what: () => unknown) =>
  vi.waitFor(async () => expect(await what()).toBeTruthy(), { timeout: 60_000, interval: 15 })
const allSeen = (n: number) => until(() => server.seen().length === n && server.seen().every(Boolean))

test('what waits in the mailbox becomes replies, and is marked as seen', async () => {
  server.add(aMail('gmail', ticket))
  server.add(aMail('spoofed-name', ticket))
  server.add(aMail('iso-2022-jp', ticket))
  watch()
  await allSeen(3)
  expect(await repliesOf(pool, ticket.ticket_number)).toHaveLength(2)
  expect((await inboundOf(pool, 'evil@other.example')).at(-1)).toMatchObject({ verdict: 'stranger' })
})

test('a mail that arrives meanwhile is taken in at once', async () => {
  watch()
  await until(() => server.visits().length === 1)
  server.add(aMail('gmail', ticket))
  await allSeen(1)
  server.add(aMail('outlook-web', ticket))
  await allSeen(2)
  expect(await repliesOf(pool, ticket.ticket_number)).toHaveLength(2)
  expect(server.visits().length).toBe(1)
})

test('a mail is not marked before it is committed', async () => {
  const sql = Object.assign(pool.world.sql.bind(null), pool.world.sql, {
    begin: () => Promise.reject(Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED' })),
  })
  const { world, said } = withLog({ ...pool.world, sql: sql as never })
  server.add(aMail('gmail', ticket))
  watch(world, 20)
  // More often than a mail may fail for a reason that stays.
  await until(() => said.length >= 5)
  expect(server.seen()).toEqual([false])
  await door?.stop()
  watch()
  await allSeen(1)
  expect(await repliesOf(pool, ticket.ticket_number)).toHaveLength(1)
})

test('a mail that can never be taken in is written down as lost, and the next one is taken', async () => {
  const storage = { ...pool.world.storage, keepBytes: () => Promise.reject(new TypeError('a mistake of ours')) }
  const { world } = withLog({ ...pool.world, storage })
  server.add(aMail('files-alone', ticket))
  server.add(aMail('gmail', ticket))
  watch(world, 20)
  await allSeen(2)
  expect(await inboundOf(pool, ticket.from)).toMatchObject([
    { verdict: 'empty', detail: 'Could not process the email: a mistake of ours' },
    { verdict: 'reply' },
  ])
})

test('a mail that is too large is written down, and not fetched', async () => {
  server.add(Buffer.concat([aPlainMail(ticket, ''), Buffer.alloc(41 * 1024 * 1024, 'x')]))
  watch()
  await allSeen(1)
  expect(await inboundOf(pool, ticket.from)).toMatchObject([
    { verdict: 'empty', detail: 'The email is larger than 40 MB.' },
  ])
})

test('a server that was away is found again, and the log says so once', async () => {
  const { world, said } = withLog()
  const { port } = server
  await server.close()
  watch(world, 60_000, port)
  await until(() => said.length > 0)
  server = await openImapServer({ port })
  server.add(aMail('gmail', ticket))
  await allSeen(1)
  expect(said.map(({ level, words }) => [level, words])).toEqual([
    ['error', 'Could not read the mailbox at INBOUND_IMAP_URL; will keep retrying'],
    ['info', 'IMAP mailbox is reachable again'],
  ])
})

test('a connection that broke off is opened again', async () => {
  watch()
  await until(() => server.visits().length === 1)
  server.drop()
  server.add(aMail('gmail', ticket))
  await allSeen(1)
  expect(server.visits().length).toBe(2)
})

test('a password that is wrong is said without it, and tried with longer and longer pauses', async () => {
  const { world, said } = withLog()
  server.letIn = false
  watch(world)
  await until(() => server.visits().length >= 4)
  const pauses = server.visits().map((at, n, all) => at - (all[n - 1] ?? at))
  for (const [n, least_ms] of [40, 80, 160].entries()) expect(pauses[n + 1]).toBeGreaterThan(least_ms - 2)
  expect(said).toHaveLength(1)
  expect(said[0]).toMatchObject({ level: 'error', fields: { why: expect.stringContaining('Wrong password') } })
  expect(JSON.stringify(said)).not.toContain('hush')
})

test('it stops while it waits, while it is away and while it signs in', async () => {
  watch()
  await until(() => server.visits().length === 1)
  await door?.stop()
  watch(withLog().world, 60_000, 1)
  await door?.stop()
  watch()
  await door?.stop()
})
