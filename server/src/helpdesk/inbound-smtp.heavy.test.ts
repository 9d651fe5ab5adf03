import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync } from 'node:fs'
import { connect, createServer, Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { support } from '@dubplate/contract'
import { createTransport } from 'nodemailer'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { deliverMail, findMailTo, openMailServer } from '../../test/mail-server.ts'
import { aMail, anOpenTicket, aPlainMail, INBOUND, listInboundMail, listReplies } from '../../test/mails.ts'
import { aMember } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { waitUntil } from '../../test/wait-until.ts'
import type { AppContext } from '../app-context.ts'
import { ConfigError } from '../platform/config.ts'
import { listenForMail, type SmtpListener } from './inbound-smtp.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool({ config: { inbound: INBOUND } })
})
afterAll(() => pool.close())

let ticket: Awaited<ReturnType<typeof anOpenTicket>>
let listener: SmtpListener
const open = (ctx: AppContext = pool.ctx, port = 0) => listenForMail(ctx, { host: '127.0.0.1', port, tls: undefined })
beforeEach(async () => {
  ticket = await anOpenTicket(pool)
  listener = await open()
})
afterEach(() => listener.stop())

type Envelope = { from: string; to: string | string[] }

/** Sends an email like another mail server; returns the response. */
async function send(raw: Buffer, envelope: Partial<Envelope> = {}, port = listener.port): Promise<string> {
  const transport = createTransport({ host: '127.0.0.1', port, ignoreTLS: true, pool: false })
  try {
    const sent = await transport.sendMail({ raw, envelope: { from: ticket.from, to: ticket.to, ...envelope } })
    return sent.response
  } catch (error) {
    return (error as { response?: string }).response ?? String(error)
  } finally {
    transport.close()
  }
}

const replies = () => listReplies(pool, ticket.ticket_number)

test('a reply by email is in the ticket when the mail server receives 250', async () => {
  expect(await send(aMail('gmail', ticket))).toMatch(/^250 /)
  expect(await replies()).toHaveLength(1)
})

test('emails a staff reply, and adds the answer to it as the next reply', async () => {
  const { ctx } = pool
  const staff = await aMember(ctx, { group_id: 4, staff_role: 'support', application: 'none' })
  const details = '<p>Try <b>again</b>.</p>'
  await pool.ask(support.answerTicket, { ticket_number: ticket.ticket_number, details, after_reply_id: 0 }, staff.token)
  const server = await openMailServer()
  await deliverMail({ ...ctx, config: { ...ctx.config, smtpUrl: server.url } })
  await server.close()
  const [email] = findMailTo(server, ticket.from)
  const thread = `<ticket.${ticket.ticket_number}@localhost>`
  expect(email).toMatchObject({ inReplyTo: thread, references: thread, html: expect.stringContaining(details) })
  const answered = createTransport({ streamTransport: true, buffer: true, newline: 'windows' }).sendMail({
    from: ticket.from,
    to: email?.replyTo?.[0]?.address,
    subject: `Re: ${email?.subject}`,
    inReplyTo: email?.messageId,
    references: `${email?.references} ${email?.messageId}`,
    text: `Done, thanks.\n\nOn Thu, May 14, 2026 at 9:58 AM Night Shift wrote:\n\n${email?.text?.replace(/^/gm, '> ')}`,
  })
  expect(await send((await answered).message as Buffer, { to: email?.replyTo?.[0]?.address ?? '' })).toMatch(/^250 /)
  expect(await replies()).toMatchObject([
    { via: 'page', details },
    { via: 'mail', details: '<p>Done, thanks.</p>', quoted: expect.stringContaining('Try again.') },
  ])
})

test('adds an email that is sent twice only once, without an error', async () => {
  const raw = aMail('outlook-web', ticket)
  expect(await send(raw)).toMatch(/^250 /)
  expect(await send(raw)).toMatch(/^250 /)
  expect(await replies()).toHaveLength(1)
})

test.each([
  ['spoofed-name', /^550 .*only accepted from the email address of the account/],
  ['only-quotes', /^550 This email contains only quoted text/],
])('rejects %s with the reason', async (name, sentence) => {
  expect(await send(aMail(name, ticket))).toMatch(sentence)
  expect(await replies()).toEqual([])
})

test('rejects mail for an unknown ticket', async () => {
  expect(
    await send(aPlainMail({ from: ticket.from, to: 'help@pool.example' }, 'x'), { to: 'help@pool.example' }),
  ).toMatch(/^550 Ticket not found/)
})

test.each(['away-gmail', 'bounce-postfix'])('accepts %s silently, so that no mail loop starts', async (name) => {
  expect(await send(aMail(name, ticket), { from: '' })).toMatch(/^250 /)
  expect(await replies()).toEqual([])
})

test('never sends email in response', async () => {
  await send(aMail('spoofed-name', ticket))
  await send(aMail('away-gmail', ticket))
  expect(await pool.ctx.sql`select 1 from outgoing_mail where state = 'waiting'`).toEqual([])
})

test('refuses other recipients before the message is sent', async () => {
  for (const to of ['somebody@pool.example', 'help@other.example', 'helper+1.x@pool.example']) {
    expect(await send(aPlainMail(ticket, 'x'), { to })).toMatch(/^550 This address does not accept mail/)
  }
})

test('an email to two tickets is added to each of them', async () => {
  const transport = createTransport({ host: '127.0.0.1', port: listener.port, ignoreTLS: true })
  const other = await anOpenTicket(pool)
  const sent = await transport.sendMail({
    raw: aPlainMail(ticket, 'x'),
    envelope: { from: ticket.from, to: [ticket.to, other.to] },
  })
  expect(sent.rejected).toEqual([other.to])
  expect(sent.rejectedErrors?.[0]).toMatchObject({ responseCode: 452 })
})

test('refuses an email that is too large, whether or not its size is declared', async () => {
  const raw = Buffer.concat([aPlainMail(ticket, ''), Buffer.alloc(41 * 1024 * 1024, 'x'.repeat(70).concat('\r\n'))])
  expect(await send(raw)).toMatch(/^552 /)
  expect(await sendLines(['EHLO x', `MAIL FROM:<a@b.example> SIZE=${50 * 1024 * 1024}`])).toMatch(/^552 /)
  expect(await replies()).toEqual([])
})

test('defers messages that do not fit into memory (451)', async () => {
  const limitedListener = await listenForMail(
    pool.ctx,
    { host: '127.0.0.1', port: 0, tls: undefined },
    { maxBytes: 2000 },
  )
  const [small, large] = [1, 100].map((times) => aPlainMail(ticket, 'words '.repeat(times * 10)))
  const responses = []
  for (const raw of [large, small]) responses.push(await send(raw as Buffer, {}, limitedListener.port))
  await limitedListener.stop()
  expect(responses).toEqual([expect.stringMatching(/^451 Too many messages right now/), expect.stringMatching(/^250 /)])
})

/** Sends these lines, each after the previous response, and returns the last response. */
async function sendLines(lines: string[], port = listener.port): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('utf8')
  let answer = await readResponse(socket)
  for (const line of lines) {
    socket.write(`${line}\r\n`)
    answer = await readResponse(socket)
  }
  socket.destroy()
  return answer
}

async function readResponse(socket: ReturnType<typeof connect>): Promise<string> {
  let text = ''
  while (!/^\d{3} .*\r\n$/m.test(text)) text += (await once(socket, 'data'))[0]
  return text.trim().split('\r\n').at(-1) ?? ''
}

test('offers no authentication, and no encryption without a certificate of its own', async () => {
  expect(await sendLines(['EHLO x', 'AUTH LOGIN'])).toMatch(/^5\d\d /)
  expect(await sendLines(['EHLO x', 'STARTTLS'])).toMatch(/^5\d\d /)
})

const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-smtp-'))
const [key, cert] = ['key', 'cert'].map((name) => path.join(folder, name)) as [string, string]
const hasOpenssl = spawnSync('openssl', [
  ...[
    'req',
    '-x509',
    '-newkey',
    'ec',
    '-pkeyopt',
    'ec_paramgen_curve:prime256v1',
    '-nodes',
    '-subj',
    '/CN=pool.example',
  ],
  ...['-keyout', key, '-out', cert],
])

test.skipIf(hasOpenssl.status !== 0)('accepts encrypted mail with a certificate of its own', async () => {
  const tls = { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }
  const encrypted = await listenForMail(pool.ctx, { host: '127.0.0.1', port: 0, tls })
  const transport = createTransport({
    port: encrypted.port,
    host: '127.0.0.1',
    requireTLS: true,
    tls: { ca: tls.cert, servername: 'pool.example' },
  })
  const sent = await transport.sendMail({ raw: aMail('gmail', ticket), envelope: { from: ticket.from, to: ticket.to } })
  await encrypted.stop()
  expect(sent.response).toMatch(/^250 /)
})

test('does not accept a mail whose transfer was cut off', async () => {
  const socket = connect(listener.port, '127.0.0.1').setEncoding('utf8')
  await readResponse(socket)
  for (const line of ['EHLO x', `MAIL FROM:<${ticket.from}>`, `RCPT TO:<${ticket.to}>`, 'DATA']) {
    socket.write(`${line}\r\n`)
    await readResponse(socket)
  }
  socket.write(aPlainMail(ticket, 'The first half of'))
  socket.destroy()
  await listener.stop()
  expect(await replies()).toEqual([])
  expect(await listInboundMail(pool, ticket.from)).toEqual([])
})

test('asks the sender to retry while the database is unavailable, and accepts the email then', async () => {
  const unavailableSql = Object.assign(
    () => Promise.reject(Object.assign(new Error('away'), { code: 'ECONNREFUSED' })),
    {},
  )
  const closedListener = await open({ ...pool.ctx, sql: unavailableSql as never })
  const raw = aMail('gmail', ticket)
  expect(await send(raw, {}, closedListener.port)).toMatch(/^451 /)
  await closedListener.stop()
  expect(await send(raw)).toMatch(/^250 /)
  expect(await replies()).toHaveLength(1)
})

test('does not reply 250 before the reply is committed', async () => {
  const sql = Object.assign(pool.ctx.sql.bind(null), pool.ctx.sql, {
    begin: () => Promise.reject(Object.assign(new Error('gone'), { code: 'CONNECTION_CLOSED' })),
  })
  const closedListener = await open({ ...pool.ctx, sql: sql as never })
  expect(await send(aMail('gmail', ticket), {}, closedListener.port)).toMatch(/^451 /)
  await closedListener.stop()
  expect(await replies()).toEqual([])
})

/** A context in which nothing is committed until the test resumes it. */
function slowContext() {
  let [resume, markReached] = [() => {}, () => {}]
  const go = new Promise<void>((done) => {
    resume = done
  })
  const handlerReached = new Promise<void>((done) => {
    markReached = done
  })
  const begin = async (work: never) => {
    markReached()
    await go
    return pool.ctx.sql.begin(work)
  }
  const sql = Object.assign(pool.ctx.sql.bind(null), pool.ctx.sql, { begin }) as unknown as AppContext['sql']
  return { ctx: { ...pool.ctx, sql }, reached: handlerReached, goOn: resume }
}

test('stopping waits for a mail in progress, accepts no other, and closes idle connections', async () => {
  const { ctx, reached: handlerReached, goOn: resume } = slowContext()
  const stopping = await open(ctx)
  const idle = connect(stopping.port, '127.0.0.1').setEncoding('utf8')
  await readResponse(idle)
  const sending = send(aMail('gmail', ticket), {}, stopping.port)
  await handlerReached
  const stopped = stopping.stop()
  for (const line of ['EHLO x', 'MAIL FROM:<a@b.example>']) idle.write(`${line}\r\n`)
  let answer = ''
  while (!answer.startsWith('421 ')) answer = await readResponse(idle)
  resume()
  expect(await sending).toMatch(/^250 /)
  await stopped
  expect(await replies()).toHaveLength(1)
  await expect(once(connect(stopping.port, '127.0.0.1'), 'connect')).rejects.toThrow('ECONNREFUSED')
})

test('retries a port until it is free, and stops retrying when it is closed', async () => {
  const busyServer = createServer().listen(0, '127.0.0.1')
  await once(busyServer, 'listening')
  const { port } = busyServer.address() as { port: number }
  const listening = vi.spyOn(Server.prototype, 'listen')
  const listener = await listenForMail(pool.ctx, { host: '127.0.0.1', port, tls: undefined }, { retryDelayMs: 10 })
  try {
    await waitUntil(() => expect(listening.mock.calls.length).toBeGreaterThan(12))
    const tcp = listening.mock.contexts[0] as Server
    for (const event of ['listening', 'error']) expect(tcp.listenerCount(event), event).toBeLessThan(4)
    busyServer.close()
    await waitUntil(() => expect(tcp.listening).toBe(true))
  } finally {
    listening.mockRestore()
    await listener.stop()
  }
})

test('a port in use does not stop the worker; an address this machine does not have does', async () => {
  const busyServer = createServer().listen(0, '127.0.0.1')
  await once(busyServer, 'listening')
  const { port } = busyServer.address() as { port: number }
  await (await open(pool.ctx, port)).stop()
  busyServer.close()
  const unreachable = listenForMail(pool.ctx, { host: '192.0.2.1', port: 0, tls: undefined })
  await expect(unreachable).rejects.toThrow(ConfigError)
  await expect(unreachable).rejects.toThrow('Invalid INBOUND_SMTP_HOST="192.0.2.1" or INBOUND_SMTP_PORT="0": ')
})
