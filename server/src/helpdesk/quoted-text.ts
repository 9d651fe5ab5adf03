/** What somebody wrote, and what their mail program put below or above it of the mail they answered. */
export type SplitMessage<Part = string> = { visible: Part; quoted: Part }

/** A line of an attribution can be broken into so many. */
const MAX_WRAPPED_LINES = 3
/** No attribution is longer; so no pattern meets more than this. */
const MAX_LINE_LENGTH = 400

/** `On …, … wrote:` as mail programs write it, each on one line. Where names and dates stand is not looked at. */
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
  // In any tongue: a date, an address in brackets, a colon at the end.
  /^.*\d.*<[^<>@\s]+@[^<>\s]+> ?[^<>]{0,20}[:：]$/,
]

/** A line between an answer and the mail below it. */
const SEPARATOR_LINE =
  /^[-_*]{2,}\s?(original(e|al)? (message|nachricht|bericht)|ursprüngliche (nachricht|mail)|message d['’]origine|mensaje original|messaggio originale|mensagem original|oprindelig (besked|meddelelse)|originalmeddelande|oorspronkelijk bericht|исходное сообщение|元のメッセージ|原始邮件|原始郵件)\s?[-_*]{2,}$/i

const HORIZONTAL_RULE = /^[_-]{20,}$/

/** The header lines above a quoted mail: sender, date, recipient, subject. At least three, starting with the sender. */
const FROM_HEADER_PATTERN =
  /^\*?(From|Von|De|Da|Van|Från|Fra|Od|От|差出人|送信者|发件人|寄件者|보낸 사람|Lähettäjä) ?\*?[:：]\*? ?\S/i
const HEADER_LINE =
  /^\*?(Sent|Date|To|Cc|Subject|Gesendet|Datum|An|Betreff|Envoyé( le)?|À|A|Objet|Enviado( el)?|Fecha|Para|Asunto|Assunto|Inviato|Data|Oggetto|Verzonden|Aan|Onderwerp|Skickat|Till|Ämne|Sendt|Til|Emne|Wysłano|Do|Temat|Отправлено|Кому|Тема|Дата|送信日時|日時|日付|宛先|件名|发送时间|收件人|主题|보낸 날짜|받는 사람|제목|Reply-To|Antwort an|Importance|Wichtigkeit) ?\*?[:：]/i

/** What somebody sends on is what they want to be read. */
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

/** Without empty lines around it; its first line may be indented. */
function trimBlankLines(lines: string[]): string {
  const first = lines.findIndex((line) => !isBlank(line))
  return first < 0 ? '' : lines.slice(first).join('\n').trimEnd()
}

/**
 * The lines somebody wrote themselves, from `start` up to but without `end`. What stands below their last word is
 * quoted, and a quote above all of their words; quotes they answered one by one stay between the answers. Lines of a
 * quote begin with `>`.
 */
export function findOwnLines(lines: string[]): { start: number; end: number } {
  const separatorAt = findOriginalMessageStart(lines)
  const end = findLastQuoteStart(lines.slice(0, separatorAt))
  const start = findLeadingQuoteEnd(lines.slice(0, end))
  // Of a mail that was sent on with no word about it, what was sent on is the word.
  const isEntirelyQuoted =
    lines.slice(start, end).every(isBlank) && lines.some((line) => FORWARDED.test(stripQuoteMarker(line)))
  return isEntirelyQuoted ? { start: 0, end: lines.length } : { start, end }
}

/** Stands for the beginning of a mail below, where HTML tells it. */
export const ORIGINAL_MESSAGE_MARKER = '-----Original Message-----'

const stripQuoteMarker = (line: string): string => line.slice(0, MAX_LINE_LENGTH).replace(/^[\s>]+/, '')

/** Where a whole mail begins that is not marked line by line; behind the last line where none does. */
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

/** Where the quote begins that nothing is written below, with the line that says whose it is. */
function findLastQuoteStart(lines: string[]): number {
  let at = lines.length
  while (at > 0 && (isBlank(lines[at - 1] ?? '') || isQuote(lines[at - 1] ?? ''))) at--
  const isAlreadyRecorded = lines.slice(at).some(isQuote)
  const attribution = attributionBefore(lines, at)
  if (isAlreadyRecorded) return attribution ?? at
  return findUnmarkedQuoteStart(lines) ?? attribution ?? lines.length
}

/** The lines right above `at` that say who wrote what is below; undefined where they do not. */
function attributionBefore(lines: string[], at: number): number | undefined {
  const last = previousLine(lines, at)
  for (let from = last; from >= 0 && last - from < MAX_WRAPPED_LINES; from--) {
    if (isBlank(lines[from] ?? '') || isQuote(lines[from] ?? '')) return undefined
    if (isAttribution(lines.slice(from, last + 1))) return from
  }
  return undefined
}

/**
 * An attribution with a quote below it that no signs mark: Yahoo and some phones leave them out. Where no word stands
 * above it, it may as well be the writer’s own.
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

export function isAttribution(lines: readonly string[]): boolean {
  if (lines.some(isBlank)) return false
  const line = lines.map((part) => part.trim()).join(' ')
  return line.length <= MAX_LINE_LENGTH && /[:：]$/.test(line) && ATTRIBUTIONS.some((pattern) => pattern.test(line))
}

/** Where the words begin of somebody who wrote below the one quote of a mail; 0 for everybody else. */
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
