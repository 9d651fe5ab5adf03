import { helpdesk } from '@dubplate/contract'
import PostalMime, { type Attachment, type Email } from 'postal-mime'
import { escapeHtml } from '../platform/html.ts'
import { cleanHtml, htmlOfText, textOf } from '../platform/rich-text.ts'
import { plain } from './mail-headers.ts'
import { splitHtml } from './quoted-html.ts'
import { type SplitMessage, splitText } from './quoted-text.ts'

const { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } = helpdesk

/** What a mail to a ticket says. */
export type ParsedMail = {
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
const MAX_LINES = 700_000
const MAX_BOUNDARIES = 40_000

/** What is shown of a mail's words; whatever is longer comes along as a file. */
const MAX_TEXT_CHARACTERS = 50_000
const MAX_READ_CHARACTERS = 400_000
/** Each takes ten microseconds to clean, whenever it is shown. */
const MAX_TAGS = 10_000
const MAX_SHOWN_LINES = 5_000

const FILES_ALONE = '<p>(attachments only)</p>'

/** Takes a mail apart (RFC 5322, 2045 to 2049). Throws UnreadableMail. */
export async function parseMail(raw: Buffer): Promise<ParsedMail> {
  const mail = await parse(raw)
  const { visible, quoted, attachedMails, cids } = splitParts(mail)
  const { files, omitted } = selectFiles([...attachedMails, ...attachmentsOf(mail, cids)])
  const omittedNotes = omitted.map((sentence) => `<p>${escapeHtml(sentence)}</p>`).join('')
  const isEmpty = textOf(visible) === ''
  const message = isEmpty && files.length > 0 ? FILES_ALONE : isEmpty ? '' : visible
  return { details: cleanHtml(message + omittedNotes), quoted, files }
}

async function parse(raw: Buffer): Promise<Email> {
  if (exceedsCount(raw, '\n', MAX_LINES) || exceedsCount(raw, '\n--', MAX_BOUNDARIES)) {
    throw new UnreadableMail('too many lines or parts')
  }
  try {
    return await PostalMime.parse(raw, { forceRfc822Attachments: true, maxNestingDepth: 50 })
  } catch (error) {
    throw new UnreadableMail((error as Error).message)
  }
}

/** Whether the sign stands in there more often than that. */
function exceedsCount(raw: Buffer | string, character: string, max: number): boolean {
  let n = 0
  for (let at = raw.indexOf(character); at >= 0; at = raw.indexOf(character, at + character.length)) {
    if (++n > max) return true
  }
  return false
}

type MessageParts = SplitMessage & { cids: SplitMessage<Set<string>>; attachedMails: MailFile[] }

/** The words as clean HTML: of the plain text, or of the HTML where that is all there is. */
function splitParts({ text = '', html = '' }: Email): MessageParts {
  const [fileName, marked] = [plain(text).trim(), plain(html)]
  const htmlParts = marked ? splitHtml(marked.slice(0, MAX_READ_CHARACTERS)) : undefined
  const cids = htmlParts?.cids ?? { visible: new Set<string>(), quoted: new Set<string>() }
  if (fileName === '' && htmlParts) return { ...limitText(htmlParts, { name: 'whole-mail.html', given: marked }), cids }
  const { visible, quoted } = splitText(fileName.slice(0, MAX_READ_CHARACTERS))
  const split = { visible: toHtml(visible, MAX_TEXT_CHARACTERS + 1), quoted: toHtml(quoted, MAX_TEXT_CHARACTERS) }
  return { ...limitText(split, { name: 'whole-mail.txt', given: fileName }), cids }
}

type IncomingText = { name: string; given: string }

/** The words cut where they go on for ever; then the whole comes along as a file. */
function limitText(
  { visible, quoted }: SplitMessage,
  { name, given: fileName }: IncomingText,
): SplitMessage & { attachedMails: MailFile[] } {
  const shortQuote =
    quoted.length > MAX_READ_CHARACTERS || exceedsCount(quoted, '<', MAX_TAGS) ? firstLineHtml(quoted) : quoted
  const isShort = fileName.length <= MAX_READ_CHARACTERS && textOf(visible).length <= MAX_TEXT_CHARACTERS
  if (isShort && !exceedsCount(visible, '<', MAX_TAGS)) {
    return { visible, quoted: shortQuote, attachedMails: [] }
  }
  return {
    visible: `${firstLineHtml(visible)}<p>(Message truncated. See ${name} for the full text.)</p>`,
    quoted: shortQuote,
    attachedMails: [{ name, bytes: Buffer.from(fileName) }],
  }
}

const firstLineHtml = (html: string): string =>
  toHtml(textOf(html).split('\n', MAX_SHOWN_LINES).join('\n'), MAX_TEXT_CHARACTERS)
const toHtml = (text: string, max: number): string => (text ? htmlOfText(text.slice(0, max)) : '')

/** Proof of who signed a mail: for programs, and nothing to look at. */
const SIGNATURES = new Set([
  'application/pgp-signature',
  'application/pkcs7-signature',
  'application/x-pkcs7-signature',
])

/** Files first, then pictures that stand between the words; not those that stand in what is quoted alone. */
function attachmentsOf({ attachments }: Email, cids: MessageParts['cids']): MailFile[] {
  const shownAttachments = attachments.filter((one) => !SIGNATURES.has(one.mimeType) && !belongsToQuote(one, cids))
  const [inline, notInline] = [shownAttachments.filter(isInline), shownAttachments.filter((one) => !isInline(one))]
  return [...notInline, ...inline].map((one, n) => ({ name: nameOf(one, n + 1), bytes: toBuffer(one.content) }))
}

const isInline = ({ related, disposition }: Attachment): boolean => related === true && disposition !== 'attachment'

function belongsToQuote(
  { contentId = '', disposition }: Attachment,
  { visible, quoted }: MessageParts['cids'],
): boolean {
  const cid = contentId.replace(/^<|>$/g, '')
  return disposition !== 'attachment' && quoted.has(cid) && !visible.has(cid)
}

const EXTENSIONS: Record<string, string> = {
  'message/rfc822': 'eml',
  'text/calendar': 'ics',
  'text/plain': 'txt',
  'image/jpeg': 'jpg',
}

function nameOf({ filename, mimeType }: Attachment, n: number): string {
  const fileName = plain(filename ?? '').trim()
  if (fileName) return fileName.slice(0, 200)
  const extension = EXTENSIONS[mimeType] ?? /\/([a-z0-9]{2,5})$/.exec(mimeType)?.[1] ?? 'bin'
  return `${mimeType === 'message/rfc822' ? 'message' : mimeType.startsWith('image/') ? 'picture' : 'file'}-${n}.${extension}`
}

const toBuffer = (content: Attachment['content']): Buffer =>
  typeof content === 'string' ? Buffer.from(content) : Buffer.from(content as ArrayBuffer)

/** Those that are taken, and a sentence about each that is not. */
function selectFiles(fileName: MailFile[]): { files: MailFile[]; omitted: string[] } {
  const files: MailFile[] = []
  const omitted: string[] = []
  for (const { name, bytes } of fileName) {
    const fileSummary = `“${name}” (${formatSize(bytes.length)})`
    if (bytes.length === 0) omitted.push(`${fileSummary} was not accepted.`)
    else if (bytes.length > MAX_ATTACHMENT_BYTES) omitted.push(`${fileSummary} was too large and was not accepted.`)
    else if (files.length === MAX_ATTACHMENTS) {
      omitted.push(`${fileSummary} was not accepted: the limit is ${MAX_ATTACHMENTS} files per email.`)
    } else files.push({ name, bytes })
  }
  return {
    files,
    omitted:
      omitted.length > 20
        ? [
            ...omitted.slice(0, 20),
            `${omitted.length - 20} more ${omitted.length === 21 ? 'file was' : 'files were'} not accepted.`,
          ]
        : omitted,
  }
}

function formatSize(bytes: number): string {
  if (bytes === 0) return 'empty'
  if (bytes < 1024 * 1024) return `${Math.max(1, Math.round(bytes / 1024))} kB`
  return `${Math.round(bytes / 1024 / 1024)} MB`
}
