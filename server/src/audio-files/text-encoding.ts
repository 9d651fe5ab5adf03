import { TextDecoder } from 'node:util'
import type { imports } from '@dubplate/contract'
import { decodeWindows1252 } from '@dubplate/contract/windows-1252'

/**
 * Tags whose text is declared as Latin-1, or declares nothing, but was written in the encoding of the writer's system.
 * docs/decisions/0046-tag-encodings.md describes the choice of the encodings.
 */

/** The setting of an import: an encoding by name, or `automatic`. */
export type TagEncoding = imports.TagEncoding
/** A group of the setting without `automatic`, or UTF-8, which is only detected. */
export type TextEncoding = Exclude<TagEncoding, 'automatic'> | 'utf8'

/** Labels of the WHATWG Encoding Standard. */
const DECODERS: Record<Exclude<TextEncoding, 'western'>, string> = {
  central_european: 'windows-1250',
  cyrillic: 'windows-1251',
  greek: 'windows-1253',
  turkish: 'windows-1254',
  japanese: 'shift_jis',
  korean: 'euc-kr',
  chinese: 'gb18030',
  utf8: 'utf-8',
}

const decoders = new Map<TextEncoding, TextDecoder>()

/** Decodes a text; bytes that the encoding does not define become U+FFFD. */
export function decodeAs(encoding: TextEncoding, bytes: Uint8Array): string {
  if (encoding === 'western') return decodeWindows1252(bytes)
  const decoder = decoders.get(encoding) ?? new TextDecoder(DECODERS[encoding])
  decoders.set(encoding, decoder)
  return decoder.decode(bytes)
}

export const hasHighBytes = (bytes: Uint8Array): boolean => bytes.some((byte) => byte >= 0x80)

/**
 * Returns the encoding of the setting, or the one that the texts of a file are most likely written in. UTF-8 cannot be
 * mistaken for another encoding, so only the choice of Latin-1 takes precedence over it.
 */
export function resolveEncoding(setting: TagEncoding, texts: readonly Uint8Array[]): TextEncoding {
  if (setting === 'automatic') return detectEncoding(texts)
  return setting !== 'western' && texts.every(isUtf8) ? 'utf8' : setting
}

/**
 * Returns the encoding that all the texts of a file are most likely written in. `western` unless the evidence for
 * another one is strong, so that accented letters are never harmed.
 */
export function detectEncoding(texts: readonly Uint8Array[]): TextEncoding {
  const legacy = texts.filter(hasHighBytes)
  if (legacy.length === 0) return 'western'
  if (legacy.every(isUtf8)) return 'utf8'
  if (isJapanese(legacy)) return 'japanese'
  return isCyrillic(legacy) ? 'cyrillic' : 'western'
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

function isUtf8(bytes: Uint8Array): boolean {
  try {
    strictUtf8.decode(bytes)
    return true
  } catch {
    return false
  }
}

const strictShiftJis = new TextDecoder('shift_jis', { fatal: true })
/** Kana and its punctuation, without the half-width forms that other encodings look like. */
const KANA = /[\u3001-\u3015\u3041-\u30ff]/u
/** Kanji of level 1 of JIS X 0208, the common ones, begin with these bytes in Shift-JIS. */
const COMMON_KANJI = { from: 0x88, to: 0x97 }
/** Neighbouring characters of two bytes. Typographic quotes next to letters look like single ones. */
const MIN_JAPANESE_RUN = 2
const MIN_COMMON_SHARE = 0.75

type JapaneseCounts = { common: number; rare: number; longestRun: number; single: number }

/** '…', quotes and dashes of Windows-1252. */
const isWesternMark = (byte: number): boolean => byte === 0x85 || (byte >= 0x91 && byte <= 0x97)

function isJapanese(texts: readonly Uint8Array[]): boolean {
  if (texts.every((text) => text.every((byte) => byte < 0x80 || isWesternMark(byte)))) return false
  const counts: JapaneseCounts = { common: 0, rare: 0, longestRun: 0, single: 0 }
  for (const text of texts) if (!countJapanese(text, counts)) return false
  const all = counts.common + counts.rare
  return (
    counts.longestRun >= MIN_JAPANESE_RUN &&
    counts.common >= all * MIN_COMMON_SHARE &&
    counts.single * 4 <= counts.common
  )
}

/** Returns false when the text is not valid Shift-JIS. */
function countJapanese(bytes: Uint8Array, counts: JapaneseCounts): boolean {
  let run = 0
  for (let at = 0; at < bytes.length; ) {
    const lead = bytes[at] ?? 0
    const isDouble = (lead >= 0x81 && lead <= 0x9f) || (lead >= 0xe0 && lead <= 0xfc)
    const character = decodeShiftJis(bytes.subarray(at, at + (isDouble ? 2 : 1)))
    if (character === undefined) return false
    if (!isDouble) {
      if (run === 1) counts.single++
      // Half-width katakana: in Japanese tags, they are rare.
      if (lead >= 0x80) counts.rare++
    } else if (KANA.test(character) || (lead >= COMMON_KANJI.from && lead <= COMMON_KANJI.to)) counts.common++
    else if (lead !== 0x81) counts.rare++
    run = isDouble ? run + 1 : 0
    counts.longestRun = Math.max(counts.longestRun, run)
    at += isDouble ? 2 : 1
  }
  if (run === 1) counts.single++
  return true
}

function decodeShiftJis(bytes: Uint8Array): string | undefined {
  try {
    const character = strictShiftJis.decode(bytes)
    return /\p{Co}/u.test(character) ? undefined : character
  } catch {
    return undefined
  }
}

/** The letters of each alphabet, the most frequent first; Cyrillic with those of its languages besides Russian. */
const CYRILLIC_LETTERS = 'оаеинтсрвлкмдпуяыьзбгчйхжшюцщёэіїєъфґўјљњћђџѓќѕ'
const GREEK_LETTERS = 'αοιετσνηυρπκμλςωδγχθφβξζψάέήίόύώϊϋΐΰ'
const HEBREW_LETTERS = 'יוהלאתרמבשנכדעחקפםטגצןזסךףץ'
/** What Cyrillic texts contain besides letters: quotes, dashes, '№', '…', '©' and the like. */
const CYRILLIC_MARKS = /[\u00a0«»„“”‘’–—…№·•©®™°]/gu
const MIN_CYRILLIC_WORD = 3
/** How far down the list of letters, on average: a random letter is at half of it, Russian text near a fifth. */
const MAX_MEAN_RANK = 0.27

/**
 * Words of Cyrillic texts consist of bytes above 0x7F alone, while in Latin ones such letters stand between ASCII
 * letters. The frequency of the letters rules out other alphabets of this kind.
 */
function isCyrillic(texts: readonly Uint8Array[]): boolean {
  const decoded = texts.map((text) => decodeAs('cyrillic', text)).join('\n')
  const runs = [...decoded.matchAll(/\p{Script=Cyrillic}+/gu)].map(([run], n, all) => ({
    run,
    isMixed: run.length < MIN_CYRILLIC_WORD && isNextToAscii(decoded, all[n]!.index, run.length),
  }))
  const lettersOf = (chosen: typeof runs) => chosen.map(({ run }) => run).join('')
  const letters = lettersOf(runs.filter(({ isMixed }) => !isMixed)).toLowerCase()
  const mixed = lettersOf(runs.filter(({ isMixed }) => isMixed))
  const oddLetters = lettersOf(runs.filter(({ run }) => hasOddCase(run)))
  const others = decoded.replace(/[\0-\x7f\p{Script=Cyrillic}]/gu, '').replace(CYRILLIC_MARKS, '')
  if (new Set(letters).size < 2 || runs.every(({ run }) => run.length < MIN_CYRILLIC_WORD)) return false
  if (4 * Math.max(mixed.length, oddLetters.length, 2 * others.length) > letters.length) return false
  const rank = meanRank(letters, CYRILLIC_LETTERS)
  return rank <= MAX_MEAN_RANK && Object.keys(RIVALS).every((name) => rank < rankAs(name, texts))
}

const isNextToAscii = (text: string, start: number, length: number): boolean =>
  /[A-Za-z]/.test(`${text.charAt(start - 1)}${text.charAt(start + length)}`)

/** 'вЕрНись': a capital after a small letter. */
const hasOddCase = (word: string): boolean => /\p{Ll}\p{Lu}/u.test(word)

/** The mean position of the letters in the list, as a share of its length. */
function meanRank(letters: string, order: string): number {
  const ranks = [...letters].map((letter) => {
    const rank = order.indexOf(letter)
    return rank < 0 ? order.length : rank
  })
  return ranks.reduce((sum, rank) => sum + rank, 0) / Math.max(1, ranks.length) / order.length
}

const RIVALS: Record<string, string> = { 'windows-1253': GREEK_LETTERS, 'windows-1255': HEBREW_LETTERS }

function rankAs(name: string, texts: readonly Uint8Array[]): number {
  const decoder = new TextDecoder(name)
  const letters = texts.map((text) => decoder.decode(text).replace(/[\0-\x7f]|[^\p{L}]/gu, '')).join('')
  return letters === '' ? 1 : meanRank(letters.toLowerCase(), RIVALS[name] ?? '')
}
