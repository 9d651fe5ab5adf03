import { account, members, membership, staff } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aReport, inWords } from '../../test/bounces.ts'
import { type MailServer, openMailServer } from '../../test/mail-server.ts'
import { INBOUND } from '../../test/mails.ts'
import { aMember } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { sendDigests } from '../newsletter/digests.ts'
import { writeLetter } from '../platform/letter.ts'
import { queueMail, sendDueMail } from '../platform/outbox.ts'
import { openPost } from '../platform/smtp.ts'
import { takeInMail } from './inbound-mail.ts'

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
  member = await aMember(pool.world)
})
afterAll(async () => {
  await Promise.all([server.close(), pool.close()])
})

/** As the operator has set it: the pool's own domain. */
const world = () =>
  ({
    ...pool.world,
    settings: { ...pool.world.settings, mailFrom: { name: 'Night Shift', address: 'no-reply@pool.example' } },
  }) as typeof pool.world

/** Sends a mail to the member: what a bounce of it may know. */
async function aSentMail() {
  const words = { to: member.email, subject: 'News', lines: ['Hello.'] }
  await queueMail(pool.world.sql, writeLetter({ poolName: 'Night Shift', publicUrl: 'https://pool.example' }, words), {
    whose: '',
  })
  const post = openPost(world())
  while (await sendDueMail(pool.world, post));
  post?.close()
  return { to: member.email, messageId: server.mails.at(-1)?.messageId ?? '', back: server.senders.at(-1) ?? '' }
}

const take = (raw: Buffer, to: string[] = []) => takeInMail(world(), { raw, to })
const markOf = async () => {
  const [row] = await pool.world.sql<{ hard: number; soft: number }[]>`
    select hard, soft from bounced_address where address = ${member.email.toLowerCase()}`
  return row ? { ...row } : undefined
}
const [HARD, SOFT] = [
  { hard: 1, soft: 0 },
  { hard: 0, soft: 1 },
]

test('mail is sent with a return path and a Message-ID that cannot be forged', async () => {
  const { back, messageId } = await aSentMail()
  expect(back).toMatch(/^help\+b\d+\.[a-z2-7]{26}@pool\.example$/)
  expect(messageId).toMatch(/^<\d+\.\d+\.[a-z2-7]{26}@pool\.example>$/)
  expect(server.mails[0]?.from?.address).toBe('no-reply@pool.example')
})

test('a mail server that refuses the return path gets the mail without it', async () => {
  const picky = await openMailServer({
    refuseSender: (address) => (address.includes('+') ? '550 5.7.1 Not yours' : undefined),
  })
  const post = openPost({ ...world(), config: { ...pool.world.config, smtpUrl: picky.url } })
  for (let n = 0; n < 2; n += 1) {
    const words = { to: member.email, subject: 'News', lines: ['Hello.'] }
    await queueMail(
      pool.world.sql,
      writeLetter({ poolName: 'Night Shift', publicUrl: 'https://pool.example' }, words),
      { whose: '' },
    )
    while (await sendDueMail(pool.world, post));
  }
  expect(picky.senders).toEqual(['no-reply@pool.example', 'no-reply@pool.example'])
  post?.close()
  await picky.close()
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
  expect(await take(aReport({ ...sent, status, ...(diagnostic ? { diagnostic } : {}) }), [sent.back])).toBe('bounce')
  expect(await markOf()).toEqual(mark)
})

test.each([
  ['qmail', '<x@example.test>:\nSorry, no mailbox here by that name. (#5.1.1)', HARD],
  ['Exim', 'x@example.test\n  SMTP error from remote mail server: 550 No such user here', HARD],
  ['a full mailbox', 'The mailbox of the recipient is over quota.', SOFT],
  ['words that say nothing', 'It did not work.', SOFT],
])('a bounce of %s in words alone marks the address', async (_, words, mark) => {
  const sent = await aSentMail()
  expect(await take(inWords({}, words), [sent.back])).toBe('bounce')
  expect(await markOf()).toEqual(mark)
})

test('a bounce without the return path is known by the Message-ID of the mail within', async () => {
  const { to, messageId } = await aSentMail()
  await take(aReport({ to, messageId }))
  expect(await markOf()).toEqual(HARD)
})

test('a forged bounce marks no address', async () => {
  const { to, messageId, back } = await aSentMail()
  const forged = (text: string) => text.replace(/\.[a-z2-7]{26}@/, `.${'a'.repeat(26)}@`)
  const another = await aSentMail()
  const mixed = back.replace(/\+b\d+/, /\+b\d+/.exec(another.back)?.[0] ?? '')
  await take(aReport({ to }))
  await take(aReport({ to, messageId: forged(messageId) }), [forged(back)])
  await take(aReport({ to, messageId: messageId.replace(/\.[a-z2-7]{26}@/, '@') }))
  await take(aReport({ to }), [mixed])
  expect(await markOf()).toBeUndefined()
})

test('a mail that is only delayed, was delivered, or is answered by a program marks no address', async () => {
  const sent = await aSentMail()
  await take(aReport({ ...sent, action: 'delayed', status: '4.4.1' }), [sent.back])
  await take(aReport({ ...sent, action: 'delivered', status: '2.0.0' }), [sent.back])
  const away = inWords({}, 'I am away. 5.1.1')
    .toString()
    .replace('From: MAILER-DAEMON@old.example', `From: ${member.email}\r\nAuto-Submitted: auto-replied`)
  await take(Buffer.from(away), [sent.back])
  expect(await markOf()).toBeUndefined()
})

test('the same mail bounces once, and a later hard bounce outweighs a soft one', async () => {
  const sent = await aSentMail()
  const soft = aReport({ ...sent, status: '4.2.2' })
  await Promise.all([take(soft, [sent.back]), take(soft, [sent.back])])
  expect(await markOf()).toEqual(SOFT)
  for (let n = 0; n < 2; n += 1) await take(aReport(sent), [sent.back])
  expect(await markOf()).toEqual({ hard: 1, soft: 1 })
})

test('after two hard bounces the newsletter stops, until the member says that the address is right', async () => {
  const { sql } = pool.world
  await sql`
    insert into newsletter_subscriber (email, state, confirmed_at)
    values (${member.email.toLowerCase()}, 'subscribed', '2020-01-01')`
  const turns = async () => {
    await sql`delete from newsletter_digest`
    // A Friday: the digest of its week is due.
    await sendDigests({ ...world(), now: () => new Date('2026-11-20T16:00:00Z') })
    const rows = await sql`
      select 1 from newsletter_digest d join newsletter_subscriber using (newsletter_subscriber_id)
      where email = ${member.email.toLowerCase()}`
    return rows.length
  }
  const bounce = async () => {
    const sent = await aSentMail()
    await take(aReport(sent), [sent.back])
  }
  await bounce()
  expect(await turns()).toBe(1)
  await bounce()
  expect(await turns()).toBe(0)
  const { profile } = await pool.ask(membership.getProfile, {}, member.token)
  expect(profile.email_bounced).toBe(true)
  expect((await pool.ask(account.confirmEmail, {}, member.token)).profile.email_bounced).toBe(false)
  expect(await turns()).toBe(1)
})

test('staff see what bounced in the outgoing mail and on the page of the member', async () => {
  const sent = await aSentMail()
  await take(aReport(sent), [sent.back])
  const { token } = await aMember(pool.world, { group_id: 4, staff_role: 'admin', application: 'none' })
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
