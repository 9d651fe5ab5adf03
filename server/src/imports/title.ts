import type { SongKey } from '@dubplate/contract'
import { type Marks, readMarks, takeBareTempo, takeInnerMarks, takeMarks } from './tempo-and-key-marks.ts'
import { joinWords, labelOf, readVersionWords, type VersionWords } from './version-words.ts'

/** A title taken apart. `title` keeps '(X Remix)', which makes it another song; the version is split off. */
export type ParsedTitle = {
  title: string
  version?: string
  remixer?: string
  featuring?: string
  bpm?: number
  /** The tempo at the end of a transition. */
  bpm_to?: number
  song_key?: SongKey
  /** The record label that shops and promos put into a last square bracket. */
  label?: string
}

const SITE = String.raw`(?:https?:\/\/)?(?:www\.\S+|[\w-]+\.(?:com|net|org|info|biz|ru|fm|dj|club|io|cc|to|co\.uk|mx|pl)(?:\/\S*)?)`
/** What labels and studios note about a file rather than about its music. */
const MASTER = String.raw`(?:final |pre-?|un)?master(?:ed)?|(?:final )?master 16[-/]44|\d{2}[- ]?bit(?: ?[\d.,]+ ?k?(?:hz)?)?|16[-/]44(?:\.1)?`
const PROMO = `(?:(?:for )?promo(?:tional)?(?: use)?(?: only)?|not for sale)`
/** A label's catalogue number: 'DFTD555', 'XL1327'. */
export const CATALOGUE_NUMBER = /^[A-Z]{2,10}-?\d{3,5}[A-Z]{0,2}\d?$/
const JUNK = new RegExp(
  String.raw`^(?:${SITE}|${MASTER}|${PROMO}(?: ${PROMO})*|prod(?:uced|\.)?(?: by)? .+|hi-?q|free (?:dl|download)|official (?:music )?(?:audio|video|lyric video)|lyrics?|hq|hd|(?:high|hi) quality|\d{2,3} ?kbps|320|mp3|wav|flac|aiff?|out now|\d)$`,
  'i',
)
const FEATURING = /^(?:feat\.?|ft\.?|featuring|with|w\/)\s+(.+)$/i
/** Only in lower case: 'Robert F. Kennedy' has no guest. */
const SHORT_FEATURING = /\s+f\.\s+(.+?)(?=\s+[([{]|\s+-\s|$)/
const FEATURING_INSIDE = /\s+(?:feat\.?|ft\.?|featuring)\s+(.+?)(?=\s+[([{]|\s+-\s|$)/i
const BRACKET = /\s*[([{]([^()[\]{}]*)[)\]}]/g
/** One of these words alone ends a title only as a version; of all others it takes two. */
const PLAIN_VERSION = /\s(?:acapp?ella|instrumental|(?:radio|short) edit|(?:original|extended|club) mix)$/i

/** True for what shops, rippers and pools add: '(promo only)', 'www.site.com', '[320kbps]'. */
export const isJunk = (text: string): boolean => JUNK.test(text.trim())

const JUNK_TAIL = new RegExp(
  String.raw`(?<=[)\]}])[\s-]+(?:(?:${MASTER}|${PROMO}|copy)\s*)+$|[\s_]+\d{2,3} ?kbps$`,
  'i',
)
/** A bracket that a cut-off name did not close. */
const UNCLOSED = /[([{][^()[\]{}]*$/

export const tidy = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/^[\s\-–—.,_]+|[\s\-–—,_]+$/g, '')

type Found = { words: VersionWords; marks: Marks; featuring?: string; label?: string }

/** Reads the brackets from the inside out; those that mean nothing to us stay. */
function takeBrackets(text: string, found: Found): string {
  let rest = text
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = rest.replace(BRACKET, (whole, inside: string, at: number) => {
      const isLast = at + whole.length === rest.trimEnd().length
      if (takeBracket(inside, found) || (isLast && takeLabel(whole, found))) return ''
      // '[Remix]' and '(Remix)' are one title.
      return /^\s*\[(?:re)?mix\]$/i.test(whole) ? ` (${inside})` : whole
    })
  }
  return rest
}

function takeBracket(inside: string, found: Found): boolean {
  const text = inside.trim()
  const marks = readMarks(text)
  const featuring = FEATURING.exec(text)?.[1]
  if (text === '' || (!marks && (isJunk(text) || CATALOGUE_NUMBER.test(text)))) return true
  if (marks) Object.assign(found.marks, marks)
  if (featuring) found.featuring ??= tidy(featuring)
  return marks !== undefined || featuring !== undefined || takeWords(text, found)
}

/** 'Intro Clean', and 'Intro Clean 124 8A'. */
function takeWords(text: string, found: Found): boolean {
  const inner = takeInnerMarks(text)
  const marked = Object.keys(inner.marks).length > 0 ? readVersionWords(inner.text) : undefined
  const words = marked ?? readVersionWords(text)
  if (!words) return false
  if (marked) found.marks = { ...inner.marks, ...found.marks }
  found.words = joinWords(found.words, words)
  return true
}

/** '(Original Mix) [Toolroom]': behind a version, a last square bracket that means nothing else is the label. */
function takeLabel(whole: string, found: Found): boolean {
  const label = /^\s*\[([^[\]]{2,40})\]$/.exec(whole)?.[1]?.trim()
  const hasVersion = found.words.label.length > 0 || found.words.remix !== undefined
  if (!label || !hasVersion || /^(?:from|live|part|pt|vol|remix|mix)\b/i.test(label)) return false
  found.label ??= label
  return true
}

/** Takes what follows the last bracket: '(Clean) 103', '(Original Mix) MASTER'. */
function takeTail(text: string, found: Found): string {
  let rest = text.trimEnd()
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = rest.replace(JUNK_TAIL, '').trimEnd()
    const [, head, tail] = /^(.*[)\]}])[\s–-]+([^()[\]{}]+)$/.exec(rest) ?? []
    const marks = tail ? readMarks(tail) : undefined
    if (!head || !marks) continue
    found.marks = { ...marks, ...found.marks }
    rest = head
  }
  return rest
}

/** 'Umbrella Intro Dirty': version words without a bracket, when they cannot be the title itself. */
function takeBareVersion(title: string, found: Found): string {
  const words = title.split(' ')
  for (const count of [4, 3, 2, 1]) {
    if (words.length <= count) continue
    const end = words.slice(-count).join(' ')
    if (count === 1 && !PLAIN_VERSION.test(` ${end}`)) continue
    const read = readVersionWords(end)
    if (!read || read.remix || (read.label.length < 2 && !PLAIN_VERSION.test(` ${end}`))) continue
    found.words = joinWords(found.words, read)
    return words.slice(0, -count).join(' ')
  }
  return title
}

/** Takes guests out of a name: 'A ft. B' is the artist A, featuring B. */
export function splitFeaturing(text: string): { text: string; featuring?: string } {
  const found = FEATURING_INSIDE.exec(text) ?? SHORT_FEATURING.exec(text)
  if (!found?.[1] || found.index === 0) return { text }
  return { text: text.slice(0, found.index) + text.slice(found.index + found[0].length), featuring: tidy(found[1]) }
}

/** Takes a title, from a tag or a file's name, apart. Never empty unless the text is. `taggedBpm` confirms a tempo at its end. */
export function parseTitle(text: string, taggedBpm?: number): ParsedTitle {
  const found: Found = { words: { label: [] }, marks: {} }
  const closed = UNCLOSED.test(text) ? `${text})` : text
  const tailless = takeTail(closed.normalize('NFC'), found)
  const bare = takeBrackets(tailless, found).replace(/\s+www\.\S+/gi, '')
  const guests = splitFeaturing(bare)
  const { title, marks } = takeMarks(tidy(guests.text))
  const short = tidy(takeBareVersion(tidy(title), found))
  if (short === '') return { title: tidy(text) || text.trim() }
  const known = found.words.bpm?.[0] ?? marks.bpm ?? found.marks.bpm
  const { title: plain, bpm } = takeBareTempo(short, known ?? taggedBpm)
  return {
    title: withRemix(plain, found.words),
    version: labelOf(found.words.label),
    remixer: found.words.remix?.by || undefined,
    featuring: found.featuring ?? guests.featuring,
    bpm: known ?? bpm,
    bpm_to: found.words.bpm?.[1],
    song_key: marks.song_key ?? found.marks.song_key,
    label: found.label,
  }
}

function withRemix(title: string, { remix }: VersionWords): string {
  return remix ? `${title} (${[remix.by, remix.kind].filter(Boolean).join(' ')})` : title
}
