import { timingSafeEqual } from 'node:crypto'
import { addressMac, MAC_SIGNS } from '../platform/return-path.ts'
import type { World } from '../world.ts'

type Configured = Pick<World, 'config'>

/**
 * Where a customer answers to a ticket: `help+1042.k3vq…@pool.example`, with a signature over ticket and customer in it.
 * Undefined where answers by mail are not taken.
 */
export function answerAddress({ config }: Configured, ticketNumber: number, customerId: number): string | undefined {
  if (!config.inbound) return undefined
  const { local, domain } = config.inbound.address
  return `${local}+${ticketNumber}.${signatureOf(config.secret, ticketNumber, customerId)}@${domain}`
}

const signatureOf = (secret: string, ticketNumber: number, customerId: number): string =>
  addressMac(secret, `ticket mail:${ticketNumber}.${customerId}`)

/** A ticket somebody names, with the signature they name it by. */
export type NamedTicket = { ticket_number: number; signature: string }

const MOST_NAMED = 20

/** The tickets whose addresses stand in a text, each once, in the order they stand there. Nothing is checked. */
export function namedTickets({ config }: Configured, text: string): NamedTicket[] {
  if (!config.inbound) return []
  const { local, domain } = config.inbound.address
  const pattern = `(?<![\\w.%+-])${asPattern(local)}\\+(\\d{1,15})\\.([a-z2-7]{${MAC_SIGNS}})@${asPattern(domain)}(?![a-z0-9-]|\\.[a-z0-9])`
  const named = new Map<string, NamedTicket>()
  for (const [whole, ticket, signature = ''] of text.matchAll(new RegExp(pattern, 'gi'))) {
    named.set(whole.toLowerCase(), { ticket_number: Number(ticket), signature: signature.toLowerCase() })
    if (named.size === MOST_NAMED) break
  }
  return [...named.values()]
}

const asPattern = (text: string): string => text.replace(/[.+]/g, '\\$&')

/** Whether the signature is that of this customer's ticket; how long this takes does not tell how much of it is right. */
export function isSigned({ config }: Configured, named: NamedTicket, customerId: number): boolean {
  const right = Buffer.from(signatureOf(config.secret, named.ticket_number, customerId))
  const given = Buffer.from(named.signature)
  return given.length === right.length && timingSafeEqual(given, right)
}

/** Whether mail to this address is for us: the inbound address itself, or with something behind a `+`. */
export function isInboundAddress({ config }: Configured, address: string): boolean {
  if (!config.inbound) return false
  const { local, domain } = config.inbound.address
  const given = address.toLowerCase()
  const cut = given.lastIndexOf('@')
  return given.slice(cut + 1) === domain && given.slice(0, cut).split('+')[0] === local
}

/** Puts all letters about a ticket into one conversation: each answers the same message, which never was (RFC 5322, 3.6.4). */
export function threadHeaders({ config }: Configured, ticketNumber: number): Record<string, string> {
  const thread = `<ticket.${ticketNumber}@${new URL(config.publicUrl).hostname}>`
  return { 'In-Reply-To': thread, References: thread }
}
