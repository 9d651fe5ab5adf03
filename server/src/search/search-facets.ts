import { camelot, camelotOrder, KEYS, mixesWith, openKey, parseKey, type SongKey } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'

/** From and to, both inclusive. */
export type Range = [number, number]

const RANGE_LIMITS = {
  bpm: { name: 'BPM', lowest: 20, highest: 400, examples: '124, 120-126, >120 or <100' },
  year: { name: 'Year', lowest: 1900, highest: 2100, examples: '2020, 1990-1999, >2015 or <2000' },
} as const
type RangeMeasure = keyof typeof RANGE_LIMITS

const RANGE_PATTERN = /^(\d{1,4})(?:\s*[-–]\s*(\d{1,4}))?$/
const OPEN_RANGE_PATTERN = /^([<>])\s*(=?)\s*(\d{1,4})$/

/**
 * Parses "124", "120-126", ">120", ">=120", "<100" or "<=100". Undefined for an empty text. Throws `invalid_filter`.
 */
export function readRange(text: string, measure: RangeMeasure): Range | undefined {
  const plain = text.trim()
  if (plain === '') return undefined
  const { name, lowest, highest, examples } = RANGE_LIMITS[measure]
  const range = openRange(plain, lowest, highest) ?? closedRange(plain)
  if (!range || range[0] < lowest || range[1] > highest || range[0] > range[1]) {
    const sentence = `${name} must be a number or a range between ${lowest} and ${highest}, for example ${examples}.`
    throw new ApiError('invalid_filter', sentence)
  }
  return range
}

function closedRange(text: string): Range | undefined {
  const [, from, to] = RANGE_PATTERN.exec(text) ?? []
  return from ? [Number(from), Number(to ?? from)] : undefined
}

function openRange(text: string, lowest: number, highest: number): Range | undefined {
  const [, operator, included, bound] = OPEN_RANGE_PATTERN.exec(text) ?? []
  if (!bound || Number(bound) < lowest || Number(bound) > highest) return undefined
  const step = included ? 0 : 1
  return operator === '>' ? [Number(bound) + step, highest] : [lowest, Number(bound) - step]
}

/** Whether the range was open at one end, as in ">120". */
export const isOpenEnded = ([from, to]: Range, measure: RangeMeasure): boolean =>
  from <= RANGE_LIMITS[measure].lowest || to >= RANGE_LIMITS[measure].highest

/** "BPM 120 to 126", "year before 2000". */
export function describeRange([from, to]: Range, measure: RangeMeasure): string {
  const { lowest, highest } = RANGE_LIMITS[measure]
  const name = measure === 'bpm' ? 'BPM' : 'year'
  const [under, over] = measure === 'bpm' ? ['below', 'above'] : ['before', 'after']
  if (from === to) return `${name} ${from}`
  if (to === highest && from > lowest) return `${name} ${over} ${from - 1}`
  if (from === lowest && to < highest) return `${name} ${under} ${to + 1}`
  return `${name} ${from} to ${to}`
}

/** The intersection of several ranges of one measure; where they do not overlap, a range without any values. */
export function intersectRanges(given: readonly (Range | undefined)[]): Range | undefined {
  const ranges = given.filter((range) => range !== undefined)
  if (ranges.length === 0) return undefined
  const from = Math.max(...ranges.map((range) => range[0]))
  const to = Math.min(...ranges.map((range) => range[1]))
  return from <= to ? [from, to] : [0, 0]
}

const numbersIn = ([from, to]: Range): number[] => Array.from({ length: to - from + 1 }, (_, n) => from + n)
export const yearFacets = (years: Range): string[] => numbersIn(years).map((year) => `#y${year}`)

/** The years of a list such as `2024,2010-2019`; undefined for an empty text. Throws `invalid_filter`. */
export function readYears(text: string): string[] | undefined {
  const ranges = text.split(',').flatMap((part) => {
    const range = readRange(part, 'year')
    return range ? [range] : []
  })
  return ranges.length > 0 ? [...new Set(ranges.flatMap(yearFacets))] : undefined
}

/** Complete buckets of eight BPM where they fit, single values at the edges. */
export function bpmFacets([from, to]: Range): string[] {
  const facets: string[] = []
  for (let bpm = from; bpm <= to; ) {
    const whole = bpm % 8 === 0 && bpm + 7 <= to
    facets.push(whole ? `#B${bpm / 8}` : `#b${bpm}`)
    bpm += whole ? 8 : 1
  }
  return facets
}

export type ReadKeys = { facets: string[]; meaning: string }

/**
 * Parses "8A", "8A,9A" or "Am"; a `~` before one, or `compatible` for all, includes the keys that mix with it. Throws
 * `invalid_filter`.
 */
export function readKeys(text: string, compatible = false): ReadKeys | undefined {
  const keyTexts = text
    .split(',')
    .map((key) => key.trim())
    .filter(Boolean)
  if (keyTexts.length === 0) return undefined
  const read = keyTexts.map((key) => readKey(key.replace(/^~\s*/, ''), compatible || key.startsWith('~')))
  const keys = [...new Set(read.flatMap((one) => one.keys))].sort((a, b) => camelotOrder(a) - camelotOrder(b))
  const names = [...new Set(read.map((one) => one.name))]
  const show = read[0]?.show ?? camelot
  const mixing = read.some((one) => one.keys.length > 1)
  const meaning = mixing
    ? `keys compatible with ${joinWithOr(names)}: ${keys.map(show).join(', ')}`
    : `key ${joinWithOr(names)}`
  return { facets: keys.map((key) => `#k${camelotOrder(key)}`), meaning }
}

function readKey(text: string, compatible: boolean) {
  const key = parseKey(text)
  if (!key) throw new ApiError('invalid_filter', `“${text}” isn’t a valid key. Use 8A, 1m or Am.`)
  const show = /^\d+\s*[ab]$/i.test(text) ? camelot : /^\d+\s*[dm]$/i.test(text) ? openKey : (one: SongKey) => one
  return { name: show(key), show, keys: compatible ? KEYS.filter((other) => mixesWith(key, other)) : [key] }
}

const MAX_NAMED = 4

/** "A", "A or B", "A, B or C"; of many names the first ones and how many more. */
export function joinWithOr(names: readonly string[]): string {
  if (names.length > MAX_NAMED + 1) return `${names.slice(0, MAX_NAMED).join(', ')} or ${names.length - MAX_NAMED} more`
  return names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
}
