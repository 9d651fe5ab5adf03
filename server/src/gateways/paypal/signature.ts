import { verify, X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { Refusal } from '../../platform/refusal.ts'
import { connectionTrouble, ProviderAway } from '../gateway.ts'
import type { PaypalConfig } from '../gateway-config.ts'

type Headers = Record<string, string | string[] | undefined>

/** Throws Refusal `invalid_signature` unless PayPal signed this very message for this webhook. */
export type PaypalCheck = (raw: Buffer, headers: Headers) => Promise<void>

/**
 * developer.paypal.com/api/rest/webhooks/rest: RSA-SHA256 over `transmission id|time|webhook id|CRC32 of the body`, with the
 * key of the certificate the message names.
 *
 * It is checked here and not by verify-webhook-signature, because that call takes the body as JSON again: what it judges is
 * what was parsed, not the bytes that came. Since the message says itself where its certificate is, only PayPal's own
 * address for certificates is believed. An old message is not refused: PayPal repeats one for three days, and
 * one that was read before changes nothing.
 */
export function paypalCheck({ api, webhookId }: PaypalConfig, fetchFrom: typeof fetch): PaypalCheck {
  /** By address, the newest last. What PayPal has nothing for is kept as null for a while. */
  const certificates = new Map<string, { certificate: X509Certificate | null; until: number }>()
  const loading = new Map<string, Promise<X509Certificate | null>>()
  let recent: number[] = []

  /** Anybody can name a certificate in a message, so only a few are fetched each minute, and each name once. */
  async function certificateAt(address: string): Promise<X509Certificate | null> {
    const kept = certificates.get(address)
    if (kept && Date.now() < kept.until) return kept.certificate
    const loaded = loading.get(address) ?? loadOnce(address)
    loading.set(address, loaded)
    return loaded.finally(() => loading.delete(address))
  }

  async function loadOnce(address: string): Promise<X509Certificate | null> {
    const now = Date.now()
    recent = recent.filter((at) => at > now - 60_000)
    if (recent.length >= FETCHES_A_MINUTE)
      throw new ProviderAway('Too many certificates were asked for. PayPal sends this again.', {
        reason: 'rate_limited',
      })
    recent.push(now)
    const text = await load(address, fetchFrom)
    const certificate = text === null ? null : readCertificate(text)
    certificates.delete(address)
    certificates.set(address, {
      certificate,
      until: certificate ? Date.parse(certificate.validTo) : now + NOTHING_KEPT_MS,
    })
    const [oldest] = certificates.keys()
    if (certificates.size > MOST_KEPT && oldest) certificates.delete(oldest)
    return certificate
  }

  return async (raw, headers) => {
    const [id, time, signature, address] = ['id', 'time', 'sig']
      .map((name) => headers[`paypal-transmission-${name}`])
      .concat(headers['paypal-cert-url'])
    if (typeof id !== 'string' || typeof time !== 'string' || typeof signature !== 'string') throw notSigned()
    if (headers['paypal-auth-algo'] !== 'SHA256withRSA') throw notSigned()
    if (typeof address !== 'string' || !isOfPaypal(address, api)) throw notSigned()
    if (!isPlausible(id, signature)) throw notSigned()
    const certificate = await certificateAt(address)
    if (!certificate) throw notSigned()
    const now = Date.now()
    if (now < Date.parse(certificate.validFrom) || now > Date.parse(certificate.validTo)) throw notSigned()
    const message = Buffer.from(`${id}|${time}|${webhookId}|${crc32(raw)}`)
    if (!verify('RSA-SHA256', message, certificate.publicKey, Buffer.from(signature, 'base64'))) throw notSigned()
  }
}

const NOTHING_KEPT_MS = 10 * 60_000
const MOST_KEPT = 20
const FETCHES_A_MINUTE = 5

/** The shape of PayPal's ids, and a signature of 2048 to 4096 bits. */
const isPlausible = (id: string, signature: string): boolean =>
  /^[\w-]{16,64}$/.test(id) && /^[A-Za-z0-9+/]{342,684}={0,2}$/.test(signature)

const notSigned = (): Refusal => new Refusal('invalid_signature', 'Invalid PayPal webhook signature.')

/** Where PayPal keeps its certificates; those of the sandbox count in the sandbox alone. */
function isOfPaypal(address: string, api: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, port, username, pathname } = new URL(address)
  const isSandbox = new URL(api).hostname !== 'api-m.paypal.com'
  const hosts = isSandbox
    ? ['api.sandbox.paypal.com', 'api-m.sandbox.paypal.com']
    : ['api.paypal.com', 'api-m.paypal.com']
  const isPlace = /^\/v1\/notifications\/certs\/CERT(-[0-9a-f]{4,16}){2,5}$/i.test(pathname)
  return protocol === 'https:' && port === '' && username === '' && hosts.includes(hostname) && isPlace
}

/** Null where PayPal has no such certificate. */
async function load(address: string, fetchFrom: typeof fetch): Promise<string | null> {
  try {
    const response = await fetchFrom(address, { redirect: 'error', signal: AbortSignal.timeout(10_000) })
    if (response.status === 404 || response.status === 400) return null
    if (!response.ok) throw new Error(`responded with ${response.status}`)
    return await response.text()
  } catch (error) {
    throw connectionTrouble('PayPal’s certificate', error)
  }
}

function readCertificate(text: string): X509Certificate | null {
  try {
    return new X509Certificate(text)
  } catch {
    return null
  }
}
