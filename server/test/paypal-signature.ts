import { type KeyObject, sign } from 'node:crypto'
import { crc32 } from 'node:zlib'

const encodeDer = (tag: number, ...parts: Buffer[]): Buffer => {
  const body = Buffer.concat(parts)
  const size = body.length
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]
  return Buffer.concat([Buffer.from([tag, ...length]), body])
}
const encodeUtcTime = (date: Date) =>
  encodeDer(0x17, Buffer.from(`${date.toISOString().replace(/[-:T]/g, '').slice(2, 14)}Z`))

/** A certificate (RFC 5280) that a key signs for itself. */
export function certificate(key: KeyObject, by: KeyObject, from: Date, to: Date): string {
  const algorithm = encodeDer(0x30, Buffer.from('06092a864886f70d01010b0500', 'hex'))
  const commonName = encodeDer(0x30, Buffer.from('0603550403', 'hex'), encodeDer(0x0c, Buffer.from('messages')))
  const name = encodeDer(0x30, encodeDer(0x31, commonName))
  const validity = encodeDer(0x30, encodeUtcTime(from), encodeUtcTime(to))
  const signed = encodeDer(
    0x30,
    Buffer.from('a003020102', 'hex'),
    Buffer.from('020101', 'hex'),
    algorithm,
    name,
    validity,
    name,
    key.export({ type: 'spki', format: 'der' }),
  )
  const signature = encodeDer(0x03, Buffer.from([0]), sign('RSA-SHA256', signed, by))
  const base64 = encodeDer(0x30, signed, algorithm, signature).toString('base64')
  return `-----BEGIN CERTIFICATE-----\n${base64}\n-----END CERTIFICATE-----\n`
}

/** The headers PayPal sends with a message it signed. */
export function signAsPaypal(body: Buffer, options: { webhookId: string; key: KeyObject; address: string }) {
  const id = '69cd13f0-d67a-11e5-baa3-778b53f4ae55'
  const time = '2026-11-21T12:00:00Z'
  const message = Buffer.from(`${id}|${time}|${options.webhookId}|${crc32(body)}`)
  return {
    'paypal-transmission-id': id,
    'paypal-transmission-time': time,
    'paypal-transmission-sig': sign('RSA-SHA256', message, options.key).toString('base64'),
    'paypal-cert-url': options.address,
    'paypal-auth-algo': 'SHA256withRSA',
  }
}
