import { imports, parseKey } from '@dubplate/contract'
import { genreNames, type Tags } from './tags.ts'

/** '{label}/{artist} - {title}': how to read the path of a file, from its end. */
export type PathPattern = { segments: Segment[] }
type Segment = { field: PatternField | undefined; text: string }[]

const { PATTERN_FIELDS, MAX_PATTERN_LENGTH } = imports
type PatternField = (typeof PATTERN_FIELDS)[number]

const FIELD_LIST = PATTERN_FIELDS.map((field) => `{${field}}`).join(', ')

export class PatternError extends Error {}

/** Throws a `PatternError` that explains the problem. */
export function parsePattern(pattern: string): PathPattern {
  if (pattern.length > MAX_PATTERN_LENGTH)
    throw new PatternError(`A pattern can have at most ${MAX_PATTERN_LENGTH} characters.`)
  const used = new Set<string>()
  const segments = pattern.split('/').map((segment) => parseSegment(segment, used))
  if (used.size === 0) throw new PatternError(`The pattern has no field. Use ${FIELD_LIST}.`)
  return { segments }
}

/** Returns the problem of a pattern in a sentence; undefined for a valid one. */
export function checkPattern(pattern: string): string | undefined {
  try {
    parsePattern(pattern)
    return undefined
  } catch (error) {
    if (error instanceof PatternError) return error.message
    throw error
  }
}

function parseSegment(text: string, used: Set<string>): Segment {
  const segment: Segment = []
  for (const piece of text.split(/(\{[^{}]*\})/)) {
    if (piece === '') continue
    const name = /^\{(.*)\}$/.exec(piece)?.[1]?.trim().toLowerCase()
    if (name === undefined) {
      if (/[{}]/.test(piece))
        throw new PatternError('A bracket in the pattern isn’t closed. Write fields like this: {artist}.')
      segment.push({ field: undefined, text: piece })
      continue
    }
    const field = PATTERN_FIELDS.find((item) => item === name)
    if (!field) throw new PatternError(`The pattern has no field {${name}}. Use ${FIELD_LIST}.`)
    if (field !== 'ignore' && used.has(field)) throw new PatternError(`The pattern contains {${field}} twice.`)
    if (segment.at(-1)?.field)
      throw new PatternError('Put something between two fields of the pattern, for example “ - ”.')
    used.add(field)
    segment.push({ field, text: '' })
  }
  if (segment.length === 0)
    throw new PatternError('A part of the pattern is empty. Separate folders and file names with a single “/”.')
  return segment
}

/**
 * Returns the values in a path; undefined when it does not match the pattern. Folders above those of the pattern are
 * ignored.
 */
export function parsePath({ segments }: PathPattern, file: string): Partial<Record<PatternField, string>> | undefined {
  const parts = file
    .normalize('NFC')
    .replace(/\.[A-Za-z0-9]{1,5}$/, '')
    .split(/[\\/]/)
  if (parts.length < segments.length) return undefined
  const values: Partial<Record<PatternField, string>> = {}
  const named = parts.slice(-segments.length)
  for (const [at, segment] of segments.entries()) if (!readSegment(segment, named[at] ?? '', values)) return undefined
  return values
}

/** Typographic dashes and underscores count as '-' and spaces. */
const plain = (text: string): string => text.replace(/[–—]/g, '-').replaceAll('_', ' ')

/** Each field ends where the following text first occurs; the last one extends to the end. */
function readSegment(segment: Segment, segmentText: string, values: Partial<Record<PatternField, string>>): boolean {
  const text = segmentText.includes(' ') ? segmentText : segmentText.replaceAll('_', ' ')
  const comparedText = plain(text).toLowerCase()
  let at = 0
  for (const [n, { field, text: literal }] of segment.entries()) {
    if (!field) {
      if (!comparedText.startsWith(plain(literal).toLowerCase(), at)) return false
      at += literal.length
      continue
    }
    const fieldEnd = endOfField(segment, { n, at, comparedText })
    const value = text.slice(at, Math.max(fieldEnd, at)).trim()
    if (fieldEnd < 0 || value === '') return false
    if (field !== 'ignore') values[field] = value
    at = fieldEnd
  }
  return at === text.length
}

function endOfField(
  segment: Segment,
  { n, at, comparedText }: { n: number; at: number; comparedText: string },
): number {
  const literal = plain(segment[n + 1]?.text ?? '').toLowerCase()
  if (literal === '') return comparedText.length
  const isLast = n + 2 >= segment.length
  return isLast
    ? comparedText.endsWith(literal)
      ? comparedText.length - literal.length
      : -1
    : comparedText.indexOf(literal, at + 1)
}

/** Returns the values as tags, which they replace. */
export function extractPathTags(
  pattern: PathPattern,
  file: string,
): { tags: Partial<Tags>; version?: string } | undefined {
  const values = parsePath(pattern, file)
  if (!values) return undefined
  const { genre, year, bpm, key, version, ignore: _, ...textValues } = values
  const tempo = Number(bpm)
  const tags: Partial<Tags> = { ...textValues }
  if (genre) tags.genres = genreNames([genre])
  if (/^(?:19|20)\d\d$/.test(year ?? '')) tags.year = Number(year)
  if (tempo > 0 && tempo <= 400) tags.bpm = tempo
  const songKey = key ? parseKey(key) : undefined
  if (songKey) tags.song_key = songKey
  return { tags, ...(version ? { version } : {}) }
}
