import { wordsOf } from '../catalogue/words.ts'
import { parseTempoAndKey } from '../imports/tempo-and-key.ts'
import { isJunk, parseTitle } from '../imports/title-parser.ts'
import { parseVersionInfo } from '../imports/version-parser.ts'
import { comparedText } from './compared-text.ts'
import { repairText } from './repair-text.ts'
import { namesOf, readVersionLabel, type VersionMeaning } from './version-words.ts'

/** A title, split into the name of the song and what is said about the version. */
export type TitleReading = {
  /** The title without guests, version, remix and remarks, in the form in which it is compared. */
  core: string
  /** The words of the core as search stores them. */
  words: string[]
  guests: string[]
  version: VersionMeaning
  /** Letters of the title as it was written. */
  length: number
  /** A bracket was cut off, so a remixer or a version may be missing. */
  is_cut: boolean
}

/** Words that make it another recording, besides those that the product treats as versions ('Live', 'Acoustic'). */
const RECORDING =
  /\b(live|acoustic|unplugged|karaoke|tribute|cover|in the style of|made famous|sped up|slowed|nightcore|demo|reprise|orchestral|8d)\b/
/** After a dash, where a title can be as well: 'Live', 'Live at Wembley', not 'Live Your Life'. */
const RECORDING_PART =
  /^(?:live|acoustic|unplugged|karaoke|cover|sped up|slowed|nightcore|demo|reprise|orchestral)(?: (?:version|mix|edit|session|and|reverb|at|from|in|on)\b.*)?$/
const REMARK =
  /^(?:single|ep|bonus track|deluxe(?: edition| version)?|mono|stereo|explicit lyrics?|(?:music |lyric )?video|audio|visuali[sz]er)$/
const BRACKET = /[([{]([^()[\]{}]*)[)\]}]/g
const UNCLOSED_BRACKET = /\s*[([{]([^()[\]{}]*)$/
const DASH = /\s+[-–—]\s+/
const GUEST = /^(?:feat|ft|featuring|with|w\/)\b/i
/** Programs that cut titles keep at least so many letters; a shorter one with such a bracket was written like that. */
const MIN_CUT_LENGTH = 25

/** `artist` is removed from the beginning of the title: many files have 'Artist - Title' as their title. */
export function readTitle(title: string, artist = ''): TitleReading {
  const parts = withoutMarks(repairText(title).replaceAll('_', ' ').trim().split(DASH), artist)
  const { text, is_cut } = withoutCutBracket(parts)
  const recordings = new Set<string>()
  const plain = text.replace(BRACKET, (whole, group: string) => {
    const compared = comparedText(group)
    const recording = RECORDING.exec(compared)?.[1]
    if (recording) recordings.add(recording)
    return recording || REMARK.test(compared) ? ' ' : whole
  })
  const parsed = parseTitle(plain)
  // The parser has put '(X Remix)' at the end.
  const name = parsed.remixer ? parsed.title.replace(/ \([^()]*\)$/, '') : parsed.title
  const { words, usual, remixers, recordings: versionRecordings } = readVersionLabel(parsed.version ?? '')
  return {
    core: comparedText(name),
    words: wordsOf(name),
    guests: namesOf(parsed.featuring ?? ''),
    version: {
      words,
      usual,
      remixers: new Set([...remixers, ...namesOf(parsed.remixer ?? '')]),
      recordings: new Set([...versionRecordings, ...recordings]),
    },
    length: title.trim().length,
    is_cut,
  }
}

/**
 * Removes tempo and key from the beginning, and the artist. Puts version words and remarks at the end into brackets:
 * 'Title - Clean' → 'Title (Clean)'.
 */
function withoutMarks(parts: string[], artist: string): string {
  const rest = [...parts]
  while (rest.length > 1 && parseTempoAndKey(rest[0]!)) rest.shift()
  if (rest.length > 1 && artist !== '' && comparedText(rest[0]!) === comparedText(artist)) rest.shift()
  let brackets = ''
  while (rest.length > 1) {
    const [, remark = '', others = ''] = PART_WITH_BRACKETS.exec(rest.at(-1)!) ?? []
    if (!isRemark(remark)) break
    brackets = ` (${remark})${others}${brackets}`
    rest.pop()
  }
  return `${rest.join(' - ')}${brackets}`
}

/** 'Single (Clean)'. */
const PART_WITH_BRACKETS = /^([^()[\]{}]+?)((?:\s*[([{][^()[\]{}]*[)\]}])*)\s*$/

function isRemark(part: string): boolean {
  if (parseVersionInfo(part) || parseTempoAndKey(part) || isJunk(part)) return true
  const compared = comparedText(part)
  return RECORDING_PART.test(compared) || REMARK.test(compared)
}

/** Removes a bracket without an end, unless it can be read as it is. */
function withoutCutBracket(text: string): { text: string; is_cut: boolean } {
  const [bracket, group = ''] = UNCLOSED_BRACKET.exec(text) ?? []
  const isReadable = parseVersionInfo(group) !== undefined || GUEST.test(group) || RECORDING.test(comparedText(group))
  if (bracket === undefined || text.length < MIN_CUT_LENGTH || isReadable) return { text, is_cut: false }
  return { text: text.slice(0, -bracket.length), is_cut: true }
}

/** The last word, and the brackets after it. */
const LAST_WORD = /^(.+)\s(\S+?)((?:\s*[([{][^()[\]{}]*[)\]}])*)\s*$/

/**
 * 'Title Clean' → 'Title (Clean)': undefined if the last word is not about the version. It can be part of the title, so
 * the title as it is comes first.
 */
export function bracketLastWord(title: string): string | undefined {
  const [, rest, word = '', brackets] = LAST_WORD.exec(title) ?? []
  if (rest === undefined || !isVersionWord(word)) return undefined
  return `${rest} (${word})${brackets}`
}

function isVersionWord(word: string): boolean {
  const info = parseVersionInfo(word)
  return info !== undefined && !info.remix && readVersionLabel(word).words.size > 0
}
