import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aMail, anOpenTicket, aPlainMail, INBOUND, listReplies } from '../../test/mails.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { textOf } from '../platform/rich-text.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool({ config: { inbound: INBOUND } })
})
afterAll(() => pool.close())

let ticket: Awaited<ReturnType<typeof anOpenTicket>>
beforeEach(async () => {
  ticket = await anOpenTicket(pool)
})

const postMail = (payload: Buffer | string, contentType: string, secret: string = INBOUND.webhookSecret) =>
  pool.app.inject({
    method: 'POST',
    url: `/webhooks/mail/${secret}`,
    headers: { 'content-type': contentType },
    payload,
  })

/** Encodes a multipart form as browsers and providers do. */
async function multipart(fields: Record<string, Buffer | string>) {
  const boundary = 'xYzZY'
  const parts = Object.entries(fields).map(([name, value]) =>
    Buffer.concat([
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n`),
      Buffer.from(value),
      Buffer.from('\r\n'),
    ]),
  )
  return {
    body: Buffer.concat([...parts, Buffer.from(`--${boundary}--\r\n`)]),
    type: `multipart/form-data; boundary=${boundary}`,
  }
}

const urlEncoded = (name: string, raw: Buffer): string =>
  `recipient=x&${name}=${[...raw].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')}`

/** An email whose bytes are not UTF-8, so that decoding it as text would corrupt it. */
const raw = () => aMail('windows-1252', ticket)

test.each([
  ['as it is', () => postMail(raw(), 'message/rfc822')],
  [
    'in the field `email`, as SendGrid sends it',
    async () => {
      const { body, type } = await multipart({ headers: 'x', email: raw(), envelope: `{"to":["${ticket.to}"]}` })
      return postMail(body, type)
    },
  ],
  [
    'in the field `body-mime`, as Mailgun sends it',
    () =>
      postMail(urlEncoded('body-mime', raw()), 'application/x-www-form-urlencoded', `${INBOUND.webhookSecret}/mime`),
  ],
  [
    'in `body-mime` of a form with parts',
    async () => {
      const { body, type } = await multipart({ 'body-mime': raw() })
      return postMail(body, type)
    },
  ],
])('an email %s becomes a reply, with its bytes unchanged', async (_, deliver) => {
  const answer = await deliver()
  expect([answer.statusCode, answer.json()]).toEqual([200, { verdict: 'reply' }])
  const [reply] = await listReplies(pool, ticket.ticket_number)
  expect(textOf(reply?.details ?? '')).toBe('Größer als 5 € – “sehr” schön.')
})

test('an email in JSON, as sent by Postmark, becomes a reply', async () => {
  const mail = aPlainMail({ from: ticket.from, to: 'somebody@else.example' }, 'Grüße').toString()
  const body = { RawEmail: mail, OriginalRecipient: ticket.to }
  expect((await postMail(JSON.stringify(body), 'application/json; charset=utf-8')).json()).toEqual({
    verdict: 'reply',
  })
  expect((await listReplies(pool, ticket.ticket_number))[0]?.details).toBe('<p>Grüße</p>')
})

test('an email delivered twice, or by another provider, becomes one reply', async () => {
  const mail = raw()
  expect((await postMail(mail, 'message/rfc822')).json()).toEqual({ verdict: 'reply' })
  expect((await postMail(urlEncoded('body-mime', mail), 'application/x-www-form-urlencoded')).json()).toEqual({
    verdict: 'duplicate',
  })
})

test('returns 200 for mail that is not a reply, so that it is not sent again', async () => {
  const answer = await postMail(aMail('spoofed-name', ticket), 'message/rfc822')
  expect([answer.statusCode, answer.json()]).toEqual([200, { verdict: 'unknown_sender' }])
})

test('returns 404 without the right secret', async () => {
  for (const secret of ['a-secret-of-the-webhook-0002', 'x', `${INBOUND.webhookSecret}x`, 'x/mime']) {
    const answer = await postMail(raw(), 'message/rfc822', secret)
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'unknown_endpoint'])
  }
  expect(await listReplies(pool, ticket.ticket_number)).toEqual([])
})

test.each([
  ['nothing', '', 'message/rfc822', 400],
  ['no JSON', '{', 'application/json', 400],
  ['JSON without a mail', '{"TextBody":"x"}', 'application/json', 400],
  ['a form without a mail', 'a=b', 'application/x-www-form-urlencoded', 400],
  ['a form without parts', 'x', 'multipart/form-data', 400],
  ['a page', '<p>', 'text/html', 415],
])('refuses %s', async (_, payload, type, status) => {
  expect((await postMail(payload, type)).statusCode).toBe(status)
})

test('refuses an email above forty megabytes', async () => {
  expect((await postMail(Buffer.alloc(41 * 1024 * 1024, 'x'), 'message/rfc822')).statusCode).toBe(413)
  expect((await postMail(Buffer.alloc(61 * 1024 * 1024, 'x'), 'message/rfc822')).statusCode).toBe(413)
})

test('a pool without the setting has no webhook', async () => {
  const poolWithoutSecret = await openTestPool({ config: { inbound: { ...INBOUND, webhookSecret: undefined } } })
  const answer = await poolWithoutSecret.app.inject({
    method: 'POST',
    url: `/webhooks/mail/${INBOUND.webhookSecret}`,
    payload: 'x',
  })
  await poolWithoutSecret.close()
  expect(answer.statusCode).toBe(404)
})
