import { verify, X509Certificate } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { Refusal } from '../../platform/refusal.ts'
import { ProviderAway } from '../gateway.ts'
import type { PaypalConfig } from '../gateway-config.ts'

type Headers = Record<string, string | string[] | undefined>

/** Throws Refusal `bad_signature` unless PayPal signed this very message for this webhook. */
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
  const certificates = new Map<string, X509Certificate>()

  async function certificateAt(address: string): Promise<X509Certificate> {
    const kept = certificates.get(address)
    if (kept) return kept
    const certificate = readCertificate(await load(address, fetchFrom))
    certificates.clear()
    certificates.set(address, certificate)
    return certificate
  }

  return async (raw, headers) => {
    const [id, time, signature, address] = ['id', 'time', 'sig']
      .map((name) => headers[`paypal-transmission-${name}`])
      .concat(headers['paypal-cert-url'])
    if (typeof id !== 'string' || typeof time !== 'string' || typeof signature !== 'string') throw notSigned()
    if (headers['paypal-auth-algo'] !== 'SHA256withRSA') throw notSigned()
    if (typeof address !== 'string' || !isOfPaypal(address, api)) throw notSigned()
    const certificate = await certificateAt(address)
    const now = Date.now()
    if (now < Date.parse(certificate.validFrom) || now > Date.parse(certificate.validTo)) throw notSigned()
    const message = Buffer.from(`${id}|${time}|${webhookId}|${crc32(raw)}`)
    if (!verify('RSA-SHA256', message, certificate.publicKey, Buffer.from(signature, 'base64'))) throw notSigned()
  }
}

const notSigned = (): Refusal => new Refusal('bad_signature', 'This message is not signed by PayPal for this pool.')

/** Where PayPal keeps its certificates; those of the sandbox count in the sandbox alone. */
function isOfPaypal(address: string, api: string): boolean {
  if (!URL.canParse(address)) return false
  const { protocol, hostname, port, username, pathname } = new URL(address)
  const isSandbox = new URL(api).hostname !== 'api-m.paypal.com'
  const hosts = isSandbox
    ? ['api.sandbox.paypal.com', 'api-m.sandbox.paypal.com']
    : ['api.paypal.com', 'api-m.paypal.com']
  const isPlace = /^\/v1\/notifications\/certs\/[\w-]+$/.test(pathname)
  return protocol === 'https:' && port === '' && username === '' && hosts.includes(hostname) && isPlace
}

async function load(address: string, fetchFrom: typeof fetch): Promise<string> {
  try {
    const response = await fetchFrom(address, { redirect: 'error', signal: AbortSignal.timeout(10_000) })
    if (!response.ok) throw new Error(`It answered ${response.status}.`)
    return await response.text()
  } catch (error) {
    throw new ProviderAway('PayPal’s certificate could not be fetched.', { cause: error })
  }
}

function readCertificate(text: string): X509Certificate {
  try {
    return new X509Certificate(text)
  } catch {
    throw notSigned()
  }
}
