import { verify, X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { ApiError } from '../../platform/api-error.ts'
import { connectionError, ProviderUnavailableError } from '../gateway.ts'
import type { PaypalConfig } from '../gateway-config.ts'

type WebhookHeaders = Record<string, string | string[] | undefined>

/** Throws `invalid_signature` unless PayPal signed exactly this message for this webhook. */
export type PaypalCheck = (raw: Buffer, headers: WebhookHeaders) => Promise<void>

/**
 * developer.paypal.com/api/rest/webhooks/rest: RSA-SHA256 over `transmission id|time|webhook id|CRC32 of the body`,
 * with the key of the certificate the message names.
 *
 * The signature is not checked by verify-webhook-signature, because that call takes the body as JSON: it checks what
 * was parsed, not the bytes that were received. The message itself says where its certificate is, so only PayPal's own
 * URL for certificates is trusted. Old messages are not refused: PayPal repeats them for three days, and one that was
 * read before changes nothing.
 */
export function paypalCheck({ api, webhookId }: PaypalConfig, fetchFrom: typeof fetch): PaypalCheck {
  /** By URL, the newest last. URLs that PayPal has no certificate for are stored as null for a while. */
  const certificates = new Map<string, { certificate: X509Certificate | null; until: number }>()
  const pendingLoads = new Map<string, Promise<X509Certificate | null>>()
  let recentFetches: number[] = []

  /** Anyone can name a certificate in a message, so only a few are fetched each minute, and each URL once. */
  async function certificateAt(address: string): Promise<X509Certificate | null> {
    const cached = certificates.get(address)
    if (cached && Date.now() < cached.until) return cached.certificate
    const loaded = pendingLoads.get(address) ?? loadCertificate(address)
    pendingLoads.set(address, loaded)
    return loaded.finally(() => pendingLoads.delete(address))
  }

  async function loadCertificate(address: string): Promise<X509Certificate | null> {
    const now = Date.now()
    recentFetches = recentFetches.filter((at) => at > now - 60_000)
    if (recentFetches.length >= MAX_FETCHES_PER_MINUTE)
      throw new ProviderUnavailableError('Too many certificates were requested. PayPal will retry.', {
        reason: 'rate_limited',
      })
    recentFetches.push(now)
    const text = await fetchCertificate(address, fetchFrom)
    const certificate = text === null ? null : readCertificate(text)
    certificates.delete(address)
    certificates.set(address, {
      certificate,
      until: certificate ? Date.parse(certificate.validTo) : now + FAILURE_CACHE_MS,
    })
    const [oldest] = certificates.keys()
    if (certificates.size > MAX_CACHED && oldest) certificates.delete(oldest)
    return certificate
  }

  return async (raw, headers) => {
    const [id, time, signature, address] = ['id', 'time', 'sig']
      .map((name) => headers[`paypal-transmission-${name}`])
      .concat(headers['paypal-cert-url'])
    if (typeof id !== 'string' || typeof time !== 'string' || typeof signature !== 'string')
      throw invalidSignatureError()
    if (headers['paypal-auth-algo'] !== 'SHA256withRSA') throw invalidSignatureError()
    if (typeof address !== 'string' || !isPaypalUrl(address, api)) throw invalidSignatureError()
    if (!isPlausible(id, signature)) throw invalidSignatureError()
    const certificate = await certificateAt(address)
    if (!certificate) throw invalidSignatureError()
    const now = Date.now()
    if (now < Date.parse(certificate.validFrom) || now > Date.parse(certificate.validTo)) throw invalidSignatureError()
    const message = Buffer.from(`${id}|${time}|${webhookId}|${crc32(raw)}`)
    if (!verify('RSA-SHA256', message, certificate.publicKey, Buffer.from(signature, 'base64')))
      throw invalidSignatureError()
  }
}

const FAILURE_CACHE_MS = 10 * 60_000
const MAX_CACHED = 20
const MAX_FETCHES_PER_MINUTE = 5

/** The format of PayPal's ids, and a signature of 2048 to 4096 bits. */
const isPlausible = (id: string, signature: string): boolean =>
  /^[\w-]{16,64}$/.test(id) && /^[A-Za-z0-9+/]{342,684}={0,2}$/.test(signature)

const invalidSignatureError = (): ApiError => new ApiError('invalid_signature', 'Invalid PayPal webhook signature.')

/** Whether PayPal publishes certificates at this URL. Those of the sandbox are only valid in the sandbox. */
function isPaypalUrl(address: string, api: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, port, username, pathname } = new URL(address)
  const isSandbox = new URL(api).hostname !== 'api-m.paypal.com'
  const hosts = isSandbox
    ? ['api.sandbox.paypal.com', 'api-m.sandbox.paypal.com']
    : ['api.paypal.com', 'api-m.paypal.com']
  const isCertificatePath = /^\/v1\/notifications\/certs\/CERT(-[0-9a-f]{4,16}){2,5}$/i.test(pathname)
  return protocol === 'https:' && port === '' && username === '' && hosts.includes(hostname) && isCertificatePath
}

/** Null when PayPal has no such certificate. */
async function fetchCertificate(address: string, fetchFrom: typeof fetch): Promise<string | null> {
  try {
    const response = await fetchFrom(address, { redirect: 'error', signal: AbortSignal.timeout(10_000) })
    if (response.status === 404 || response.status === 400) return null
    if (!response.ok) throw new Error(`responded with ${response.status}`)
    return await response.text()
  } catch (error) {
    throw connectionError('PayPal’s certificate', error)
  }
}

function readCertificate(text: string): X509Certificate | null {
  try {
    return new X509Certificate(text)
  } catch {
    return null
  }
}
