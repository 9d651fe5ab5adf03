import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import { type InboundMail, LARGEST_MAIL_BYTES, takeInMail } from './inbound-mail.ts'

/** A form or JSON makes a mail longer by what it escapes. */
const BODY_BYTES = LARGEST_MAIL_BYTES + LARGEST_MAIL_BYTES / 2

const RATE = { max: 600, timeWindow: '1 minute' }

/** Where forms carry the mail: SendGrid's raw ones, and Mailgun's. */
const MAIL_FIELDS = ['email', 'body-mime']
/** Whom it was handed over for: Mailgun says it plainly, SendGrid as JSON. */
const RECIPIENT_FIELDS = ['recipient', 'envelope']

/**
 * POST /webhooks/mail/SECRET, also with /mime behind it: a mail that a provider took in for the pool. As it is (message/rfc822), or in a form or JSON as
 * SendGrid, Mailgun and Postmark send it. 200 says that it is written down; refused for good with 4xx, to come again with 503.
 */
export function serveInboundWebhook(app: FastifyInstance, world: World): void {
  const secret = world.config.inbound?.webhookSecret
  if (!secret) return
  app.register(async (webhook) => {
    webhook.removeAllContentTypeParsers()
    // As bytes: a mail is not text before it is read.
    webhook.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body)
    // Before the body is read, so that nobody else fills the memory.
    webhook.addHook('onRequest', async (request) => {
      const { secret: given } = request.params as { secret: string }
      if (!isSame(given, secret)) throw new Refusal('unknown_endpoint', 'Unknown API endpoint.')
    })
    const options = { bodyLimit: BODY_BYTES, config: { rateLimit: RATE } }
    const take: RouteHandlerMethod = async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const mail = mailIn(body, request.headers['content-type'] ?? '')
      if (mail.raw.length > LARGEST_MAIL_BYTES) throw new Refusal('too_large', 'The email is too large.')
      return reply.header('cache-control', 'no-store').send({ verdict: await takeInMail(world, mail) })
    }
    webhook.post('/webhooks/mail/:secret', options, take)
    // Mailgun sends whole mails only to an address that ends so.
    webhook.post('/webhooks/mail/:secret/mime', options, take)
  })
}

/** How long this takes tells nothing. */
const isSame = (given: string, right: string): boolean => timingSafeEqual(hashed(given), hashed(right))
const hashed = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The mail in a request. Refuses `invalid_request` and `unsupported_media_type`. */
function mailIn(body: Buffer, contentType: string): InboundMail {
  const [type = ''] = contentType.toLowerCase().split(';')
  switch (type.trim()) {
    case 'message/rfc822':
      return given(body)
    case 'application/json':
      return mailInJson(body)
    case 'application/x-www-form-urlencoded':
      return mailInFields(formFields(body))
    case 'multipart/form-data':
      return mailInFields(multipartFields(body, contentType))
    default:
      throw new Refusal('unsupported_media_type', 'Send emails as message/rfc822, a form or JSON.')
  }
}

function given(raw: Buffer | undefined, to: string[] = []): InboundMail {
  if (!raw?.length)
    throw new Refusal('invalid_request', 'The request contains no email. Turn on raw messages at your email provider.')
  return { raw, to }
}

/** As Postmark sends it, with the raw mail switched on. */
function mailInJson(body: Buffer): InboundMail {
  try {
    const { RawEmail, OriginalRecipient } = JSON.parse(body.toString()) ?? {}
    if (typeof RawEmail === 'string') return given(Buffer.from(RawEmail), [String(OriginalRecipient ?? '')])
  } catch {
    throw new Refusal('invalid_request', 'The request body isn’t valid JSON.')
  }
  return given(undefined)
}

type Field = { name: string; value: Buffer }

function mailInFields(fields: Field[]): InboundMail {
  const one = (names: string[]) => fields.filter(({ name }) => names.includes(name)).map(({ value }) => value)
  return given(
    one(MAIL_FIELDS)[0],
    one(RECIPIENT_FIELDS).map((value) => value.toString()),
  )
}

/** Fields of a form as bytes (https://url.spec.whatwg.org/#urlencoded-parsing). */
function formFields(body: Buffer): Field[] {
  return body
    .toString('latin1')
    .split('&')
    .map((pair) => {
      const cut = pair.indexOf('=')
      const [name, value] = cut < 0 ? [pair, ''] : [pair.slice(0, cut), pair.slice(cut + 1)]
      return { name: unescaped(name).toString(), value: unescaped(value) }
    })
}

const unescaped = (text: string): Buffer =>
  Buffer.from(
    text
      .replaceAll('+', ' ')
      .replace(/%([0-9a-f]{2})/gi, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16))),
    'latin1',
  )

/** Fields of a multipart form as bytes (RFC 7578). */
function multipartFields(body: Buffer, contentType: string): Field[] {
  const [, quoted, bare] = /boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i.exec(contentType) ?? []
  const boundary = `--${quoted ?? bare}`
  const fields: Field[] = []
  let at = body.indexOf(boundary)
  while (at >= 0 && fields.length < 200) {
    const next = body.indexOf(`\r\n${boundary}`, at + boundary.length)
    const field = next < 0 ? undefined : partIn(body.subarray(at + boundary.length, next))
    if (field) fields.push(field)
    at = next < 0 ? next : next + 2
  }
  return fields
}

function partIn(part: Buffer): Field | undefined {
  const gap = part.indexOf('\r\n\r\n')
  const [, name] = /[;\s]name="([^"]*)"/i.exec(part.toString('latin1', 0, Math.max(0, gap))) ?? []
  return name === undefined ? undefined : { name, value: part.subarray(gap + 4) }
}
