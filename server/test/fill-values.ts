/** A number from 0 to below 1, the same sequence for the same seed. */
export type Random = () => number
export type Value = unknown

export type Column = {
  table: string
  name: string
  type: string
  isRequired: boolean
  isGenerated: boolean
  hasDefault: boolean
  defaultText: string
  /** Definitions of the check constraints the column is part of. */
  checks: string[]
}

/** mulberry32: small, and good enough to vary test data. */
export function seededRandom(seed: number): Random {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** Columns whose content the catalogue does not describe: migrations and the application rely on its form. */
const VALUES_BY_COLUMN: Record<string, (random: Random) => Value> = {
  // Documents that migrations read; see audio/tags and uploads.
  'upload.tag': (random) => randomItem([{}, { genre_ids: [] }, { genre_ids: [1, 2], title: 'Ünïcödé 🎧' }], random),
  // Plain words, as the server writes them: "artist|title".
  'song.song_identity': (random) => `plain artist ${randomWord(random)}|plain title ${randomWord(random)}`,
  'page.slug': (random) => `page-${randomWord(random).toLowerCase()}`,
  'setting.name': (random) => `setting_${randomItem(['a', 'b', 'c', 'd', 'e', 'f', 'g'], random)}`,
  'merchandise.url': (random) => `https://shop.example/${randomWord(random)}`,
  'merchandise.image_src': (random) => `/api/pictures/${randomWord(random)}`,
  'notice.address': (random) => `/page/${randomWord(random)}`,
  'notification.address': (random) => `/page/${randomWord(random)}`,
  'subscription.card_last_four': (random) => randomItem(['', '0000', '4242'], random),
}

/** Rules the application has always kept, which a later migration made constraints of the database. */
const ROW_CONSTRAINTS: Record<string, (row: Record<string, Value>) => boolean> = {
  // 0014: announcement_ends_later
  announcement: ({ published_at, ended_at }) => isBefore(published_at, ended_at),
}

/** Whether the application could have written this row. */
export const isAllowed = (table: string, row: Record<string, Value>): boolean => ROW_CONSTRAINTS[table]?.(row) ?? true

/** A moment that is left out becomes now. */
const isBefore = (start: Value, end: Value) =>
  !end || Date.parse(String(start ?? new Date().toISOString())) < Date.parse(String(end))

/** Which extreme value a row has in as many columns as its constraints allow. */
export type EdgeCase = 'smallest' | 'largest' | 'unusual'

/** 29 characters, repeated up to 3,000: PostgreSQL compresses them enough to fit in an index. */
const LONG_TEXT = 'Long text, 3,000 characters. '.repeat(104).slice(0, 3000)
const UNUSUAL_TEXT = ' Ärger, “Ünïcödé” – 日本語 🎧\nO\'Brien; -- \\ %_ "quoted" {}[]$1\t '

/** The smallest, the largest, the unusual value of a type, and others. */
type Values = readonly [smallest: Value, largest: Value, unusual: Value, ...others: Value[]]

const VALUES: Record<string, Values> = {
  boolean: [false, true, true],
  smallint: [-32_768, 32_767, -1, 0, 1, 2],
  integer: [-2_147_483_648, 2_147_483_647, -1, 0, 1, 2],
  // Numbers reach JavaScript exactly up to 2^53.
  bigint: [-9_007_199_254_740_991, 9_007_199_254_740_991, -1, 0, 1, 2],
  real: [-1e30, 1e30, 0.1, 0, 1, 120.25],
  'double precision': [-1e300, 1e300, 0.1, 0, 1, 120.25],
  numeric: [-1e30, 1e30, 0.1, 0, 1, 120.25],
  'timestamp with time zone': [
    ...(['1970-01-01T00:00:00Z', '2199-12-31T23:59:59.999999Z', '2026-03-29T01:30:00+01:00'] as const),
    '2026-11-01T12:00:00Z',
  ],
  date: ['1970-01-01', '2199-12-31', '2024-02-29', '2026-11-01'],
  inet: ['0.0.0.0', '2001:db8::1', '203.0.113.255', '127.0.0.1'],
  cidr: ['0.0.0.0/0', '2001:db8::/64', '203.0.113.0/24'],
  interval: ['00:00:01', '1 year', '-1 month', '1 month'],
  int8multirange: ['{}', '{[0,100),[200,9007199254740991)}', '{[0,1)}'],
  tsvector: ['', "'#g1' '=word' 'plain'", "'ünïcödé':1"],
}

const JSON_OBJECTS: Values = [{}, { nested: { deep: [[], { key: null }] } }, { 'ключ 🎧': ['a', 1, true, null] }]
const JSON_ARRAYS: Values = [[], [1, 2, 3, 'four', { five: 5 }], [{ ä: 'ä' }, null]]

const EDGE_CASES: readonly EdgeCase[] = ['smallest', 'largest', 'unusual']
const choose = (values: Values, edgeCase: EdgeCase | undefined, random: Random): Value =>
  edgeCase ? values[EDGE_CASES.indexOf(edgeCase)] : randomItem(values, random)

/** A value for a column: at the edge of what its type allows, or any one that its own constraints are likely to allow. */
export function columnValue(column: Column, edgeCase: EdgeCase | undefined, random: Random): Value {
  const special = VALUES_BY_COLUMN[`${column.table}.${column.name}`]
  if (special) return special(random)
  const literals = parseLiterals(column)
  if (literals.length > 0 && random() < 0.9) return randomItem(literals, random)
  return typedValue(column, column.type, edgeCase, random)
}

function typedValue(column: Column, type: string, edgeCase: EdgeCase | undefined, random: Random): Value {
  if (type.endsWith('[]')) {
    const length = edgeCase === 'smallest' ? 0 : 1 + Math.floor(random() * 3)
    return Array.from({ length }, () => typedValue(column, type.slice(0, -2), edgeCase, random))
  }
  if (type === 'text') return textValue(column, edgeCase, random)
  if (type === 'jsonb')
    return choose(column.defaultText.startsWith("'[") ? JSON_ARRAYS : JSON_OBJECTS, edgeCase, random)
  if (type === 'bytea') return `\\x${hex(randomItem([4, 32, 32, 32], random), random)}`
  if (type === 'uuid') return hex(16, random).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  const values = VALUES[type]
  if (!values) throw new Error(`${column.table}.${column.name}: add values for the type ${type} to fill-values.ts.`)
  if (edgeCase || random() < 0.5) return choose(values, edgeCase, random)
  if (type.startsWith('timestamp')) return new Date(1.7e12 + random() * 1e11).toISOString()
  if (type === 'date') return new Date(1.7e12 + random() * 1e11).toISOString().slice(0, 10)
  return typeof values[0] === 'number'
    ? Math.floor(random() * randomItem([30, 30_000], random))
    : choose(values, edgeCase, random)
}

function textValue({ checks }: Column, edgeCase: EdgeCase | undefined, random: Random): string {
  const isAllowedValue = (part: string) => checks.some((check) => check.includes(part))
  if (isAllowedValue('[A-Z]{3}')) return randomItem(['USD', 'EUR', 'JPY'], random)
  const text = choose(
    ['', LONG_TEXT, UNUSUAL_TEXT],
    edgeCase ?? (random() < 0.2 ? randomItem(EDGE_CASES, random) : undefined),
    random,
  )
  const varied = edgeCase || random() < 0.3 ? String(text) : randomWord(random)
  if (isAllowedValue('upper(')) return varied.toUpperCase()
  return isAllowedValue('lower(') ? varied.toLowerCase() : varied
}

/** The values a check lists for this column alone, as in `state = ANY (ARRAY['open'::text, …])`. */
function parseLiterals({ name, type, checks }: Column): Value[] {
  const listed = checks.flatMap((check): Value[] => {
    const [, list] = new RegExp(`\\("?${name}"? = ANY \\(ARRAY\\[(.*?)\\]\\)`).exec(check) ?? []
    if (list === undefined) {
      const [, single] = new RegExp(`\\("?${name}"? = '([^']*)'::text\\)`).exec(check) ?? []
      // One literal next to a condition on another column: other values of this column are allowed, too.
      return single !== undefined && checks.length === 1 ? [single] : []
    }
    return type === 'text'
      ? [...list.matchAll(/'([^']*)'/g)].map(([, literal]) => literal)
      : list.split(', ').map(Number)
  })
  return [...new Set(listed)]
}

const randomItem = <T>(from: readonly T[], random: Random): T => from[Math.floor(random() * from.length)] as T

const hex = (bytes: number, random: Random) =>
  Array.from({ length: bytes }, () =>
    Math.floor(random() * 256)
      .toString(16)
      .padStart(2, '0'),
  ).join('')

const randomWord = (random: Random) => Math.floor(random() * 2 ** 48).toString(36)
