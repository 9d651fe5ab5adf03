import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Config } from './config.ts'

/** The return path of emails, and how a bounce is matched to the email it is about. */

/** 130 bits, as 26 characters of base32. */
export const MAC_LENGTH = 26
/** RFC 4648, section 6, in lower case: relays change the case of addresses. */
const ALPHABET = 'abcdefghijklmnopqrstuvwxyz234567'

/** Returns a signature that is short enough for an email address. */
export function computeAddressMac(secret: string, text: string): string {
  const mac = createHmac('sha256', secret).update(text).digest()
  let bits = 0n
  for (const byte of mac.subarray(0, 17)) bits = (bits << 8n) | BigInt(byte)
  return Array.from({ length: MAC_LENGTH }, (_, n) => ALPHABET[Number((bits >> BigInt(5 * n)) & 31n)]).join('')
}

type MailConfig = { config: Pick<Config, 'inbound' | 'publicUrl' | 'secret'> }

/** An email's id and the time it was queued: ids alone can repeat in a pool that was restored. */
type MailKey = { mail_id: number; created_at: Date }

const computeMac = (secret: string, { mail_id, created_at }: MailKey): string =>
  computeAddressMac(secret, `sent mail:${mail_id}.${created_at.getTime()}`)

/** Returns the Message-ID of an email: the same each time it is sent (RFC 5322, 3.6.4), and it cannot be forged. */
export function createMessageId({ config }: MailConfig, mail: MailKey): string {
  const host = new URL(config.publicUrl).hostname
  return `<${mail.mail_id}.${mail.created_at.getTime()}.${computeMac(config.secret, mail)}@${host}>`
}

/**
 * Returns the envelope sender of an email: `help+b1042.k3vq…@pool.example`. Undefined if incoming email is off or uses
 * another domain than the sender: mail servers only allow a sender its own domains, and receivers compare the two.
 */
export function createReturnPath({ config }: MailConfig, from: string, mail: MailKey): string | undefined {
  if (!config.inbound) return undefined
  const { local, domain } = config.inbound.address
  if (from.toLowerCase().split('@')[1] !== domain) return undefined
  return `${local}+b${mail.mail_id}.${computeMac(config.secret, mail)}@${domain}`
}

/** An email mentioned in a text, with its signature. */
export type MailReference = { mail_id: number; mac: string }

const MAX_REFERENCES = 20

/**
 * Finds the emails mentioned in a text by their return path or Message-ID, each once. Does not check the signatures.
 */
export function findMailReferences({ config }: MailConfig, text: string): MailReference[] {
  const mac = `([a-z2-7]{${MAC_LENGTH}})`
  const patterns = [`<(\\d{1,15})\\.\\d{1,15}\\.${mac}@`]
  if (config.inbound)
    patterns.unshift(`(?<![\\w.%-])${config.inbound.address.local.replace(/[.+]/g, '\\$&')}\\+b(\\d{1,15})\\.${mac}@`)
  const reference = new Map<string, MailReference>()
  for (const pattern of patterns)
    for (const [, id, mac = ''] of text.matchAll(new RegExp(pattern, 'gi'))) {
      if (reference.size < MAX_REFERENCES)
        reference.set(`${id}.${mac}`.toLowerCase(), { mail_id: Number(id), mac: mac.toLowerCase() })
    }
  return [...reference.values()]
}

/** Returns whether the signature is that of this email, in constant time. */
export function isMailMac({ config }: MailConfig, reference: MailReference, mail: MailKey): boolean {
  const [expectedMac, receivedMac] = [Buffer.from(computeMac(config.secret, mail)), Buffer.from(reference.mac)]
  return (
    reference.mail_id === mail.mail_id &&
    receivedMac.length === expectedMac.length &&
    timingSafeEqual(receivedMac, expectedMac)
  )
}
