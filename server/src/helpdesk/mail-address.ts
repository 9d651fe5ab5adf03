import { timingSafeEqual } from 'node:crypto'
import type { AppContext } from '../app-context.ts'
import { computeAddressMac, MAC_LENGTH } from '../platform/return-path.ts'

type ConfigContext = Pick<AppContext, 'config'>

/**
 * Returns the address for a customer's replies to a ticket: `help+1042.k3vq…@pool.example`, with a signature over
 * ticket and customer. Undefined when replies by email are not accepted.
 */
export function ticketReplyAddress(
  { config }: ConfigContext,
  ticketNumber: number,
  customerId: number,
): string | undefined {
  if (!config.inbound) return undefined
  const { local, domain } = config.inbound.address
  return `${local}+${ticketNumber}.${signatureOf(config.secret, ticketNumber, customerId)}@${domain}`
}

const signatureOf = (secret: string, ticketNumber: number, customerId: number): string =>
  computeAddressMac(secret, `ticket mail:${ticketNumber}.${customerId}`)

/** A ticket number in an address, with its signature, which is not verified yet. */
export type TicketReference = { ticket_number: number; signature: string }

const MAX_TICKET_REFERENCES = 20

/**
 * Returns the tickets whose addresses are in a text, each once, in the order of the text. Signatures are not verified.
 */
export function findTicketReferences({ config }: ConfigContext, text: string): TicketReference[] {
  if (!config.inbound) return []
  const { local, domain } = config.inbound.address
  const pattern = `(?<![\\w.%+-])${escapeRegExp(local)}\\+(\\d{1,15})\\.([a-z2-7]{${MAC_LENGTH}})@${escapeRegExp(domain)}(?![a-z0-9-]|\\.[a-z0-9])`
  const references = new Map<string, TicketReference>()
  for (const [whole, ticket, signature = ''] of text.matchAll(new RegExp(pattern, 'gi'))) {
    references.set(whole.toLowerCase(), { ticket_number: Number(ticket), signature: signature.toLowerCase() })
    if (references.size === MAX_TICKET_REFERENCES) break
  }
  return [...references.values()]
}

const escapeRegExp = (text: string): string => text.replace(/[.+]/g, '\\$&')

/** Returns whether the signature is that of this customer's ticket, in constant time. */
export function isSigned({ config }: ConfigContext, reference: TicketReference, customerId: number): boolean {
  const expected = Buffer.from(signatureOf(config.secret, reference.ticket_number, customerId))
  const candidate = Buffer.from(reference.signature)
  return candidate.length === expected.length && timingSafeEqual(candidate, expected)
}

/** Returns whether mail to this address is for the pool: the inbound address itself, or with a suffix after `+`. */
export function isInboundAddress({ config }: ConfigContext, address: string): boolean {
  if (!config.inbound) return false
  const { local, domain } = config.inbound.address
  const candidate = address.toLowerCase()
  const separatorAt = candidate.lastIndexOf('@')
  return candidate.slice(separatorAt + 1) === domain && candidate.slice(0, separatorAt).split('+')[0] === local
}

/**
 * Puts all emails about a ticket into one conversation: each replies to the same message, which does not exist (RFC
 * 5322, 3.6.4).
 */
export function threadHeaders({ config }: ConfigContext, ticketNumber: number): Record<string, string> {
  const thread = `<ticket.${ticketNumber}@${new URL(config.publicUrl).hostname}>`
  return { 'In-Reply-To': thread, References: thread }
}
