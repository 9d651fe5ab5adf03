import { createHash, timingSafeEqual } from 'node:crypto'
import type { FastifyInstance, RouteHandlerMethod } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import { type InboundMail, MAX_MAIL_BYTES, processInboundMail } from './inbound-mail.ts'

/** Escaping in a form or in JSON makes an email longer. */
const MAX_BODY_BYTES = MAX_MAIL_BYTES + MAX_MAIL_BYTES / 2

const RATE = { max: 600, timeWindow: '1 minute' }

/** The form fields that contain the email: SendGrid's raw one, and Mailgun's. */
const MAIL_FIELDS = ['email', 'body-mime']
/** Fields with the envelope recipient: plain text from Mailgun, JSON from SendGrid. */
const RECIPIENT_FIELDS = ['recipient', 'envelope']

/**
 * POST /webhooks/mail/SECRET, also with /mime appended: an email that a provider received for the pool, either raw
 * (message/rfc822), or in a form or JSON as SendGrid, Mailgun and Postmark send it. Replies 200 once it is recorded,
 * 4xx when it is refused permanently, and 503 when it should be sent again.
 */
export function serveInboundWebhook(app: FastifyInstance, ctx: AppContext): void {
  const secret = ctx.config.inbound?.webhookSecret
  if (!secret) return
  app.register(async (webhook) => {
    webhook.removeAllContentTypeParsers()
    // Parsed as bytes, because an email is not text before it is decoded.
    webhook.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body)
    // Checked before the body is read, so that strangers cannot fill the memory.
    webhook.addHook('onRequest', async (request) => {
      const { secret: receivedSecret } = request.params as { secret: string }
      if (!isEqualConstantTime(receivedSecret, secret)) throw new ApiError('unknown_endpoint', 'Unknown API endpoint.')
    })
    const options = { bodyLimit: MAX_BODY_BYTES, config: { rateLimit: RATE } }
    const handleMail: RouteHandlerMethod = async (request, reply) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0)
      const mail = parseInboundMail(body, request.headers['content-type'] ?? '')
      if (mail.raw.length > MAX_MAIL_BYTES) throw new ApiError('too_large', 'The email is too large.')
      return reply.header('cache-control', 'no-store').send({ verdict: await processInboundMail(ctx, mail) })
    }
    webhook.post('/webhooks/mail/:secret', options, handleMail)
    // Mailgun only sends raw emails to URLs that end in /mime.
    webhook.post('/webhooks/mail/:secret/mime', options, handleMail)
  })
}

/** Compares in constant time, so that the duration reveals nothing. */
const isEqualConstantTime = (receivedSecret: string, expectedSecret: string): boolean =>
  timingSafeEqual(sha256Of(receivedSecret), sha256Of(expectedSecret))
const sha256Of = (text: string): Buffer => createHash('sha256').update(text).digest()

/** Returns the email in a request. Throws `invalid_request` and `unsupported_media_type`. */
function parseInboundMail(body: Buffer, contentType: string): InboundMail {
  const [type = ''] = contentType.toLowerCase().split(';')
  switch (type.trim()) {
    case 'message/rfc822':
      return toInboundMail(body)
    case 'application/json':
      return parseMailFromJson(body)
    case 'application/x-www-form-urlencoded':
      return parseMailFromFields(parseFormFields(body))
    case 'multipart/form-data':
      return parseMailFromFields(multipartFields(body, contentType))
    default:
      throw new ApiError('unsupported_media_type', 'Send emails as message/rfc822, a form or JSON.')
  }
}

function toInboundMail(raw: Buffer | undefined, to: string[] = []): InboundMail {
  if (!raw?.length)
    throw new ApiError('invalid_request', 'The request contains no email. Turn on raw messages at your email provider.')
  return { raw, to }
}

/** Parses the JSON of Postmark with raw emails turned on. */
function parseMailFromJson(body: Buffer): InboundMail {
  try {
    const { RawEmail, OriginalRecipient } = JSON.parse(body.toString()) ?? {}
    if (typeof RawEmail === 'string') return toInboundMail(Buffer.from(RawEmail), [String(OriginalRecipient ?? '')])
  } catch {
    throw new ApiError('invalid_request', 'The request body isn’t valid JSON.')
  }
  return toInboundMail(undefined)
}

type FormField = { name: string; value: Buffer }

function parseMailFromFields(fields: FormField[]): InboundMail {
  const valuesOf = (names: string[]) => fields.filter(({ name }) => names.includes(name)).map(({ value }) => value)
  return toInboundMail(
    valuesOf(MAIL_FIELDS)[0],
    valuesOf(RECIPIENT_FIELDS).map((value) => value.toString()),
  )
}

/** Fields of a form as bytes (https://url.spec.whatwg.org/#urlencoded-parsing). */
function parseFormFields(body: Buffer): FormField[] {
  return body
    .toString('latin1')
    .split('&')
    .map((pair) => {
      const separatorAt = pair.indexOf('=')
      const [name, value] = separatorAt < 0 ? [pair, ''] : [pair.slice(0, separatorAt), pair.slice(separatorAt + 1)]
      return { name: decodePercent(name).toString(), value: decodePercent(value) }
    })
}

const decodePercent = (text: string): Buffer =>
  Buffer.from(
    text
      .replaceAll('+', ' ')
      .replace(/%([0-9a-f]{2})/gi, (_, byte: string) => String.fromCharCode(Number.parseInt(byte, 16))),
    'latin1',
  )

/** Fields of a multipart form as bytes (RFC 7578). */
function multipartFields(body: Buffer, contentType: string): FormField[] {
  const [, quoted, bare] = /boundary=(?:"([^"]{1,200})"|([^;\s]{1,200}))/i.exec(contentType) ?? []
  const boundary = `--${quoted ?? bare}`
  const fields: FormField[] = []
  let at = body.indexOf(boundary)
  while (at >= 0 && fields.length < 200) {
    const next = body.indexOf(`\r\n${boundary}`, at + boundary.length)
    const field = next < 0 ? undefined : parsePart(body.subarray(at + boundary.length, next))
    if (field) fields.push(field)
    at = next < 0 ? next : next + 2
  }
  return fields
}

function parsePart(part: Buffer): FormField | undefined {
  const gap = part.indexOf('\r\n\r\n')
  const [, name] = /[;\s]name="([^"]*)"/i.exec(part.toString('latin1', 0, Math.max(0, gap))) ?? []
  return name === undefined ? undefined : { name, value: part.subarray(gap + 4) }
}
