/** The 24 musical keys as the pool writes them (ID3 `TKEY`, at most three characters): majors by pitch class, then minors. */
export const KEYS = [
  ...(['C', 'Db', 'D', 'Eb', 'E', 'F', 'F#', 'G', 'Ab', 'A', 'Bb', 'B'] as const),
  ...(['Cm', 'C#m', 'Dm', 'Ebm', 'Em', 'Fm', 'F#m', 'Gm', 'G#m', 'Am', 'Bbm', 'Bm'] as const),
] as const

export type SongKey = (typeof KEYS)[number]

const LETTERS: Record<string, number> = { c: 0, d: 2, e: 4, f: 5, g: 7, a: 9, b: 11 }
const CAMELOT_OR_OPEN_KEY = /^0?(1[0-2]|[1-9]) ?([abdm])$/i
const MUSICAL = /^([a-g]) ?(b|#|flat|sharp)?[ _-]?(m|min|minor|moll|maj|major|dur)?$/i

/** Returns the key at a wheel position: `fifths` steps clockwise from C major or A minor on the circle of fifths. */
function keyOnCircle(fifths: number, minor: boolean): SongKey {
  const major = (((fifths * 7) % 12) + 12) % 12
  return KEYS[minor ? 12 + ((major + 9) % 12) : major]!
}

/** Returns the steps clockwise from C major (minors: from A minor), 0 to 11. One step is a fifth, seven semitones. */
function fifthsOf(key: SongKey): number {
  const index = KEYS.indexOf(key)
  const relativeMajor = index < 12 ? index : index + 3
  return (relativeMajor * 7) % 12
}

const isMinor = (key: SongKey) => KEYS.indexOf(key) >= 12

function parseWheel(text: string): SongKey | undefined {
  const [, number, letter] = CAMELOT_OR_OPEN_KEY.exec(text) ?? []
  if (!number || !letter) return undefined
  const isCamelot = /[ab]/i.test(letter)
  // Camelot counts from 8 where Open Key counts from 1: both are C major and A minor.
  return keyOnCircle(Number(number) - (isCamelot ? 8 : 1), /[am]/i.test(letter))
}

/** 'M' alone is major, 'm' minor; without a mode, a lower-case letter means minor, as in Mixxx. */
function isWrittenMinor(letter: string, mode: string | undefined): boolean {
  if (!mode) return letter === letter.toLowerCase()
  return mode === 'm' || /^mi|^mo/i.test(mode)
}

function parseMusical(text: string): SongKey | undefined {
  const [, letter, accidental, mode] = MUSICAL.exec(text) ?? []
  if (!letter) return undefined
  const shift = !accidental ? 0 : /^(#|sharp)$/i.test(accidental) ? 1 : -1
  const pitchClass = (LETTERS[letter.toLowerCase()]! + shift + 12) % 12
  return KEYS[pitchClass + (isWrittenMinor(letter, mode) ? 12 : 0)]
}

/**
 * Parses a key as people and DJ software write it: 'Am', 'A minor', 'a', 'A♭m', 'Dbmaj', Camelot '8A' or '08a', Open
 * Key '1m' or '10d', or two spellings with a slash ('Ab/G#'). Returns its spelling in {@link KEYS}, or undefined.
 */
export function parseKey(text: string): SongKey | undefined {
  const plain = text.replaceAll('♭', 'b').replaceAll('♯', '#')
  for (const part of plain.split('/')) {
    const words = part.trim().replace(/\s+/g, ' ')
    const key = parseWheel(words) ?? parseMusical(words)
    if (key) return key
  }
  return undefined
}

const camelotNumber = (key: SongKey) => ((fifthsOf(key) + 7) % 12) + 1

/** Camelot wheel position (Mixed In Key): '8A' for Am, '8B' for C. */
export function camelot(key: SongKey): string {
  return `${camelotNumber(key)}${isMinor(key) ? 'A' : 'B'}`
}

/** How keys are shown and written. */
export const NOTATIONS = ['camelot', 'musical', 'open'] as const

/** Open Key position (Traktor): '1m' for Am, '1d' for C. */
export function openKey(key: SongKey): string {
  return `${fifthsOf(key) + 1}${isMinor(key) ? 'm' : 'd'}`
}

/** 1..24 in the order 1A, 1B, 2A … 12B, for sorting. */
export function camelotOrder(key: SongKey): number {
  return camelotNumber(key) * 2 - (isMinor(key) ? 1 : 0)
}

/**
 * Returns true if two keys mix harmonically by the Camelot rule: the same key, one step round the wheel, or the
 * relative major or minor.
 */
export function mixesWith(a: SongKey, b: SongKey): boolean {
  const steps = (camelotNumber(a) - camelotNumber(b) + 12) % 12
  if (steps === 0) return true
  return isMinor(a) === isMinor(b) && (steps === 1 || steps === 11)
}
