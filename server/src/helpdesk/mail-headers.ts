import { createHash } from 'node:crypto'
import PostalMime, { type Address } from 'postal-mime'

/** Longer headers are cut off here: the relevant ones come first. */
const MAX_HEADER_BYTES = 256 * 1024

/** What a mail says about itself before its first empty line. */
export type MailHeaders = {
  /** The header's values in the order they came, unfolded; its name in lower case. */
  all(name: string): string[]
  /** The one address it says it is from, in lower case; '' where it names none or several. */
  from: string
  subject: string
  /** `<id@host>`; of a mail without one, what its content makes. */
  message_id: string
}

/** Reads the head of a mail (RFC 5322) and nothing behind it, so that what a stranger sent is never taken apart. */
export async function parseHeaders(raw: Buffer): Promise<MailHeaders> {
  const end = findHeaderEnd(raw)
  const read = await PostalMime.parse(raw.subarray(0, Math.min(end, MAX_HEADER_BYTES)), {
    maxHeadersSize: MAX_HEADER_BYTES + 1,
  })
  const all = (name: string) => read.headers.filter(({ key }) => key === name).map(({ value }) => value)
  const from = all('from').length === 1 ? addressOf(read.from) : ''
  const subject = plain(read.subject ?? '').slice(0, 500)
  const messageIdText = /<[^<>\s]{1,500}>/.exec(plain(read.messageId ?? ''))?.[0]
  return {
    all,
    from,
    subject,
    message_id: messageIdText ?? hashMessage([from, subject, ...all('date')], raw.subarray(end)),
  }
}

/** What the bytes 0x80 to 0x9f are in windows-1252; the same where it has nothing (https://encoding.spec.whatwg.org). */
const WINDOWS_1252_CHARACTERS = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'

/**
 * Text as it was meant: Node 20 decodes windows-1252 as Latin-1 (nodejs/node#56542), so that quotation marks and the
 * euro come out as control signs. And without NUL, which no database takes.
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

/**
 * The same for the same mail by whichever door: what is added to a head on its way does not count, nor do ends of
 * lines.
 */
function hashMessage(headerTexts: string[], body: Buffer): string {
  const hash = createHash('sha256').update(JSON.stringify(headerTexts))
  hash.update(body.toString('latin1').replaceAll('\r', '').trim(), 'latin1')
  return `<${hash.digest('hex')}@without-an-id>`
}
