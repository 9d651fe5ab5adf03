import { support } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aMail, anOpenTicket, aPlainMail, INBOUND, listInboundMail, listReplies, mailNames } from '../../test/mails.ts'
import { aMember } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import type { AppContext } from '../app-context.ts'
import { textOf } from '../platform/rich-text.ts'
import { StorageUnavailableError } from '../platform/storage.ts'
import {
  type InboundMail,
  isTransientError,
  processInboundMail,
  recordUnreadableMail,
  sweepInboundMail,
} from './inbound-mail.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool({ config: { inbound: INBOUND } })
})
afterAll(() => pool.close())

let ticket: Awaited<ReturnType<typeof anOpenTicket>>
beforeEach(async () => {
  ticket = await anOpenTicket(pool)
})

const handleMail = (raw: Buffer, more: Omit<InboundMail, 'raw'> = {}) => processInboundMail(pool.ctx, { raw, ...more })
const processFixture = (name: string, more: Omit<InboundMail, 'raw'> = {}) => handleMail(aMail(name, ticket), more)
const replies = () => listReplies(pool, ticket.ticket_number)

/** Emails that people wrote in reply to their tickets. */
const PERSON_MAILS = mailNames.filter(
  (name) => !/^(away-|list|loop|read-receipt|bounce|delivered|spoofed|two-senders|only-quotes|broken-mime)/.test(name),
)

test('there are sample emails from many programs', () => {
  expect(mailNames.length).toBeGreaterThan(40)
  expect(PERSON_MAILS.length).toBeGreaterThan(25)
})

test.each(PERSON_MAILS)('%s becomes a reply, once', async (name) => {
  expect(await processFixture(name)).toBe('reply')
  expect(await processFixture(name)).toBe('duplicate')
  const [reply, ...more] = await replies()
  expect(more).toEqual([])
  expect(reply).toMatchObject({ via: 'mail' })
  expect(textOf(reply?.details ?? '')).not.toBe('')
})

test('stores text and quote separately, and reopens the ticket to wait for staff', async () => {
  await pool.ctx.sql`
    update ticket set status = 'close', closed_at = now(), awaiting_reply_from = 'customer' where ticket_number = ${ticket.ticket_number}`
  await processFixture('gmail')
  expect(await replies()).toMatchObject([
    {
      details: '<p>It works with Firefox, thank you!</p><p>Kwame</p>',
      quoted: expect.stringContaining('another browser'),
    },
  ])
  const [after] = await pool.ctx.sql`
    select status, awaiting_reply_from from ticket where ticket_number = ${ticket.ticket_number}`
  expect(after).toEqual({ status: 'open', awaiting_reply_from: 'staff' })
})

test('adds the attachments to the reply', async () => {
  await processFixture('pictures')
  expect((await replies())[0]?.files).toEqual(['Größe.txt', 'message-2.eml', 'shot.png'])
})

test('records the sender, the subject and the result of an email', async () => {
  await processFixture('gmail')
  expect(await listInboundMail(pool, ticket.from)).toMatchObject([
    {
      ...{
        verdict: 'reply',
        from_address: ticket.from,
        subject: 'Re: Download stops at 40% [ticket 1001]',
        detail: '',
      },
      ticket_number: expect.any(Number),
    },
  ])
})

test.each([
  'away-gmail',
  'away-exchange',
  'away-suppress',
  'away-old',
  'away-vacation',
  'list',
  'loop',
  'read-receipt',
  'delivered',
])('%s is automatic, and not added as a reply', async (name) => {
  const pooled = aMail(name, { ...ticket, pool: pool.ctx.settings.mailFrom.address })
  expect(await handleMail(pooled)).toBe('automatic')
  expect(await replies()).toEqual([])
})

test('an email of the pool that comes back to it is not a reply', async () => {
  const id = `12.1778745600000@${new URL(pool.ctx.config.publicUrl).hostname}`
  expect(await handleMail(withId(id))).toBe('automatic')
  expect(await handleMail(aPlainMail({ from: 'help@pool.example', to: ticket.to }, 'x'))).toBe('automatic')
  expect(await handleMail(aPlainMail({ from: ticket.to, to: ticket.to }, 'x'))).toBe('automatic')
})

const withId = (id: string): Buffer =>
  Buffer.from(
    aPlainMail(ticket, 'x')
      .toString()
      .replace(/Message-ID: <[^>]*>/, `Message-ID: <${id}>`),
  )

test.each([
  ['bounce-postfix', 'failed: 5.1.1: smtp; 550 5.1.1 <kwame@example.test>: User unknown'],
  ['bounce-exchange', 'failed: 5.2.2: SMTP;554 5.2.2 mailbox full'],
  ['bounce-gmail', 'failed: 5.1.1: smtp; 550-5.1.1 The email account that you tried to reach does not exist.'],
  ['bounce-in-words', expect.stringContaining('Sorry, no mailbox here by that name. (#5.1.1)')],
  ['bounce-delayed', 'delayed: 4.4.1'],
  ['bounce-of-nobody', 'Could not be delivered.'],
])('%s is shown to staff in the ticket, with the server’s response', async (name, detail) => {
  expect(await processFixture(name)).toBe('bounce')
  expect(await replies()).toEqual([])
  const staff = await aMember(pool.ctx, { group_id: 4, staff_role: 'support', application: 'none' })
  const seen = await pool.ask(support.getTicket, { ticket_number: ticket.ticket_number }, staff.token)
  expect(seen.rejected_mail).toMatchObject([{ verdict: 'bounce', detail }])
})

test('an email with an empty return path is a bounce, whatever its transport', async () => {
  expect(await handleMail(aPlainMail(ticket, 'x'), { returnPath: '' })).toBe('bounce')
  expect(await handleMail(aPlainMail(ticket, 'x'), { returnPath: ticket.from })).toBe('reply')
})

test('strangers cannot write to a ticket, even if they know its address', async () => {
  for (const name of ['spoofed-name', 'two-senders']) expect(await processFixture(name)).toBe('unknown_sender')
  const other = await aMember(pool.ctx)
  expect(await handleMail(aPlainMail({ from: other.email, to: ticket.to }, 'x'))).toBe('unknown_sender')
  expect(await replies()).toEqual([])
  const rows = await pool.ctx.sql`
    select verdict from inbound_mail where ticket_number = ${ticket.ticket_number}`
  expect(rows.map(({ verdict }) => verdict)).toEqual(['unknown_sender', 'unknown_sender', 'unknown_sender'])
})

test('compares the sender with the member’s current address', async () => {
  const now = `new-${ticket.from}`
  await pool.ctx.sql`update customer set email = ${now.toUpperCase()} where customer_id = ${ticket.customer_id}`
  expect(await handleMail(aPlainMail(ticket, 'x'))).toBe('unknown_sender')
  expect(await handleMail(aPlainMail({ ...ticket, from: now }, 'x'))).toBe('reply')
})

test('ignores emails from a suspended member', async () => {
  await pool.ctx.sql`update customer set status = 'suspended' where customer_id = ${ticket.customer_id}`
  expect(await handleMail(aPlainMail(ticket, 'x'))).toBe('unknown_sender')
})

test('only a valid signature identifies a ticket', async () => {
  const other = await anOpenTicket(pool)
  const [mine, otherTicket] = [ticket.to, other.to].map((to) => /\+(\d+)\.(\w+)@/.exec(to) ?? [])
  const mixed = `help+${otherTicket?.[1]}.${mine?.[2]}@pool.example`
  const wrong = [
    'help@pool.example',
    mixed,
    'help+1.aaaaaaaaaaaaaaaaaaaaaaaaaa@pool.example',
    'help+999999999.x@pool.example',
  ]
  for (const to of wrong) expect(await handleMail(aPlainMail({ from: ticket.from, to }, 'x'))).toBe('unknown')
  expect(await listReplies(pool, other.ticket_number)).toEqual([])
})

test.each(['Cc', 'Delivered-To', 'X-Original-To'])('finds the address in %s', async (header) => {
  const raw = aPlainMail({ from: ticket.from, to: 'somebody@else.example' }, 'x').toString()
  expect(await handleMail(Buffer.from(`${header}: ${ticket.to}\r\n${raw}`))).toBe('reply')
})

test('finds the address in the envelope', async () => {
  const raw = aPlainMail({ from: ticket.from, to: 'undisclosed-recipients:;' }, 'x')
  expect(await handleMail(raw)).toBe('unknown')
  expect(await handleMail(raw, { to: [ticket.to] })).toBe('reply')
})

test('the same email received twice at the same time is one reply, with its files once', async () => {
  const verdicts = await Promise.all(Array.from({ length: 4 }, () => processFixture('pictures')))
  expect(verdicts.sort()).toEqual(['duplicate', 'duplicate', 'duplicate', 'reply'])
  expect(await replies()).toMatchObject([{ files: ['Größe.txt', 'message-2.eml', 'shot.png'] }])
})

test('identifies an email without an id by its content, whatever was added on its way', async () => {
  const raw = aMail('without-an-id', ticket)
  const viaSmtp = `Received: by mx.example\r\nDelivered-To: ${ticket.to}\r\n${raw}`.replaceAll('\r\n', '\n')
  expect(await handleMail(raw)).toBe('reply')
  expect(await handleMail(Buffer.from(viaSmtp))).toBe('duplicate')
  expect(await handleMail(Buffer.from(raw.toString().replace('no trouble', 'another one')))).toBe('reply')
})

test('does not add an empty email, and records why', async () => {
  expect(await processFixture('only-quotes')).toBe('empty')
  expect(await processFixture('broken-mime')).toBe('empty')
  expect(await replies()).toEqual([])
  expect((await listInboundMail(pool, ticket.from))[0]).toMatchObject({
    verdict: 'empty',
    detail: 'The email contains no text of its own.',
  })
})

test('an email that cannot be parsed is recorded and causes no error', async () => {
  const raw = Buffer.concat([aPlainMail(ticket, ''), Buffer.alloc(1_500_000, '\r\n')])
  expect(await handleMail(raw)).toBe('empty')
})

test('accepts twenty emails per hour for a ticket', async () => {
  const verdicts = []
  for (let n = 0; n < 21; n++) verdicts.push(await handleMail(aPlainMail(ticket, `${n}`)))
  expect(verdicts).toEqual([...Array(20).fill('reply'), 'too_many'])
  expect(await replies()).toHaveLength(20)
  const other = await anOpenTicket(pool)
  expect(await handleMail(aPlainMail(other, 'x'))).toBe('reply')
})

/** The same pool while its storage is unavailable. */
const contextWithoutStorage = (): AppContext => ({
  ...pool.ctx,
  storage: {
    ...pool.ctx.storage,
    putBytes: () => Promise.reject(new StorageUnavailableError('File storage is unavailable')),
  },
})
const waiting = () => pool.ctx.sql`
  select 1 from ticket_file where customer_id = ${ticket.customer_id} and ticket_number is null
    and created_at > '-infinity'`

test('an email is not lost because it was retried often while the storage was unavailable', async () => {
  const raw = aMail('pictures', ticket)
  for (let n = 0; n < 25; n++)
    await expect(processInboundMail(contextWithoutStorage(), { raw })).rejects.toThrow('File storage is unavailable')
  expect(await handleMail(raw)).toBe('reply')
})

test('releases the files of an email that is a duplicate or could not be stored completely', async () => {
  const raw = aMail('pictures', ticket)
  const { storage } = pool.ctx
  let left = 2
  const putTwice: typeof storage.putBytes = (...args) =>
    left-- > 0 ? storage.putBytes(...args) : Promise.reject(new StorageUnavailableError('File storage is unavailable'))
  const result = await processInboundMail({ ...pool.ctx, storage: { ...storage, putBytes: putTwice } }, { raw }).catch(
    (error) => error,
  )
  expect(isTransientError(result)).toBe(true)
  expect(await waiting()).toHaveLength(0)
  await Promise.all(Array.from({ length: 4 }, () => handleMail(raw)))
  expect(await waiting()).toHaveLength(0)
  expect(await replies()).toMatchObject([{ files: ['Größe.txt', 'message-2.eml', 'shot.png'] }])
})

test.each(['ENOSPC', 'EROFS', 'EDQUOT', 'EIO'])('%s from the disk is a temporary error', (code) => {
  expect(isTransientError(Object.assign(new Error(), { code }))).toBe(true)
})

test('staff see in the ticket that an email to it was lost', async () => {
  await recordUnreadableMail(pool.ctx, aPlainMail(ticket, 'x'), 'The email is larger than 40 MB.')
  expect(await listInboundMail(pool, ticket.from)).toMatchObject([
    { verdict: 'empty', detail: 'The email is larger than 40 MB.', ticket_number: ticket.ticket_number },
  ])
})

test('characters that no database accepts and endless text do no harm', async () => {
  const raw = aPlainMail(ticket, 'a\0b\ud800')
    .toString()
    .replace('Subject: Re: x', `Subject: a\0${'b'.repeat(3000)}`)
  expect(await handleMail(Buffer.from(raw))).toBe('reply')
  expect((await replies())[0]?.details).toContain('ab')
})

test('rejects mail temporarily while the database is unavailable', async () => {
  const unavailableSql = {
    ...pool.ctx,
    sql: Object.assign(() => Promise.reject(Object.assign(new Error(), { code: 'ECONNREFUSED' }))),
  }
  const result = await processInboundMail(
    { ...pool.ctx, sql: unavailableSql.sql as never },
    { raw: aPlainMail(ticket, 'x') },
  ).catch((error) => error)
  expect(isTransientError(result)).toBe(true)
  expect(isTransientError(new TypeError('x'))).toBe(false)
})

test('deletes the records of inbound mail after 90 days', async () => {
  const newerTicket = await anOpenTicket(pool)
  await handleMail(aPlainMail(ticket, 'x'))
  await handleMail(aPlainMail(newerTicket, 'x'))
  await pool.ctx
    .sql`update inbound_mail set received_at = now() - interval '91 days' where from_address = ${ticket.from}`
  await pool.ctx
    .sql`update inbound_mail set received_at = now() - interval '89 days' where from_address = ${newerTicket.from}`
  await sweepInboundMail(pool.ctx.sql)
  expect(await listInboundMail(pool, ticket.from)).toEqual([])
  expect(await listInboundMail(pool, newerTicket.from)).toHaveLength(1)
})
