import { parseKey, type SongKey } from '@dubplate/contract'

/** Tempo and key as DJ software writes them into names and comments. */
export type TempoAndKey = { bpm?: number; song_key?: SongKey }

const MUSICAL_NOTE = '[A-G](?:b|#|♭|♯)?'
const KEY = String.raw`(?:0?(?:1[0-2]|[1-9])[ABabdm]|${MUSICAL_NOTE}\s?(?:maj(?:or)?|min(?:or)?|m)|[A-G](?:b|#|♭|♯))`
const BPM = String.raw`(\d{2,3}(?:[.,]\d{1,2})?)`
const SPACE = String.raw`[\s,|/–-]+`
/** A bare note letter is only a key next to a tempo: '(B)' is a side of a record. */
const BARE_KEY = `${KEY}|${MUSICAL_NOTE}`

const FORMATS: { pattern: RegExp; bpm: number; key: number }[] = [
  { pattern: new RegExp(`^${BPM}\\s?bpm${SPACE}(${BARE_KEY})$`, 'i'), bpm: 1, key: 2 },
  { pattern: new RegExp(`^(${BARE_KEY})${SPACE}${BPM}(?:\\s?bpm)?$`, 'i'), bpm: 2, key: 1 },
  { pattern: new RegExp(`^${BPM}${SPACE}(${BARE_KEY})$`), bpm: 1, key: 2 },
  { pattern: new RegExp(`^${BPM}\\s?bpm$`, 'i'), bpm: 1, key: 0 },
  { pattern: new RegExp(`^${BPM}$`), bpm: 1, key: 0 },
  { pattern: new RegExp(`^(?:key\\s*:?\\s*)?(${KEY})$`), bpm: 0, key: 1 },
]

/** The slowest and fastest plausible tempo in a name; other numbers are titles, years and bit rates. */
const MIN_PLAUSIBLE_BPM = 50
const MAX_PLAUSIBLE_BPM = 220

/**
 * Parses a text that only consists of tempo and key: '8A 124', '124 BPM', '124 - Am', 'F#m'. Undefined for any other.
 */
export function parseTempoAndKey(text: string): TempoAndKey | undefined {
  const plain = text.trim().replace(/\s*energy\s*\d+$/i, '')
  for (const { pattern, bpm: at, key: keyGroup } of FORMATS) {
    const match = pattern.exec(plain)
    if (!match?.[0]) continue
    const bpm = at ? Number(match[at]?.replace(',', '.')) : undefined
    const songKey = keyGroup ? parseKey(match[keyGroup] ?? '') : undefined
    if (bpm !== undefined && (bpm < MIN_PLAUSIBLE_BPM || bpm > MAX_PLAUSIBLE_BPM)) return undefined
    if (keyGroup && !songKey) return undefined
    return { ...(bpm === undefined ? {} : { bpm }), ...(songKey ? { song_key: songKey } : {}) }
  }
  return undefined
}

/** Case-sensitive: 'Who I am 100' is a title. */
const MARKS_AT_END = new RegExp(
  `\\s+((?:${KEY})${SPACE}${BPM}(?:\\s?[Bb][Pp][Mm])?|${BPM}${SPACE}(?:${KEY})|${BPM}\\s?[Bb][Pp][Mm])$`,
)

/** Removes '… 8A 124', '… 124 Am' or '… 124bpm' from the end of a title. */
export function extractMarks(title: string): { title: string; marks: TempoAndKey } {
  const match = MARKS_AT_END.exec(title)
  const tempoAndKey = match?.[1] ? parseTempoAndKey(match[1]) : undefined
  return match && tempoAndKey ? { title: title.slice(0, match.index), marks: tempoAndKey } : { title, marks: {} }
}

const TRAILING_NUMBER = /^(.*\S)\s+(\d{2,3}(?:\.\d{1,2})?)$/
/** Words before a number that make it part of a title: 'Summer Of 69', 'Route 66', 'Keep It 100'. */
const NUMBERED_TITLE =
  /(?:^|\s)(?:of|route|no\.?|number|nr\.?|part|pt\.?|vol\.?|volume|chapter|area|highway|interstate|room|unit|studio|apollo|district|agent|channel|track|take|psalm|formula|level|symphony|opus|op\.?|episode|ep|class|size|page|line|bus|flight|zone|sector|the|an?|my|your|like|at|in|to|from|till|until|am|is|it|its|it['’]s|keep|me|i|u|and|or|plus|minus|times|[&+x×,-])$/i

/** Half and double tempo count as the same. */
const isSameTempo = (a: number, b: number): boolean => [1, 2, 0.5].some((factor) => Math.abs(a * factor - b) <= 1)

/**
 * Removes a tempo without a unit from the end of a title: 'Get Low 103'. A tempo known from elsewhere decides whether
 * it is one. Otherwise two-digit numbers stay, because they are as often years and names, and so does 100, which is
 * part of phrases.
 */
export function extractBareTempo(title: string, knownBpm?: number): { title: string; bpm?: number } {
  const [, rest, number] = TRAILING_NUMBER.exec(title) ?? []
  const bpm = Number(number)
  if (!rest || !(bpm >= MIN_PLAUSIBLE_BPM && bpm <= MAX_PLAUSIBLE_BPM)) return { title }
  const isLikely = bpm > 100 && bpm < 200 && /\p{L}{2}/u.test(rest) && !NUMBERED_TITLE.test(rest)
  return (knownBpm === undefined ? isLikely : isSameTempo(bpm, knownBpm)) ? { title: rest, bpm } : { title }
}

/** Removes the tempo and key after version words within a bracket: 'Intro Clean 124 8A'. */
export function extractInnerMarks(text: string): { text: string; marks: TempoAndKey } {
  for (const { index } of text.matchAll(/[\s,|/–-]+/g)) {
    const tempoAndKey = index > 0 ? parseTempoAndKey(text.slice(index).replace(/^[\s,|/–-]+/, '')) : undefined
    if (tempoAndKey) return { text: text.slice(0, index), marks: tempoAndKey }
  }
  return { text, marks: {} }
}

/** Returns the key at the beginning of a comment: Mixed In Key writes '8A - Energy 7' or '8A - 124.0'. */
export function parseKeyFromComment(comment: string): SongKey | undefined {
  const match = /^\s*(0?(?:1[0-2]|[1-9])[AB])(?=$|\s|[-–/|,])/i.exec(comment)
  return match?.[1] ? parseKey(match[1]) : undefined
}
