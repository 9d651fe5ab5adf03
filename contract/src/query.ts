/**
 * The language of the search box, shared by the browser (which completes and explains it) and the server (which
 * evaluates it): plain words, "phrases", and operators such as `bpm:120-126`; a leading `-` excludes.
 */

export type OperatorName = 'bpm' | 'key' | '~key' | 'genre' | 'version' | 'year' | 'artist' | 'title' | 'label' | 'not'

/** Supported operators, for help and completion. */
export const OPERATORS: readonly { name: OperatorName; example: string; meaning: string }[] = [
  { name: 'bpm', example: 'bpm:120-126', meaning: 'BPM or BPM range; bpm:>120 and bpm:<100 are open-ended' },
  { name: 'key', example: 'key:8A,9A', meaning: 'One of these keys, in Camelot, Open Key or as Am' },
  { name: '~key', example: '~key:8A', meaning: 'Keys compatible with this one' },
  { name: 'genre', example: 'genre:"afro house"', meaning: 'Genre, sub-genre or mood' },
  { name: 'version', example: 'version:"intro clean"', meaning: 'Songs with this version type' },
  { name: 'year', example: 'year:1990-1999', meaning: 'Year or range; year:<2000 finds songs released before 2000' },
  { name: 'artist', example: 'artist:"daft punk"', meaning: 'Words in the artist name' },
  { name: 'title', example: 'title:midnight', meaning: 'Words in the title' },
  { name: 'label', example: 'label:anjunadeep', meaning: 'Words in the label name' },
  { name: 'not', example: 'not:downloaded', meaning: 'Excludes songs you’ve already downloaded' },
]

type PartKind =
  | 'word'
  | 'phrase'
  | 'title'
  | 'artist'
  | 'label'
  | 'bpm'
  | 'key'
  | 'year'
  | 'genre'
  | 'version'
  | 'downloaded'

/** One meaningful part of a search text. */
export type QueryPart = {
  kind: PartKind
  /** The operator's value, or the word or phrase itself, without quotes. */
  value: string
  /** The text as it was typed, so that it can be removed again. */
  source: string
  /** Has a leading `-`. */
  negated: boolean
  /** `~key:`: this key and compatible ones. */
  compatible: boolean
}

/** A piece of the text between spaces (quotes can contain spaces), complete or still being typed. */
export type QueryToken = {
  start: number
  end: number
  negated: boolean
  operator: OperatorName | undefined
  quoted: boolean
  /** Start of the value, after an opening quote. */
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
  label: 'label',
  not: 'downloaded',
}

const OPERATOR = /^(~?[a-z]+):/i
const QUOTE = /["“”„]/
const HAS_LETTER_OR_DIGIT = /[\p{L}\p{N}]/u

/**
 * Returns the operator a fragment starts with; undefined if the name is unknown: "12:30" and "http://x" are plain
 * words.
 */
function operatorAt(fragment: string): OperatorName | undefined {
  const name = OPERATOR.exec(fragment)?.[1]?.toLowerCase()
  return name !== undefined && NAMES.has(name) ? (name as OperatorName) : undefined
}

/** Returns the end of a value: its closing quote or the next space, otherwise the end of the text. */
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

/** Parses the meaningful parts of a text; skips an incomplete "-", "key:" or "&" that may still be continued. */
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
 * Returns the token that contains the caret or ends at it, with its value up to the caret; undefined between tokens. A
 * completion replaces `start` to `end`, or `valueStart` to `end` if it completes only the value.
 */
export function tokenAt(text: string, caret: number): QueryToken | undefined {
  const token = tokensOf(text).find(({ start, end }) => start <= caret && caret <= end)
  if (!token) return undefined
  const typed = text.slice(token.valueStart, Math.min(Math.max(caret, token.valueStart), token.end))
  return { ...token, value: token.quoted ? typed.replace(QUOTE, '') : typed }
}
