/** The sender's own text, and the part of the original email that their mail program put below or above it. */
export type SplitMessage<Part = string> = { visible: Part; quoted: Part }

/** The maximum number of lines an attribution can be wrapped into. */
const MAX_WRAPPED_LINES = 3
/** No attribution is longer, so patterns are never matched against more than this. */
const MAX_LINE_LENGTH = 400

/**
 * `On …, … wrote:` in the formats of mail programs, each in one line. The positions of names and dates are not checked.
 */
const ATTRIBUTIONS = [
  /^On .+ wrote:$/i,
  /^.+ wrote on .+:$/i,
  /^(Am|Vom) .+ (schrieb|hat geschrieben)\b.*:$/i,
  /^.+ (schrieb am|hat am) .+:$/i,
  /^Le .+ a écrit ?:$/i,
  /^El .+ escribió:$/i,
  /^Il .+ ha scritto:$/i,
  /^Em .+ escreveu:$/i,
  /^Op .+ (schreef|heeft) .*:$/i,
  /^(Den|Fra|På) .+ skrev\b.*:$/i,
  /^.+ skrev .*\d.*:$/i,
  /^(W dniu|Dnia) .+ (pisze|napisał\S*):$/i,
  /^.+ kirjoitti.*:$/i,
  /^.+\d.+ (пишет|написал\S*):$/i,
  /^\d{4}年\d{1,2}月\d{1,2}日.*(<.+@.+>|書きました|写道|wrote) ?[:：]$/,
  /^(在 ?)?.*\d{4}.+写道 ?[:：]$/,
  /^\d{4}\/\d{1,2}\/\d{1,2}.+のメ(ッセージ|ール) ?[:：]$/,
  /^\d{4}[.년].+ 작성 ?[:：]$/,
  // In any language: a date, an address in brackets, and a colon at the end.
  /^.*\d.*<[^<>@\s]+@[^<>\s]+> ?[^<>]{0,20}[:：]$/,
]

/** A line between a reply and the original email below it. */
const SEPARATOR_LINE =
  /^[-_*]{2,}\s?(original(e|al)? (message|nachricht|bericht)|ursprüngliche (nachricht|mail)|message d['’]origine|mensaje original|messaggio originale|mensagem original|oprindelig (besked|meddelelse)|originalmeddelande|oorspronkelijk bericht|исходное сообщение|元のメッセージ|原始邮件|原始郵件)\s?[-_*]{2,}$/i

const HORIZONTAL_RULE = /^[_-]{20,}$/

/** The header lines above a quoted mail: sender, date, recipient, subject. At least three, starting with the sender. */
const FROM_HEADER_PATTERN =
  /^\*?(From|Von|De|Da|Van|Från|Fra|Od|От|差出人|送信者|发件人|寄件者|보낸 사람|Lähettäjä) ?\*?[:：]\*? ?\S/i
const HEADER_LINE =
  /^\*?(Sent|Date|To|Cc|Subject|Gesendet|Datum|An|Betreff|Envoyé( le)?|À|A|Objet|Enviado( el)?|Fecha|Para|Asunto|Assunto|Inviato|Data|Oggetto|Verzonden|Aan|Onderwerp|Skickat|Till|Ämne|Sendt|Til|Emne|Wysłano|Do|Temat|Отправлено|Кому|Тема|Дата|送信日時|日時|日付|宛先|件名|发送时间|收件人|主题|보낸 날짜|받는 사람|제목|Reply-To|Antwort an|Importance|Wichtigkeit) ?\*?[:：]/i

/** Forwarded text counts as the sender's own, because it is what they want to be read. */
const FORWARDED =
  /^(-{2,}\s?)?(begin )?(forwarded message|weitergeleitete nachricht|message transféré|転送されたメッセージ)/i

const isQuote = (line: string): boolean => /^[ \t]{0,3}>/.test(line)
const isBlank = (line: string): boolean => /^\s*$/.test(line)

/** Splits plain text. */
export function splitText(text: string): SplitMessage {
  const lines = text.replace(/\r\n?/g, '\n').replaceAll('\u00a0', ' ').split('\n')
  const { start, end } = findOwnLines(lines)
  return {
    visible: trimBlankLines(lines.slice(start, end)),
    quoted: trimBlankLines([...lines.slice(0, start), ...lines.slice(end)]),
  }
}

/** Removes the empty lines around a text; its first line may be indented. */
function trimBlankLines(lines: string[]): string {
  const first = lines.findIndex((line) => !isBlank(line))
  return first < 0 ? '' : lines.slice(first).join('\n').trimEnd()
}

/**
 * Returns the range of lines the sender wrote, from `start` up to, but not including, `end`. Everything below their
 * last words is quoted, and so is a quote above all of their words; quotes they replied to one by one stay between the
 * replies. Quoted lines begin with `>`.
 */
export function findOwnLines(lines: string[]): { start: number; end: number } {
  const originalMessageAt = findOriginalMessageStart(lines)
  const end = findLastQuoteStart(lines.slice(0, originalMessageAt))
  const start = findLeadingQuoteEnd(lines.slice(0, end))
  // If an email was forwarded without a comment, the forwarded text is the message.
  const isEntirelyQuoted =
    lines.slice(start, end).every(isBlank) && lines.some((line) => FORWARDED.test(stripQuoteMarker(line)))
  return isEntirelyQuoted ? { start: 0, end: lines.length } : { start, end }
}

/** Marks the beginning of an original email that was found in HTML. */
export const ORIGINAL_MESSAGE_MARKER = '-----Original Message-----'

const stripQuoteMarker = (line: string): string => line.slice(0, MAX_LINE_LENGTH).replace(/^[\s>]+/, '')

/** Returns where an original email without quote markers begins; after the last line if there is none. */
function findOriginalMessageStart(lines: string[]): number {
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]?.trim() ?? ''
    if (SEPARATOR_LINE.test(line.slice(0, MAX_LINE_LENGTH))) return at
    if (!startsHeader(lines, at)) continue
    const before = previousLine(lines, at)
    if (before >= 0 && FORWARDED.test(lines[before]?.trim() ?? '')) continue
    return before >= 0 && HORIZONTAL_RULE.test(lines[before]?.trim() ?? '') ? before : at
  }
  return lines.length
}

function startsHeader(lines: string[], at: number): boolean {
  if (!FROM_HEADER_PATTERN.test(lines[at]?.trim().slice(0, MAX_LINE_LENGTH) ?? '')) return false
  const next = lines.slice(at + 1, at + 9).filter((line) => HEADER_LINE.test(line.trim().slice(0, MAX_LINE_LENGTH)))
  return next.length >= 2
}

function previousLine(lines: string[], at: number): number {
  let before = at - 1
  while (before >= 0 && isBlank(lines[before] ?? '')) before--
  return before
}

/** Returns where the quote begins that has no reply below it, including its attribution. */
function findLastQuoteStart(lines: string[]): number {
  let at = lines.length
  while (at > 0 && (isBlank(lines[at - 1] ?? '') || isQuote(lines[at - 1] ?? ''))) at--
  const endsWithQuote = lines.slice(at).some(isQuote)
  const attribution = attributionBefore(lines, at)
  if (endsWithQuote) return attribution ?? at
  return findUnmarkedQuoteStart(lines) ?? attribution ?? lines.length
}

/** Returns the start of the attribution right above `at`; undefined if there is none. */
function attributionBefore(lines: string[], at: number): number | undefined {
  const last = previousLine(lines, at)
  for (let from = last; from >= 0 && last - from < MAX_WRAPPED_LINES; from--) {
    if (isBlank(lines[from] ?? '') || isQuote(lines[from] ?? '')) return undefined
    if (isAttribution(lines.slice(from, last + 1))) return from
  }
  return undefined
}

/**
 * Finds an attribution followed by a quote without markers, which Yahoo and some phones leave out. If there is no text
 * above it, it may be the sender's own text.
 */
function findUnmarkedQuoteStart(lines: string[]): number | undefined {
  const first = lines.findIndex((line) => !isBlank(line))
  for (let at = first + 1; at < lines.length; at++) {
    if (isBlank(lines[at] ?? '') || isQuote(lines[at] ?? '')) continue
    for (let n = 1; n <= MAX_WRAPPED_LINES; n++) {
      const own = lines.slice(at, at + n)
      const next = nextLine(lines, at + n)
      const isQuoteNext = next !== undefined && isQuote(next)
      if (!isQuoteNext && isAttribution(own) && own.some((line) => /\d/.test(line))) return at
    }
  }
  return undefined
}

const nextLine = (lines: string[], from: number): string | undefined =>
  lines.slice(from, from + 5).find((line) => !isBlank(line))

function isAttribution(lines: readonly string[]): boolean {
  if (lines.some(isBlank)) return false
  const line = lines.map((part) => part.trim()).join(' ')
  return line.length <= MAX_LINE_LENGTH && /[:：]$/.test(line) && ATTRIBUTIONS.some((pattern) => pattern.test(line))
}

/** Returns where the text begins when it is only below the quote; 0 otherwise. */
function findLeadingQuoteEnd(lines: string[]): number {
  let at = 0
  while (at < lines.length && isBlank(lines[at] ?? '')) at++
  for (let n = 1; n <= MAX_WRAPPED_LINES; n++) {
    if (isAttribution(lines.slice(at, at + n))) {
      at += n
      break
    }
  }
  const first = at
  while (at < lines.length && (isBlank(lines[at] ?? '') || isQuote(lines[at] ?? ''))) at++
  const isOnlyQuote = lines.slice(first, at).some(isQuote) && !lines.slice(at).some(isQuote)
  return isOnlyQuote ? at : 0
}
