import { createHash } from 'node:crypto'
import type { Address } from 'postal-mime'

/** Longer headers are cut off here: the relevant ones come first. */
const MAX_HEADER_BYTES = 256 * 1024

/** The headers of an email, which end at its first empty line. */
export type MailHeaders = {
  /** Returns the values of the header with this lower-case name, unfolded and in their order. */
  all(name: string): string[]
  /** The sender's address in lower case; '' when there is none or more than one. */
  from: string
  subject: string
  /** `<id@host>`; for an email without an id, a hash of its content. */
  message_id: string
}

/** Parses only the headers of an email (RFC 5322), so that the content of a stranger's email is never parsed. */
export async function parseHeaders(raw: Buffer): Promise<MailHeaders> {
  const end = findHeaderEnd(raw)
  const { default: PostalMime } = await import('postal-mime')
  const parsed = await PostalMime.parse(raw.subarray(0, Math.min(end, MAX_HEADER_BYTES)), {
    maxHeadersSize: MAX_HEADER_BYTES + 1,
  })
  const all = (name: string) => parsed.headers.filter(({ key }) => key === name).map(({ value }) => value)
  const from = all('from').length === 1 ? addressOf(parsed.from) : ''
  const subject = plain(parsed.subject ?? '').slice(0, 500)
  const messageIdText = /<[^<>\s]{1,500}>/.exec(plain(parsed.messageId ?? ''))?.[0]
  return {
    all,
    from,
    subject,
    message_id: messageIdText ?? hashMessage([from, subject, ...all('date')], raw.subarray(end)),
  }
}

/**
 * The characters of the bytes 0x80 to 0x9f in windows-1252; unchanged where it has none
 * (https://encoding.spec.whatwg.org).
 */
const WINDOWS_1252_CHARACTERS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/**
 * Corrects text that Node 20 decodes as Latin-1 instead of windows-1252 (nodejs/node#56542), which turns quotation
 * marks and the euro sign into control characters. Also removes NUL, which no database accepts.
 */
export const plain = (text: string): string =>
  text
    .replaceAll('\0', '')
    .replace(/[\u0080-\u009f]/g, (character) => WINDOWS_1252_CHARACTERS[character.charCodeAt(0) - 0x80] ?? character)

const addressOf = (from: Address | undefined): string =>
  plain(from?.address ?? '')
    .toLowerCase()
    .slice(0, 320)

function findHeaderEnd(raw: Buffer): number {
  const headerEnds = ['\r\n\r\n', '\n\n'].map((gap) => raw.indexOf(gap)).filter((at) => at >= 0)
  return headerEnds.length > 0 ? Math.min(...headerEnds) : raw.length
}

/** The same for the same email, however it was received: headers added on its way and line ends do not count. */
function hashMessage(headerTexts: string[], body: Buffer): string {
  const hash = createHash('sha256').update(JSON.stringify(headerTexts))
  hash.update(body.toString('latin1').replaceAll('\r', '').trim(), 'latin1')
  return `<${hash.digest('hex')}@without-an-id>`
}
