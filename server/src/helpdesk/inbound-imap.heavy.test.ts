import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { type ImapServer, openImapServer } from '../../test/imap-server.ts'
import { aMail, anOpenTicket, aPlainMail, INBOUND, listInboundMail, listReplies } from '../../test/mails.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import type { AppContext } from '../app-context.ts'
import { type ImapListener, watchMailbox } from './inbound-imap.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool({ config: { inbound: INBOUND } })
})
afterAll(() => pool.close())

let server: ImapServer
let mailbox: ImapListener | undefined
let ticket: Awaited<ReturnType<typeof anOpenTicket>>
beforeEach(async () => {
  server = await openImapServer()
  ticket = await anOpenTicket(pool)
})
afterEach(async () => {
  await mailbox?.stop()
  await server.close()
})

function watcher(ctx: AppContext = pool.ctx, pollIntervalMs = 60_000, port = server.port): void {
  const imap = { host: '127.0.0.1', port, secure: false, user: 'u', password: 'hush', mailbox: 'INBOX' }
  mailbox = watchMailbox(ctx, imap, { pollIntervalMs, initialRetryMs: 20 })
}

/** Collects log lines with their level. */
function captureLog(ctx: AppContext = pool.ctx) {
  const logLines: { level: string; words: string; fields: object }[] = []
  const level = (name: string) => (fields: object, words: string) => void logLines.push({ level: name, fields, words })
  const log = Object.fromEntries(['info', 'warn', 'error', 'debug'].map((name) => [name, level(name)]))
  return { ctx: { ...ctx, log: log as unknown as AppContext['log'] }, logLines }
}

const waitUntil = (what: () => unknown) =>
  vi.waitFor(async () => expect(await what()).toBeTruthy(), { timeout: 60_000, interval: 15 })
const waitUntilAllSeen = (n: number) =>
  waitUntil(() => server.listSeen().length === n && server.listSeen().every(Boolean))

test('turns unread mail in the mailbox into replies and marks it as seen', async () => {
  server.add(aMail('gmail', ticket))
  server.add(aMail('spoofed-name', ticket))
  server.add(aMail('iso-2022-jp', ticket))
  watcher()
  await waitUntilAllSeen(3)
  expect(await listReplies(pool, ticket.ticket_number)).toHaveLength(2)
  expect((await listInboundMail(pool, 'evil@other.example')).at(-1)).toMatchObject({ verdict: 'unknown_sender' })
})

test('processes mail that arrives while connected at once', async () => {
  watcher()
  await waitUntil(() => server.listVisits().length === 1)
  server.add(aMail('gmail', ticket))
  await waitUntilAllSeen(1)
  server.add(aMail('outlook-web', ticket))
  await waitUntilAllSeen(2)
  expect(await listReplies(pool, ticket.ticket_number)).toHaveLength(2)
  expect(server.listVisits().length).toBe(1)
})

test('marks an email as seen only after it is committed', async () => {
  const sql = Object.assign(pool.ctx.sql.bind(null), pool.ctx.sql, {
    begin: () => Promise.reject(Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED' })),
  })
  const { ctx, logLines } = captureLog({ ...pool.ctx, sql: sql as never })
  server.add(aMail('gmail', ticket))
  watcher(ctx, 20)
  // More often than an email may fail for a permanent reason.
  await waitUntil(() => logLines.length >= 5)
  expect(server.listSeen()).toEqual([false])
  await mailbox?.stop()
  watcher()
  await waitUntilAllSeen(1)
  expect(await listReplies(pool, ticket.ticket_number)).toHaveLength(1)
})

test('records an email that can never be processed as lost, and processes the next one', async () => {
  const storage = { ...pool.ctx.storage, putBytes: () => Promise.reject(new TypeError('a mistake of ours')) }
  const { ctx } = captureLog({ ...pool.ctx, storage })
  server.add(aMail('files-alone', ticket))
  server.add(aMail('gmail', ticket))
  watcher(ctx, 20)
  await waitUntilAllSeen(2)
  expect(await listInboundMail(pool, ticket.from)).toMatchObject([
    { verdict: 'empty', detail: 'Could not process the email: a mistake of ours' },
    { verdict: 'reply' },
  ])
})

test('records an email that is too large without fetching it', async () => {
  server.add(Buffer.concat([aPlainMail(ticket, ''), Buffer.alloc(41 * 1024 * 1024, 'x')]))
  watcher()
  await waitUntilAllSeen(1)
  expect(await listInboundMail(pool, ticket.from)).toMatchObject([
    { verdict: 'empty', detail: 'The email is larger than 40 MB.' },
  ])
})

test('reconnects after an outage, and logs it once', async () => {
  const { ctx, logLines } = captureLog()
  const { port } = server
  await server.close()
  watcher(ctx, 60_000, port)
  await waitUntil(() => logLines.length > 0)
  server = await openImapServer({ port })
  server.add(aMail('gmail', ticket))
  await waitUntilAllSeen(1)
  expect(logLines.map(({ level, words }) => [level, words])).toEqual([
    ['error', 'Could not read the mailbox at INBOUND_IMAP_URL; will keep retrying'],
    ['info', 'IMAP mailbox is reachable again'],
  ])
})

test('reopens a broken connection', async () => {
  watcher()
  await waitUntil(() => server.listVisits().length === 1)
  server.disconnectClients()
  server.add(aMail('gmail', ticket))
  await waitUntilAllSeen(1)
  expect(server.listVisits().length).toBe(2)
})

test('logs a wrong password without revealing it, and retries with increasing delays', async () => {
  const { ctx, logLines } = captureLog()
  server.acceptsLogin = false
  watcher(ctx)
  await waitUntil(() => server.listVisits().length >= 4)
  const pauses = server.listVisits().map((at, n, all) => at - (all[n - 1] ?? at))
  for (const [n, least_ms] of [40, 80, 160].entries()) expect(pauses[n + 1]).toBeGreaterThan(least_ms - 2)
  expect(logLines).toHaveLength(1)
  expect(logLines[0]).toMatchObject({ level: 'error', fields: { why: expect.stringContaining('Wrong password') } })
  expect(JSON.stringify(logLines)).not.toContain('hush')
})

test('stops while waiting, during an outage and while signing in', async () => {
  watcher()
  await waitUntil(() => server.listVisits().length === 1)
  await mailbox?.stop()
  watcher(captureLog().ctx, 60_000, 1)
  await mailbox?.stop()
  watcher()
  await mailbox?.stop()
})
