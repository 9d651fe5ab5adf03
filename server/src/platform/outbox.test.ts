import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { type MailServer, openMailServer } from '../../test/mail-server.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { readConfig } from './config.ts'
import { renderEmail } from './email-template.ts'
import type { Mailer } from './mailer.ts'
import { queueMail, requeueMail, sendDueMail, sweepMail } from './outbox.ts'
import { createMailer } from './smtp.ts'

const TEXT_OPTIONS: Record<string, string> = {
  'gone@example.test': '550 5.1.1 No such user',
  'full@example.test': '452 4.2.2 Mailbox full',
  'relay@example.test': '554 5.7.1 Relay access denied',
}

let pool: TestPool
let server: MailServer
let mailer: Mailer
beforeAll(async () => {
  pool = await openTestPool()
  server = await openMailServer({ reject: (address) => TEXT_OPTIONS[address] })
  mailer = mailerTo(server.url)
})
beforeEach(async () => {
  await pool.ctx.sql`delete from outgoing_mail`
  server.mails.length = 0
})
afterAll(async () => {
  mailer.close()
  await Promise.all([server.close(), pool.close()])
})

const mailerTo = (smtpUrl: string): Mailer =>
  createMailer({ ...pool.ctx, config: { ...pool.ctx.config, smtpUrl } }) as Mailer

const emailTo = (to: string, words = { lines: ['Hello.'] }) =>
  renderEmail({ poolName: 'Night Shift', publicUrl: 'https://pool.test' }, { to, subject: 'News for you', ...words })

const queue = (to: string, more: { linkMinutes?: number } = {}) =>
  queueMail(pool.ctx.sql, emailTo(to), { reference: '', ...more })
const makeDue = () => pool.ctx.sql`update outgoing_mail set next_attempt_at = now() where state = 'waiting'`
const rows = () => pool.ctx.sql`
  select state, attempts, last_error, html, body, round(extract(epoch from next_attempt_at - now()) / 60)::int as wait_minutes
  from outgoing_mail order by mail_id`

test('sends an email as HTML and plain text, with a sender, marked as automatic', async () => {
  await queue('dj@example.test')
  await sendDueMail(pool.ctx, mailer)
  const [mail] = server.mails
  expect(mail).toMatchObject({ subject: 'News for you', from: { name: 'Dubplate', address: 'no-reply@localhost' } })
  expect(mail?.text).toContain('Hello.')
  expect(mail?.html).toContain('Hello.')
  expect(mail?.headers.find(({ key }) => key === 'auto-submitted')?.value).toBe('auto-generated')
  expect(await rows()).toMatchObject([{ state: 'sent', attempts: 1, last_error: '' }])
})

test('an email only exists if its transaction is committed', async () => {
  const undone = pool.ctx.sql.begin(async (sql) => {
    await queueMail(sql, emailTo('dj@example.test'), { reference: '' })
    throw new Error('undone')
  })
  await expect(undone).rejects.toThrow('undone')
  expect(await rows()).toEqual([])
})

test('an email to an address that cannot exist is not queued', async () => {
  await queue('dj@crowd.invalid')
  expect(await rows()).toEqual([])
})

test('without a mail server emails wait, and no attempt is counted', async () => {
  await queue('dj@example.test')
  expect(createMailer(pool.ctx)).toBeUndefined()
  expect(await sendDueMail(pool.ctx, undefined)).toBe(false)
  expect(await rows()).toMatchObject([{ state: 'waiting', attempts: 0 }])
})

test('every email is sent once after an outage of the mail server, with growing delays', async () => {
  const away = await openMailServer()
  await away.close()
  const wayThere = mailerTo(away.url)
  await queue('one@example.test')
  await queue('two@example.test')
  await sendDueMail(pool.ctx, wayThere)
  expect(await rows()).toMatchObject([
    { state: 'waiting', attempts: 1, last_error: expect.stringContaining('ECONNREFUSED'), wait_minutes: 1 },
    { state: 'waiting', attempts: 1, wait_minutes: 1 },
  ])
  await makeDue()
  await sendDueMail(pool.ctx, wayThere)
  expect(await rows()).toMatchObject([{ wait_minutes: 5 }, { wait_minutes: 5 }])
  const back = await openMailServer({ port: away.port })
  await sendDueMail(pool.ctx, wayThere)
  expect(back.mails).toEqual([])
  await makeDue()
  await sendDueMail(pool.ctx, wayThere)
  await makeDue()
  await sendDueMail(pool.ctx, wayThere)
  wayThere.close()
  await back.close()
  expect(back.mails.map(({ to }) => to?.[0]?.address).sort()).toEqual(['one@example.test', 'two@example.test'])
})

test('an email fails after ten attempts and shows the reason', async () => {
  await queue('full@example.test')
  for (let n = 0; n < 12; n++) {
    await makeDue()
    await sendDueMail(pool.ctx, mailer)
  }
  expect(await rows()).toMatchObject([
    { state: 'failed', attempts: 10, last_error: expect.stringContaining('Mailbox full') },
  ])
})

test('an email that crashes its sender each time also fails after ten attempts', async () => {
  await queue('dj@example.test')
  let taken = 0
  const killed: Mailer = { send: () => new Promise(() => taken++), close: () => {} }
  for (let n = 1; n <= 10; n++) {
    await makeDue()
    void sendDueMail(pool.ctx, killed)
    await expect.poll(() => taken, { interval: 5 }).toBe(n)
  }
  await sendDueMail(pool.ctx, mailer)
  expect(await rows()).toMatchObject([{ state: 'waiting', attempts: 10 }])
  await makeDue()
  await sendDueMail(pool.ctx, mailer)
  expect(server.mails).toEqual([])
  expect(await rows()).toMatchObject([
    { state: 'failed', attempts: 10, last_error: 'The sending process stopped unexpectedly on every attempt.' },
  ])
})

test("an email is not sent after its link has expired, and keeps the server's error", async () => {
  const { sql } = pool.ctx
  await queue('full@example.test', { linkMinutes: 60 })
  await queue('dj@example.test', { linkMinutes: 60 })
  await queue('other@example.test')
  await sql`update outgoing_mail set next_attempt_at = now() + interval '1 day' where to_address <> 'full@example.test'`
  await sendDueMail(pool.ctx, mailer)
  await sql`update outgoing_mail set expires_at = now() where expires_at is not null`
  await makeDue()
  await sendDueMail(pool.ctx, mailer)
  expect(server.mails.map(({ to }) => to?.[0]?.address)).toEqual(['other@example.test'])
  expect(await rows()).toMatchObject([
    { state: 'failed', attempts: 1, last_error: expect.stringContaining('Mailbox full') },
    { state: 'failed', attempts: 0, last_error: 'The link expired before the email could be sent.' },
    { state: 'sent' },
  ])
  const [mail] = await sql<
    { mail_id: number }[]
  >`select mail_id from outgoing_mail where to_address = 'dj@example.test'`
  const again = requeueMail(sql, { smtpUrl: server.url }, mail?.mail_id ?? 0)
  await expect(again).rejects.toMatchObject({ code: 'email_not_resendable' })
})

test('an email to a recipient that does not exist fails at once; errors the operator can fix are retried', async () => {
  await queue('gone@example.test')
  await queue('relay@example.test')
  await queue('two words@@example.test')
  await sendDueMail(pool.ctx, mailer)
  expect(await rows()).toMatchObject([
    { state: 'failed', attempts: 1, last_error: expect.stringContaining('No such user') },
    { state: 'waiting', attempts: 1, last_error: expect.stringContaining('Relay access denied') },
    { state: 'failed', attempts: 1 },
  ])
})

test('signs in to the mail server with the user and password of SMTP_URL, with any characters; retries if they are wrong', async () => {
  const sender = { user: 'me@mail.test', password: 'p@ss:w/rd%' }
  const guarded = await openMailServer({ sender })
  const addressFor = (password: string) =>
    guarded.url.replace('//', `//${encodeURIComponent(sender.user)}:${encodeURIComponent(password)}@`)
  await queue('dj@example.test')
  const broken = mailerTo(addressFor('wrong'))
  await sendDueMail(pool.ctx, broken)
  expect(await rows()).toMatchObject([{ state: 'waiting', last_error: expect.stringContaining('Invalid') }])
  await makeDue()
  const mailer = mailerTo(addressFor(sender.password))
  await sendDueMail(pool.ctx, mailer)
  expect(guarded.mails).toHaveLength(1)
  broken.close()
  mailer.close()
  await guarded.close()
})

test('two workers at once send each email once', async () => {
  for (let n = 0; n < 50; n++) await queue(`dj${n}@example.test`)
  const other = mailerTo(server.url)
  const work = async (way: Mailer) => {
    while (await sendDueMail(pool.ctx, way));
  }
  await Promise.all([work(mailer), work(other), work(mailer)])
  await work(mailer)
  other.close()
  expect(server.mails).toHaveLength(50)
  expect(new Set(server.mails.map(({ messageId }) => messageId)).size).toBe(50)
})

test('another worker later sends the emails of a killed one, with the same Message-ID', async () => {
  await queue('dj@example.test')
  const sent: string[] = []
  const killed: Mailer = { send: ({ mail_id }) => new Promise(() => sent.push(String(mail_id))), close: () => {} }
  void sendDueMail(pool.ctx, killed)
  await expect.poll(() => sent).toHaveLength(1)
  await sendDueMail(pool.ctx, mailer)
  expect(server.mails).toEqual([])
  expect(await rows()).toMatchObject([{ state: 'waiting', wait_minutes: 5 }])
  await makeDue()
  await sendDueMail(pool.ctx, mailer)
  await pool.ctx.sql`update outgoing_mail set state = 'waiting'`
  await makeDue()
  await sendDueMail(pool.ctx, mailer)
  const [first, second] = server.mails
  expect(second?.messageId).toBe(first?.messageId)
})

test('removes a sign-in link from the outbox once the email was sent, and refuses to resend that email', async () => {
  const { sql } = pool.ctx
  const secret = renderEmail(
    { poolName: 'Night Shift', publicUrl: 'https://pool.test' },
    {
      to: 'dj@example.test',
      subject: 'Come in',
      lines: ['Hello.'],
      button: { label: 'Open', url: 'https://pool.test/k3y' },
    },
  )
  await queueMail(sql, secret, { reference: '', linkMinutes: 60 })
  expect(JSON.stringify(await rows())).toContain('k3y')
  await sendDueMail(pool.ctx, mailer)
  expect(server.mails[0]?.text).toContain('https://pool.test/k3y')
  expect(JSON.stringify(await rows())).not.toContain('k3y')
  const [mail] = await sql<{ mail_id: number }[]>`select mail_id from outgoing_mail`
  const again = requeueMail(sql, { smtpUrl: server.url }, mail?.mail_id ?? 0)
  await expect(again).rejects.toMatchObject({ code: 'email_not_resendable' })
})

test('sends an attachment with any file name and removes it from the outbox afterwards', async () => {
  const { sql } = pool.ctx
  const attachment = { name: 'Räkning "1".pdf', type: 'application/pdf', bytes: Buffer.from('%PDF-1.7\0\r\n.\r\nend') }
  await queueMail(sql, emailTo('dj@example.test'), { reference: '', attachment })
  await queue('plain@example.test')
  await sendDueMail(pool.ctx, mailer)
  const [withFile, plain] = server.mails.sort((a) => (a.to?.[0]?.address === 'dj@example.test' ? -1 : 1))
  expect(withFile?.text).toContain('Hello.')
  expect(withFile?.attachments).toHaveLength(1)
  const [file] = withFile?.attachments ?? []
  expect(file).toMatchObject({ filename: attachment.name, mimeType: 'application/pdf', disposition: 'attachment' })
  expect(Buffer.from(file?.content as ArrayBuffer).equals(attachment.bytes)).toBe(true)
  expect(plain?.attachments).toEqual([])
  const [row] = await sql<{ mail_id: number; attachment: Buffer | null }[]>`
    select mail_id, attachment from outgoing_mail where to_address = 'dj@example.test'`
  expect(row?.attachment).toBeNull()
  const again = requeueMail(sql, { smtpUrl: server.url }, row?.mail_id ?? 0)
  await expect(again).rejects.toMatchObject({
    code: 'email_not_resendable',
    message: expect.stringContaining('attachment'),
  })
})

test('a failed email keeps its attachment, and can be sent again with it', async () => {
  const { sql } = pool.ctx
  const attachment = { name: 'a.pdf', type: 'application/pdf', bytes: Buffer.from('%PDF-1.7') }
  await queueMail(sql, emailTo('gone@example.test'), { reference: '', attachment })
  await sendDueMail(pool.ctx, mailer)
  const [row] = await sql<
    { mail_id: number }[]
  >`update outgoing_mail set to_address = 'dj@example.test' returning mail_id`
  await requeueMail(sql, { smtpUrl: server.url }, row?.mail_id ?? 0)
  await sendDueMail(pool.ctx, mailer)
  expect(server.mails[0]?.attachments).toHaveLength(1)
})

test('a failed email can be sent again, with all its attempts; not without a mail server', async () => {
  const { sql } = pool.ctx
  await queue('gone@example.test')
  await sendDueMail(pool.ctx, mailer)
  const [mail] = await sql<{ mail_id: number }[]>`select mail_id from outgoing_mail`
  const mailId = mail?.mail_id ?? 0
  await expect(requeueMail(sql, { smtpUrl: undefined }, mailId)).rejects.toMatchObject({ code: 'mail_not_configured' })
  await expect(requeueMail(sql, { smtpUrl: server.url }, 999_999)).rejects.toMatchObject({ code: 'unknown_email' })
  await requeueMail(sql, { smtpUrl: server.url }, mailId)
  expect(await rows()).toMatchObject([{ state: 'waiting', attempts: 0, last_error: '', wait_minutes: 0 }])
})

test('deletes finished emails after ninety days, and no waiting ones', async () => {
  const { sql } = pool.ctx
  for (const to of ['sent@example.test', 'failed@example.test', 'waits@example.test']) await queue(to)
  await sql`update outgoing_mail set next_attempt_at = now() - interval '91 days',
    state = split_part(replace(to_address, 'waits', 'waiting'), '@', 1)`
  await sql`update outgoing_mail set sent_at = now() - interval '89 days' where state = 'sent'`
  await sweepMail(sql)
  expect(await rows()).toMatchObject([{ state: 'sent' }, { state: 'waiting' }])
})

test('escapes text in an email, in both forms', () => {
  const { html, text, subject } = renderEmail(
    { poolName: 'Drum & "Bass"', publicUrl: 'https://pool.test' },
    {
      to: 'dj@example.test',
      subject: 'One\nBcc: two@example.test',
      lines: ['<script>alert(1)</script>', 'first\nsecond'],
      button: { label: 'A & B', url: 'https://pool.test/?a=1&b="2"' },
      note: 'small print',
    },
  )
  expect(subject).toBe('One Bcc: two@example.test')
  expect(html).not.toMatch(/<script|<img|"2"/)
  expect(html).toContain('first<br>second')
  expect(html).toContain('Drum &#38; &#34;Bass&#34;')
  expect(text).toContain(
    '<script>alert(1)</script>\n\nfirst\nsecond\n\nA & B:\nhttps://pool.test/?a=1&b="2"\n\nsmall print',
  )
})

test('names an invalid mail server or sender, without the password', () => {
  const secret = 'a secret of at least thirty-two characters'
  const from = (MAIL_FROM?: string) =>
    readConfig({ SECRET: secret, PUBLIC_URL: 'https://pool.test:8443/', MAIL_FROM }).settings.mailFrom
  // Without a name the current name of the pool is used when an email is sent.
  expect(from()).toEqual({ name: '', address: 'no-reply@pool.test' })
  expect(from('door@pool.test')).toEqual({ name: '', address: 'door@pool.test' })
  expect(from('The Door <door@pool.test>')).toEqual({ name: 'The Door', address: 'door@pool.test' })
  expect(() => from('The Door')).toThrow(/^Invalid MAIL_FROM="The Door": expected a sender name and email address/)
  expect(() => readConfig({ SECRET: secret, SMTP_URL: 'http://me:hush@mail.test' })).toThrow(
    'Invalid SMTP_URL="http://me:…@mail.test": expected an SMTP URL, such as smtps://user:password@mail.example.',
  )
})

test('marks an address that is rejected permanently as bounced', async () => {
  await pool.ctx.sql`delete from bounced_address`
  for (const to of ['gone@example.test', 'full@example.test', 'relay@example.test']) await queue(to)
  await sendDueMail(pool.ctx, mailer)
  const marked = await pool.ctx.sql`select address, hard, soft, detail from bounced_address`
  expect([...marked]).toMatchObject([
    { address: 'gone@example.test', hard: 1, soft: 0, detail: '550 5.1.1 No such user' },
  ])
})
