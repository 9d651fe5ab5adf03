import { helpdesk } from '@dubplate/contract'
import PostalMime, { type Attachment, type Email } from 'postal-mime'
import { escapeHtml } from '../platform/html.ts'
import { cleanHtml, htmlOfText, textOf } from '../platform/rich-text.ts'
import { plain } from './mail-head.ts'
import { splitHtml } from './quoted-html.ts'
import { type Split, splitText } from './quoted-text.ts'

const { LARGEST_ATTACHMENT_BYTES, MOST_ATTACHMENTS } = helpdesk

/** What a mail to a ticket says. */
export type MailWords = {
  /** HTML, clean: what its writer wrote, and what was left out of it. '' where there is neither a word nor a file. */
  details: string
  /** HTML, clean: what it quoted. */
  quoted: string
  files: MailFile[]
}

export type MailFile = { name: string; bytes: Buffer }

/** A mail that is made to be taken apart for ever, or that nothing can take apart. */
export class UnreadableMail extends Error {}

/** The parser takes six microseconds for each line, and more for each that begins a part. */
const MOST_LINES = 700_000
const MOST_BOUNDARIES = 40_000

/** What is shown of a mail's words; whatever is longer comes along as a file. */
const LONGEST_TEXT = 50_000
const LONGEST_READ = 400_000
/** Each takes ten microseconds to clean, whenever it is shown. */
const MOST_TAGS = 10_000
const MOST_SHOWN_LINES = 5_000

const FILES_ALONE = '<p>(attachments only)</p>'

/** Takes a mail apart (RFC 5322, 2045 to 2049). Throws UnreadableMail. */
export async function readMail(raw: Buffer): Promise<MailWords> {
  const mail = await parse(raw)
  const { visible, quoted, whole, cids } = wordsOf(mail)
  const { files, leftOut } = filesOf([...whole, ...attachmentsOf(mail, cids)])
  const notes = leftOut.map((sentence) => `<p>${escapeHtml(sentence)}</p>`).join('')
  const isEmpty = textOf(visible) === ''
  const words = isEmpty && files.length > 0 ? FILES_ALONE : isEmpty ? '' : visible
  return { details: cleanHtml(words + notes), quoted, files }
}

async function parse(raw: Buffer): Promise<Email> {
  if (isMoreOf(raw, '\n', MOST_LINES) || isMoreOf(raw, '\n--', MOST_BOUNDARIES)) {
    throw new UnreadableMail('too many lines or parts')
  }
  try {
    return await PostalMime.parse(raw, { forceRfc822Attachments: true, maxNestingDepth: 50 })
  } catch (error) {
    throw new UnreadableMail((error as Error).message)
  }
}

/** Whether the sign stands in there more often than that. */
function isMoreOf(raw: Buffer | string, sign: string, most: number): boolean {
  let n = 0
  for (let at = raw.indexOf(sign); at >= 0; at = raw.indexOf(sign, at + sign.length)) {
    if (++n > most) return true
  }
  return false
}

type Words = Split & { cids: Split<Set<string>>; whole: MailFile[] }

/** The words as clean HTML: of the plain text, or of the HTML where that is all there is. */
function wordsOf({ text = '', html = '' }: Email): Words {
  const [given, marked] = [plain(text).trim(), plain(html)]
  const ofHtml = marked ? splitHtml(marked.slice(0, LONGEST_READ)) : undefined
  const cids = ofHtml?.cids ?? { visible: new Set<string>(), quoted: new Set<string>() }
  if (given === '' && ofHtml) return { ...limited(ofHtml, { name: 'whole-mail.html', given: marked }), cids }
  const { visible, quoted } = splitText(given.slice(0, LONGEST_READ))
  const split = { visible: asHtml(visible, LONGEST_TEXT + 1), quoted: asHtml(quoted, LONGEST_TEXT) }
  return { ...limited(split, { name: 'whole-mail.txt', given }), cids }
}

type Given = { name: string; given: string }

/** The words cut where they go on for ever; then the whole comes along as a file. */
function limited({ visible, quoted }: Split, { name, given }: Given): Split & { whole: MailFile[] } {
  const shortQuote = quoted.length > LONGEST_READ || isMoreOf(quoted, '<', MOST_TAGS) ? firstOf(quoted) : quoted
  const isShort = given.length <= LONGEST_READ && textOf(visible).length <= LONGEST_TEXT
  if (isShort && !isMoreOf(visible, '<', MOST_TAGS)) {
    return { visible, quoted: shortQuote, whole: [] }
  }
  return {
    visible: `${firstOf(visible)}<p>(Message truncated. See ${name} for the full text.)</p>`,
    quoted: shortQuote,
    whole: [{ name, bytes: Buffer.from(given) }],
  }
}

const firstOf = (html: string): string => asHtml(textOf(html).split('\n', MOST_SHOWN_LINES).join('\n'), LONGEST_TEXT)
const asHtml = (text: string, most: number): string => (text ? htmlOfText(text.slice(0, most)) : '')

/** Proof of who signed a mail: for programs, and nothing to look at. */
const SIGNATURES = new Set([
  'application/pgp-signature',
  'application/pkcs7-signature',
  'application/x-pkcs7-signature',
])

/** Files first, then pictures that stand between the words; not those that stand in what is quoted alone. */
function attachmentsOf({ attachments }: Email, cids: Words['cids']): MailFile[] {
  const shown = attachments.filter((one) => !SIGNATURES.has(one.mimeType) && !isOfQuote(one, cids))
  const [within, beside] = [shown.filter(isWithin), shown.filter((one) => !isWithin(one))]
  return [...beside, ...within].map((one, n) => ({ name: nameOf(one, n + 1), bytes: asBuffer(one.content) }))
}

const isWithin = ({ related, disposition }: Attachment): boolean => related === true && disposition !== 'attachment'

function isOfQuote({ contentId = '', disposition }: Attachment, { visible, quoted }: Words['cids']): boolean {
  const cid = contentId.replace(/^<|>$/g, '')
  return disposition !== 'attachment' && quoted.has(cid) && !visible.has(cid)
}

const ENDINGS: Record<string, string> = {
  'message/rfc822': 'eml',
  'text/calendar': 'ics',
  'text/plain': 'txt',
  'image/jpeg': 'jpg',
}

function nameOf({ filename, mimeType }: Attachment, n: number): string {
  const given = plain(filename ?? '').trim()
  if (given) return given.slice(0, 200)
  const ending = ENDINGS[mimeType] ?? /\/([a-z0-9]{2,5})$/.exec(mimeType)?.[1] ?? 'bin'
  return `${mimeType === 'message/rfc822' ? 'message' : mimeType.startsWith('image/') ? 'picture' : 'file'}-${n}.${ending}`
}

const asBuffer = (content: Attachment['content']): Buffer =>
  typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as ArrayBuffer)

/** Those that are taken, and a sentence about each that is not. */
function filesOf(given: MailFile[]): { files: MailFile[]; leftOut: string[] } {
  const files: MailFile[] = []
  const leftOut: string[] = []
  for (const { name, bytes } of given) {
    const said = `“${name}” (${sizeOf(bytes.length)})`
    if (bytes.length === 0) leftOut.push(`${said} was not accepted.`)
    else if (bytes.length > LARGEST_ATTACHMENT_BYTES) leftOut.push(`${said} was too large and was not accepted.`)
    else if (files.length === MOST_ATTACHMENTS) {
      leftOut.push(`${said} was not accepted: the limit is ${MOST_ATTACHMENTS} files per email.`)
    } else files.push({ name, bytes })
  }
  return {
    files,
    leftOut:
      leftOut.length > 20
        ? [
            ...leftOut.slice(0, 20),
            `${leftOut.length - 20} more ${leftOut.length === 21 ? 'file was' : 'files were'} not accepted.`,
          ]
        : leftOut,
  }
}

function sizeOf(bytes: number): string {
  if (bytes === 0) return 'empty'
  if (bytes < 1024 * 1024) return `${Math.max(1, Math.round(bytes / 1024))} kB`
  return `${Math.round(bytes / 1024 / 1024)} MB`
}
