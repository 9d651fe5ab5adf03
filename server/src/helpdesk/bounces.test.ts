import { account, members, membership, staff } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aReport, createPlainBounce } from '../../test/bounces.ts'
import { type MailServer, openMailServer } from '../../test/mail-server.ts'
import { INBOUND } from '../../test/mails.ts'
import { aMember } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { sendDigests } from '../newsletter/digests.ts'
import { renderEmail } from '../platform/email-template.ts'
import { queueMail, sendDueMail } from '../platform/outbox.ts'
import { createMailer } from '../platform/smtp.ts'
import { processInboundMail } from './inbound-mail.ts'

let pool: TestPool
let server: MailServer
let member: Awaited<ReturnType<typeof aMember>>
beforeAll(async () => {
  server = await openMailServer()
  pool = await openTestPool({ config: { inbound: INBOUND, smtpUrl: server.url, publicUrl: 'https://pool.example' } })
})
beforeEach(async () => {
  server.mails.length = 0
  server.senders.length = 0
  member = await aMember(pool.ctx)
})
afterAll(async () => {
  await Promise.all([server.close(), pool.close()])
})

/** With the pool's own domain as the sender's. */
const ctx = () =>
  ({
    ...pool.ctx,
    settings: { ...pool.ctx.settings, mailFrom: { name: 'Night Shift', address: 'no-reply@pool.example' } },
  }) as typeof pool.ctx

/** Sends an email to the member and returns what a bounce of it may contain. */
async function aSentMail() {
  const words = { to: member.email, subject: 'News', lines: ['Hello.'] }
  await queueMail(pool.ctx.sql, renderEmail({ poolName: 'Night Shift', publicUrl: 'https://pool.example' }, words), {
    reference: '',
  })
  const mailer = createMailer(ctx())
  while (await sendDueMail(pool.ctx, mailer));
  mailer?.close()
  return { to: member.email, messageId: server.mails.at(-1)?.messageId ?? '', back: server.senders.at(-1) ?? '' }
}

const handleMail = (raw: Buffer, to: string[] = []) => processInboundMail(ctx(), { raw, to })
const findBounceCounts = async () => {
  const [row] = await pool.ctx.sql<{ hard: number; soft: number }[]>`
    select hard, soft from bounced_address where address = ${member.email.toLowerCase()}`
  return row ? { ...row } : undefined
}
const [HARD, SOFT] = [
  { hard: 1, soft: 0 },
  { hard: 0, soft: 1 },
]

test('mail is sent with a return path and a Message-ID that cannot be forged', async () => {
  const { back: returnPath, messageId } = await aSentMail()
  expect(returnPath).toMatch(/^help\+b\d+\.[a-z2-7]{26}@pool\.example$/)
  expect(messageId).toMatch(/^<\d+\.\d+\.[a-z2-7]{26}@pool\.example>$/)
  expect(server.mails[0]?.from?.address).toBe('no-reply@pool.example')
})

test('sends the mail without the return path if the mail server rejects it', async () => {
  const rejectingServer = await openMailServer({
    rejectSender: (address) => (address.includes('+') ? '550 5.7.1 Not yours' : undefined),
  })
  const mailer = createMailer({ ...ctx(), config: { ...pool.ctx.config, smtpUrl: rejectingServer.url } })
  for (let n = 0; n < 2; n += 1) {
    const words = { to: member.email, subject: 'News', lines: ['Hello.'] }
    await queueMail(pool.ctx.sql, renderEmail({ poolName: 'Night Shift', publicUrl: 'https://pool.example' }, words), {
      reference: '',
    })
    while (await sendDueMail(pool.ctx, mailer));
  }
  expect(rejectingServer.senders).toEqual(['no-reply@pool.example', 'no-reply@pool.example'])
  mailer?.close()
  await rejectingServer.close()
})

test.each([
  ['5.1.1', undefined, HARD],
  ['5.1.10', undefined, HARD],
  ['5.4.4', '550 Host or domain name not found', HARD],
  ['5.0.0', '550 5.1.1 user unknown', HARD],
  ['5.0.0', '550 Requested action not taken: mailbox unavailable', HARD],
  ['5.2.2', '552 mailbox full', SOFT],
  ['5.7.1', '550 blocked by policy', SOFT],
  ['4.4.7', 'delivery time expired', SOFT],
])('a report of %s (%s) marks the address', async (status, diagnostic, mark) => {
  const sent = await aSentMail()
  expect(await handleMail(aReport({ ...sent, status, ...(diagnostic ? { diagnostic } : {}) }), [sent.back])).toBe(
    'bounce',
  )
  expect(await findBounceCounts()).toEqual(mark)
})

test.each([
  ['qmail', '<x@example.test>:\nSorry, no mailbox here by that name. (#5.1.1)', HARD],
  ['Exim', 'x@example.test\n  SMTP error from remote mail server: 550 No such user here', HARD],
  ['a full mailbox', 'The mailbox of the recipient is over quota.', SOFT],
  ['words that say nothing', 'It did not work.', SOFT],
])('a bounce of %s without a report marks the address', async (_, words, mark) => {
  const sent = await aSentMail()
  expect(await handleMail(createPlainBounce({}, words), [sent.back])).toBe('bounce')
  expect(await findBounceCounts()).toEqual(mark)
})

test('identifies a bounce without the return path by the Message-ID of the returned email', async () => {
  const { to, messageId } = await aSentMail()
  await handleMail(aReport({ to, messageId }))
  expect(await findBounceCounts()).toEqual(HARD)
})

test('a forged bounce marks no address', async () => {
  const { to, messageId, back: returnPath } = await aSentMail()
  const forged = (text: string) => text.replace(/\.[a-z2-7]{26}@/, `.${'a'.repeat(26)}@`)
  const another = await aSentMail()
  const mixed = returnPath.replace(/\+b\d+/, /\+b\d+/.exec(another.back)?.[0] ?? '')
  await handleMail(aReport({ to }))
  await handleMail(aReport({ to, messageId: forged(messageId) }), [forged(returnPath)])
  await handleMail(aReport({ to, messageId: messageId.replace(/\.[a-z2-7]{26}@/, '@') }))
  await handleMail(aReport({ to }), [mixed])
  expect(await findBounceCounts()).toBeUndefined()
})

test('an email that is only delayed, was delivered, or is answered automatically marks no address', async () => {
  const sent = await aSentMail()
  await handleMail(aReport({ ...sent, action: 'delayed', status: '4.4.1' }), [sent.back])
  await handleMail(aReport({ ...sent, action: 'delivered', status: '2.0.0' }), [sent.back])
  const autoReply = createPlainBounce({}, 'I am away. 5.1.1')
    .toString()
    .replace('From: MAILER-DAEMON@old.example', `From: ${member.email}\r\nAuto-Submitted: auto-replied`)
  await handleMail(Buffer.from(autoReply), [sent.back])
  expect(await findBounceCounts()).toBeUndefined()
})

test('the same email bounces only once, and a later hard bounce replaces a soft one', async () => {
  const sent = await aSentMail()
  const soft = aReport({ ...sent, status: '4.2.2' })
  await Promise.all([handleMail(soft, [sent.back]), handleMail(soft, [sent.back])])
  expect(await findBounceCounts()).toEqual(SOFT)
  for (let n = 0; n < 2; n += 1) await handleMail(aReport(sent), [sent.back])
  expect(await findBounceCounts()).toEqual({ hard: 1, soft: 1 })
})

test('stops the newsletter after two hard bounces, until the member confirms their address', async () => {
  const { sql } = pool.ctx
  await sql`
    insert into newsletter_subscriber (email, state, confirmed_at)
    values (${member.email.toLowerCase()}, 'subscribed', '2020-01-01')`
  const countDigests = async () => {
    await sql`delete from newsletter_digest`
    // A Friday: the digest of its week is due.
    await sendDigests({ ...ctx(), now: () => new Date('2026-11-20T16:00:00Z') })
    const rows = await sql`
      select 1 from newsletter_digest d join newsletter_subscriber using (newsletter_subscriber_id)
      where email = ${member.email.toLowerCase()}`
    return rows.length
  }
  const bounce = async () => {
    const sent = await aSentMail()
    await handleMail(aReport(sent), [sent.back])
  }
  await bounce()
  expect(await countDigests()).toBe(1)
  await bounce()
  expect(await countDigests()).toBe(0)
  const { profile } = await pool.ask(membership.getProfile, {}, member.token)
  expect(profile.email_bounced).toBe(true)
  expect((await pool.ask(account.confirmEmail, {}, member.token)).profile.email_bounced).toBe(false)
  expect(await countDigests()).toBe(1)
})

test('staff see bounces in the outgoing mail and on the member’s page', async () => {
  const sent = await aSentMail()
  await handleMail(aReport(sent), [sent.back])
  const { token } = await aMember(pool.ctx, { group_id: 4, staff_role: 'admin', application: 'none' })
  const { mails, counts } = await pool.ask(staff.getOutgoingMail, { state: 'bounced' }, token)
  expect(mails[0]).toMatchObject({
    to: member.email,
    state: 'sent',
    bounce_kind: 'hard',
    bounce_detail: expect.stringContaining('5.1.1'),
  })
  expect(counts.bounced).toBeGreaterThan(0)
  const page = await pool.ask(members.getMember, { customer_id: member.customer_id }, token)
  expect(page.member.bounces).toMatchObject({ hard: 1, soft: 0 })
})
