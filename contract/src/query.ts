/**
 * The language of the search box, the same in the browser (which completes and explains it) and on the server (which
 * reads the values): plain words, "phrases", and operators such as `bpm:120-126`; a `-` in front excludes.
 */

export type OperatorName = 'bpm' | 'key' | '~key' | 'genre' | 'version' | 'year' | 'artist' | 'title' | 'not'

/** What may be typed, for help and completion. */
export const OPERATORS: readonly { name: OperatorName; example: string; meaning: string }[] = [
  { name: 'bpm', example: 'bpm:120-126', meaning: 'BPM or BPM range; bpm:>120 and bpm:<100 are open-ended' },
  { name: 'key', example: 'key:8A,9A', meaning: 'One of these keys, in Camelot, Open Key or as Am' },
  { name: '~key', example: '~key:8A', meaning: 'Keys compatible with this one' },
  { name: 'genre', example: 'genre:"afro house"', meaning: 'Genre, sub-genre or mood' },
  { name: 'version', example: 'version:"intro clean"', meaning: 'Songs with this version type' },
  { name: 'year', example: 'year:1990-1999', meaning: 'Year or range; year:<2000 finds songs released before 2000' },
  { name: 'artist', example: 'artist:"daft punk"', meaning: 'Words in the artist name' },
  { name: 'title', example: 'title:midnight', meaning: 'Words in the title' },
  { name: 'not', example: 'not:downloaded', meaning: 'Excludes songs you’ve already downloaded' },
]

type PartKind = 'word' | 'phrase' | 'title' | 'artist' | 'bpm' | 'key' | 'year' | 'genre' | 'version' | 'downloaded'

/** One part of a text that says something. */
export type QueryPart = {
  kind: PartKind
  /** What stands behind the operator, or the word or phrase itself, without quotes. */
  value: string
  /** The piece of the text as it was typed, so that it can be taken out again. */
  source: string
  /** With a `-` in front. */
  negated: boolean
  /** `~key:`: this key and those that mix with it. */
  compatible: boolean
}

/** A piece of the text between spaces (quotes keep theirs), finished or still being typed. */
export type QueryToken = {
  start: number
  end: number
  negated: boolean
  operator: OperatorName | undefined
  quoted: boolean
  /** Where the value begins, behind an opening quote. */
  valueStart: number
  value: string
}

const NAMES = new Set<string>(OPERATORS.map(({ name }) => name))
const KINDS: Record<OperatorName, PartKind> = {
  bpm: 'bpm',
  key: 'key',
  '~key': 'key',
  genre: 'genre',
  version: 'version',
  year: 'year',
  artist: 'artist',
  title: 'title',
  not: 'downloaded',
}

const OPERATOR = /^(~?[a-z]+):/i
const QUOTE = /["“”„]/
const HAS_LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

/** The operator a piece begins with. A name that does not exist is none: "12:30" and "http://x" are plain words. */
function operatorAt(fragment: string): OperatorName | undefined {
  const name = OPERATOR.exec(fragment)?.[1]?.toLowerCase()
  return name !== undefined && NAMES.has(name) ? (name as OperatorName) : undefined
}

/** Where a value ends: at its closing quote, or at the next space; both may be missing at the end of the text. */
function endOfValue(text: string, valueStart: number, quoted: boolean): { valueEnd: number; end: number } {
  const length = text.slice(valueStart).search(quoted ? QUOTE : /\s/)
  const valueEnd = length < 0 ? text.length : valueStart + length
  return { valueEnd, end: quoted && length >= 0 ? valueEnd + 1 : valueEnd }
}

function tokenFrom(text: string, start: number): QueryToken {
  const negated = text[start] === '-'
  const nameStart = negated ? start + 1 : start
  const operator = operatorAt(text.slice(nameStart))
  const afterName = operator ? nameStart + operator.length + 1 : nameStart
  const quoted = QUOTE.test(text[afterName] ?? '')
  const valueStart = quoted ? afterName + 1 : afterName
  const { valueEnd, end } = endOfValue(text, valueStart, quoted)
  return { start, end, negated, operator, quoted, valueStart, value: text.slice(valueStart, valueEnd) }
}

function tokensOf(text: string): QueryToken[] {
  const tokens: QueryToken[] = []
  for (let position = 0; position < text.length; ) {
    if (/\s/.test(text[position] ?? '')) {
      position++
      continue
    }
    const token = tokenFrom(text, position)
    tokens.push(token)
    position = token.end
  }
  return tokens
}

/** The parts of a text that say something: a lone "-", "key:" or "&" is passed over, because more may be about to be typed. */
export function parseQuery(text: string): QueryPart[] {
  return tokensOf(text)
    .filter(({ value }) => HAS_LETTER_OR_DIGIT.test(value))
    .map(({ operator, quoted, value, start, end, negated }) => ({
      kind: operator ? KINDS[operator] : quoted ? 'phrase' : 'word',
      value: value.trim(),
      source: text.slice(start, end),
      negated,
      compatible: operator === '~key',
    }))
}

/**
 * The token the caret stands in or at the end of, with its value up to the caret; undefined between tokens.
 * `start` to `end` is what a completion replaces, `valueStart` to `end` where only the value is completed.
 */
export function tokenAt(text: string, caret: number): QueryToken | undefined {
  const token = tokensOf(text).find(({ start, end }) => start <= caret && caret <= end)
  if (!token) return undefined
  const typed = text.slice(token.valueStart, Math.min(Math.max(caret, token.valueStart), token.end))
  return { ...token, value: token.quoted ? typed.replace(QUOTE, '') : typed }
}
