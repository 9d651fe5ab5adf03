import { timingSafeEqual } from 'node:crypto'
import type { AppContext } from '../app-context.ts'
import { computeAddressMac, MAC_LENGTH } from '../platform/return-path.ts'

type ConfigContext = Pick<AppContext, 'config'>

/**
 * Where a customer answers to a ticket: `help+1042.k3vq…@pool.example`, with a signature over ticket and customer in
 * it.
 * Undefined where answers by mail are not taken.
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

/** A ticket somebody names, with the signature they name it by. */
export type TicketReference = { ticket_number: number; signature: string }

const MAX_TICKET_REFERENCES = 20

/** The tickets whose addresses stand in a text, each once, in the order they stand there. Nothing is checked. */
export function findTicketReferences({ config }: ConfigContext, text: string): TicketReference[] {
  if (!config.inbound) return []
  const { local, domain } = config.inbound.address
  const pattern = `(?<![\\w.%+-])${escapeRegExp(local)}\\+(\\d{1,15})\\.([a-z2-7]{${MAC_LENGTH}})@${escapeRegExp(domain)}(?![a-z0-9-]|\\.[a-z0-9])`
  const named = new Map<string, TicketReference>()
  for (const [whole, ticket, signature = ''] of text.matchAll(new RegExp(pattern, 'gi'))) {
    named.set(whole.toLowerCase(), { ticket_number: Number(ticket), signature: signature.toLowerCase() })
    if (named.size === MAX_TICKET_REFERENCES) break
  }
  return [...named.values()]
}

const escapeRegExp = (text: string): string => text.replace(/[.+]/g, '\\$&')

/**
 * Whether the signature is that of this customer's ticket; how long this takes does not tell how much of it is right.
 */
export function isSigned({ config }: ConfigContext, named: TicketReference, customerId: number): boolean {
  const right = Buffer.from(signatureOf(config.secret, named.ticket_number, customerId))
  const candidate = Buffer.from(named.signature)
  return candidate.length === right.length && timingSafeEqual(candidate, right)
}

/** Whether mail to this address is for us: the inbound address itself, or with something behind a `+`. */
export function isInboundAddress({ config }: ConfigContext, address: string): boolean {
  if (!config.inbound) return false
  const { local, domain } = config.inbound.address
  const candidate = address.toLowerCase()
  const separatorAt = candidate.lastIndexOf('@')
  return candidate.slice(separatorAt + 1) === domain && candidate.slice(0, separatorAt).split('+')[0] === local
}

/**
 * Puts all letters about a ticket into one conversation: each answers the same message, which never was (RFC 5322,
 * 3.6.4).
 */
export function threadHeaders({ config }: ConfigContext, ticketNumber: number): Record<string, string> {
  const thread = `<ticket.${ticketNumber}@${new URL(config.publicUrl).hostname}>`
  return { 'In-Reply-To': thread, References: thread }
}
