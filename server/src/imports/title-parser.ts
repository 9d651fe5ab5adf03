import type { SongKey } from '@dubplate/contract'
import {
  extractBareTempo,
  extractInnerMarks,
  extractMarks,
  parseTempoAndKey,
  type TempoAndKey,
} from './tempo-and-key.ts'
import { joinWords, labelOf, parseVersionInfo, type VersionInfo } from './version-parser.ts'

/** A parsed title. `title` includes '(X Remix)', which makes it another song; the version is removed. */
export type ParsedTitle = {
  title: string
  version?: string
  remixer?: string
  featuring?: string
  bpm?: number
  /** The tempo at the end of a transition. */
  bpm_to?: number
  song_key?: SongKey
  /** The record label that shops and promos put into the last square brackets. */
  label?: string
}

const SITE = String.raw`(?:https?:\/\/)?(?:www\.\S+|[\w-]+\.(?:com|net|org|info|biz|ru|fm|dj|club|io|cc|to|co\.uk|mx|pl)(?:\/\S*)?)`
/** Notes by labels and studios about a file rather than its music. */
const MASTER = String.raw`(?:final |pre-?|un)?master(?:ed)?|(?:final )?master 16[-/]44|\d{2}[- ]?bit(?: ?[\d.,]+ ?k?(?:hz)?)?|16[-/]44(?:\.1)?`
const PROMO = `(?:(?:for )?promo(?:tional)?(?: use)?(?: only)?|not for sale)`
/** A label's catalogue number: 'DFTD555', 'XL1327'. */
export const CATALOGUE_NUMBER = /^[A-Z]{2,10}-?\d{3,5}[A-Z]{0,2}\d?$/
const JUNK = new RegExp(
  String.raw`^(?:${SITE}|${MASTER}|${PROMO}(?: ${PROMO})*|prod(?:uced|\.)?(?: by)? .+|hi-?q|free (?:dl|download)|official (?:music )?(?:audio|video|lyric video)|lyrics?|hq|hd|(?:high|hi) quality|\d{2,3} ?kbps|320|mp3|wav|flac|aiff?|out now|\d)$`,
  'i',
)
const FEATURING = /^(?:feat\.?|ft\.?|featuring|with|w\/)\s+(.+)$/i
/** Only in lower case: 'Robert F. Kennedy' contains no guest. */
const SHORT_FEATURING = /\s+f\.\s+(.+?)(?=\s+[([{]|\s+-\s|$)/
const FEATURING_INSIDE = /\s+(?:feat\.?|ft\.?|featuring)\s+(.+?)(?=\s+[([{]|\s+-\s|$)/i
const BRACKET = /\s*[([{]([^()[\]{}]*)[)\]}]/g
/** A single one of these words at the end of a title is a version; others need a second one. */
const PLAIN_VERSION = /\s(?:acapp?ella|instrumental|(?:radio|short) edit|(?:original|extended|club) mix)$/i

/** True for additions by shops, rippers and pools: '(promo only)', 'www.site.com', '[320kbps]'. */
export const isJunk = (text: string): boolean => JUNK.test(text.trim())

const JUNK_TAIL = new RegExp(
  String.raw`(?<=[)\]}])[\s-]+(?:(?:${MASTER}|${PROMO}|copy)\s*)+$|[\s_]+\d{2,3} ?kbps$`,
  'i',
)
/** A bracket that was not closed because the name was cut off. */
const UNCLOSED_BRACKET = /[([{][^()[\]{}]*$/

export const normaliseText = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/^[\s\-–—.,_]+|[\s\-–—,_]+$/g, '')

type TitleParts = { words: VersionInfo; marks: TempoAndKey; featuring?: string; label?: string }

/** Parses the brackets from the inside out; unknown ones stay. */
function extractBrackets(text: string, result: TitleParts): string {
  let rest = text
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = rest.replace(BRACKET, (whole, bracketText: string, at: number) => {
      const isLast = at + whole.length === rest.trimEnd().length
      if (extractBracket(bracketText, result) || (isLast && extractLabel(whole, result))) return ''
      // '[Remix]' and '(Remix)' make the same title.
      return /^\s*\[(?:re)?mix\]$/i.test(whole) ? ` (${bracketText})` : whole
    })
  }
  return rest
}

function extractBracket(bracketText: string, result: TitleParts): boolean {
  const text = bracketText.trim()
  const tempoAndKey = parseTempoAndKey(text)
  const featuring = FEATURING.exec(text)?.[1]
  if (text === '' || (!tempoAndKey && (isJunk(text) || CATALOGUE_NUMBER.test(text)))) return true
  if (tempoAndKey) Object.assign(result.marks, tempoAndKey)
  if (featuring) result.featuring ??= normaliseText(featuring)
  return tempoAndKey !== undefined || featuring !== undefined || extractVersionWords(text, result)
}

/** 'Intro Clean', and 'Intro Clean 124 8A'. */
function extractVersionWords(text: string, result: TitleParts): boolean {
  const innerMarks = extractInnerMarks(text)
  const innerVersion = Object.keys(innerMarks.marks).length > 0 ? parseVersionInfo(innerMarks.text) : undefined
  const words = innerVersion ?? parseVersionInfo(text)
  if (!words) return false
  if (innerVersion) result.marks = { ...innerMarks.marks, ...result.marks }
  result.words = joinWords(result.words, words)
  return true
}

/**
 * '(Original Mix) [Toolroom]': after a version, the last square brackets contain the label unless they have another
 * meaning.
 */
function extractLabel(whole: string, result: TitleParts): boolean {
  const label = /^\s*\[([^[\]]{2,40})\]$/.exec(whole)?.[1]?.trim()
  const hasVersion = result.words.label.length > 0 || result.words.remix !== undefined
  if (!label || !hasVersion || /^(?:from|live|part|pt|vol|remix|mix)\b/i.test(label)) return false
  result.label ??= label
  return true
}

/** Removes what follows the last bracket: '(Clean) 103', '(Original Mix) MASTER'. */
function extractTail(text: string, result: TitleParts): string {
  let rest = text.trimEnd()
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = rest.replace(JUNK_TAIL, '').trimEnd()
    const [, head, tail] = /^(.*[)\]}])[\s–-]+([^()[\]{}]+)$/.exec(rest) ?? []
    const tempoAndKey = tail ? parseTempoAndKey(tail) : undefined
    if (!head || !tempoAndKey) continue
    result.marks = { ...tempoAndKey, ...result.marks }
    rest = head
  }
  return rest
}

/** 'Umbrella Intro Dirty': version words without a bracket, when they cannot be part of the title. */
function extractBareVersion(title: string, result: TitleParts): string {
  const words = title.split(' ')
  for (const count of [4, 3, 2, 1]) {
    if (words.length <= count) continue
    const ending = words.slice(-count).join(' ')
    if (count === 1 && !PLAIN_VERSION.test(` ${ending}`)) continue
    const read = parseVersionInfo(ending)
    if (!read || read.remix || (read.label.length < 2 && !PLAIN_VERSION.test(` ${ending}`))) continue
    result.words = joinWords(result.words, read)
    return words.slice(0, -count).join(' ')
  }
  return title
}

/** Removes guests from a name: 'A ft. B' is the artist A, featuring B. */
export function splitFeaturing(text: string): { text: string; featuring?: string } {
  const result = FEATURING_INSIDE.exec(text) ?? SHORT_FEATURING.exec(text)
  if (!result?.[1] || result.index === 0) return { text }
  return {
    text: text.slice(0, result.index) + text.slice(result.index + result[0].length),
    featuring: normaliseText(result[1]),
  }
}

/**
 * Parses a title from a tag or a file name. The result is only empty if the text is. `taggedBpm` confirms a tempo at
 * the end.
 */
export function parseTitle(text: string, taggedBpm?: number): ParsedTitle {
  const result: TitleParts = { words: { label: [] }, marks: {} }
  const closedText = UNCLOSED_BRACKET.test(text) ? `${text})` : text
  const withoutTail = extractTail(closedText.normalize('NFC'), result)
  const bare = extractBrackets(withoutTail, result).replace(/\s+www\.\S+/gi, '')
  const guests = splitFeaturing(bare)
  const { title, marks: tempoAndKey } = extractMarks(normaliseText(guests.text))
  const short = normaliseText(extractBareVersion(normaliseText(title), result))
  if (short === '') return { title: normaliseText(text) || text.trim() }
  const known = result.words.bpm?.[0] ?? tempoAndKey.bpm ?? result.marks.bpm
  const { title: plain, bpm } = extractBareTempo(short, known ?? taggedBpm)
  return {
    title: appendRemix(plain, result.words),
    version: labelOf(result.words.label),
    remixer: result.words.remix?.by || undefined,
    featuring: result.featuring ?? guests.featuring,
    bpm: known ?? bpm,
    bpm_to: result.words.bpm?.[1],
    song_key: tempoAndKey.song_key ?? result.marks.song_key,
    label: result.label,
  }
}

function appendRemix(title: string, { remix }: VersionInfo): string {
  return remix ? `${title} (${[remix.by, remix.kind].filter(Boolean).join(' ')})` : title
}
