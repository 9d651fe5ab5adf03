import { helpdesk } from '@dubplate/contract'
import type { Attachment, Email } from 'postal-mime'
import { escapeHtml } from '../platform/html.ts'
import { cleanHtml, htmlOfText, textOf } from '../platform/rich-text.ts'
import { plain } from './mail-headers.ts'
import { splitHtml } from './quoted-html.ts'
import { type SplitMessage, splitText } from './quoted-text.ts'

const { MAX_ATTACHMENT_BYTES, MAX_ATTACHMENTS } = helpdesk

/** The content of an email to a ticket. */
export type ParsedMail = {
  /** Clean HTML: the sender's own text, and notes about omitted files. '' when there is neither text nor a file. */
  details: string
  /** Clean HTML: the quoted text. */
  quoted: string
  files: MailFile[]
}

type MailFile = { name: string; bytes: Buffer }

/** An email built to exhaust the parser, or one that cannot be parsed. */
export class UnreadableMail extends Error {}

/** The parser needs six microseconds per line, and more per line that begins a part. */
const MAX_LINES = 700_000
const MAX_BOUNDARIES = 40_000

/** The maximum length of the text that is shown; longer texts are attached as a file. */
const MAX_TEXT_CHARACTERS = 50_000
const MAX_READ_CHARACTERS = 400_000
/** Cleaning a tag takes ten microseconds each time it is shown. */
const MAX_TAGS = 10_000
const MAX_SHOWN_LINES = 5_000

const FILES_ALONE = '<p>(attachments only)</p>'

/** Parses an email (RFC 5322, 2045 to 2049). Throws UnreadableMail. */
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
    const { default: PostalMime } = await import('postal-mime')
    return await PostalMime.parse(raw, { forceRfc822Attachments: true, maxNestingDepth: 50 })
  } catch (error) {
    throw new UnreadableMail((error as Error).message)
  }
}

/** Returns whether the text contains the substring more often than `max`. */
function exceedsCount(raw: Buffer | string, substring: string, max: number): boolean {
  let n = 0
  for (let at = raw.indexOf(substring); at >= 0; at = raw.indexOf(substring, at + substring.length)) {
    if (++n > max) return true
  }
  return false
}

type MessageParts = SplitMessage & { cids: SplitMessage<Set<string>>; attachedMails: MailFile[] }

/** Returns the text as clean HTML: from the plain text, or from the HTML if there is no plain text. */
function splitParts({ text = '', html = '' }: Email): MessageParts {
  const [plainText, marked] = [plain(text).trim(), plain(html)]
  const htmlParts = marked ? splitHtml(marked.slice(0, MAX_READ_CHARACTERS)) : undefined
  const cids = htmlParts?.cids ?? { visible: new Set<string>(), quoted: new Set<string>() }
  if (plainText === '' && htmlParts)
    return { ...limitText(htmlParts, { name: 'whole-mail.html', fullText: marked }), cids }
  const { visible, quoted } = splitText(plainText.slice(0, MAX_READ_CHARACTERS))
  const split = { visible: toHtml(visible, MAX_TEXT_CHARACTERS + 1), quoted: toHtml(quoted, MAX_TEXT_CHARACTERS) }
  return { ...limitText(split, { name: 'whole-mail.txt', fullText: plainText }), cids }
}

type IncomingText = { name: string; fullText: string }

/** Truncates overlong text; the full text is then attached as a file. */
function limitText(
  { visible, quoted }: SplitMessage,
  { name, fullText }: IncomingText,
): SplitMessage & { attachedMails: MailFile[] } {
  const shortQuote =
    quoted.length > MAX_READ_CHARACTERS || exceedsCount(quoted, '<', MAX_TAGS) ? firstLineHtml(quoted) : quoted
  const isShort = fullText.length <= MAX_READ_CHARACTERS && textOf(visible).length <= MAX_TEXT_CHARACTERS
  if (isShort && !exceedsCount(visible, '<', MAX_TAGS)) {
    return { visible, quoted: shortQuote, attachedMails: [] }
  }
  return {
    visible: `${firstLineHtml(visible)}<p>(Message truncated. See ${name} for the full text.)</p>`,
    quoted: shortQuote,
    attachedMails: [{ name, bytes: Buffer.from(fullText) }],
  }
}

const firstLineHtml = (html: string): string =>
  toHtml(textOf(html).split('\n', MAX_SHOWN_LINES).join('\n'), MAX_TEXT_CHARACTERS)
const toHtml = (text: string, max: number): string => (text ? htmlOfText(text.slice(0, max)) : '')

/** Signatures of emails: for programs, not for readers. */
const SIGNATURES = new Set([
  'application/pgp-signature',
  'application/pkcs7-signature',
  'application/x-pkcs7-signature',
])

/** Files first, then pictures within the text, without those that are only in the quote. */
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

/** Returns the accepted files, and a sentence about each one that is not. */
function selectFiles(candidates: MailFile[]): { files: MailFile[]; omitted: string[] } {
  const files: MailFile[] = []
  const omitted: string[] = []
  for (const { name, bytes } of candidates) {
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
