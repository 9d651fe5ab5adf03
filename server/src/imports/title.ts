import type { SongKey } from '@dubplate/contract'
import { type Marks, readMarks, takeMarks } from './tempo-and-key-marks.ts'
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
}

const SITE = String.raw`(?:https?:\/\/)?(?:www\.\S+|[\w-]+\.(?:com|net|org|info|biz|ru|fm|dj|club|io|cc|to|co\.uk|mx|pl)(?:\/\S*)?)`
const JUNK = new RegExp(
  String.raw`^(?:${SITE}|(?:for )?promo(?:tional)?(?: use)?(?: only)?|free (?:dl|download)|official (?:music )?(?:audio|video|lyric video)|lyrics?|hq|hd|(?:high|hi) quality|\d{2,3} ?kbps|320|mp3|wav|flac|aiff?|out now|\d)$`,
  'i',
)
const FEATURING = /^(?:feat\.?|ft\.?|featuring|with|w\/)\s+(.+)$/i
const FEATURING_INSIDE = /\s+(?:feat\.?|ft\.?|featuring)\s+(.+?)(?=\s+[([{]|\s+-\s|$)/i
const BRACKET = /\s*[([{]([^()[\]{}]*)[)\]}]/g
/** One of these words alone ends a title only as a version; of all others it takes two. */
const PLAIN_VERSION = /\s(?:acapp?ella|instrumental|(?:radio|short) edit|(?:original|extended|club) mix)$/i

/** True for what shops, rippers and pools add: '(promo only)', 'www.site.com', '[320kbps]'. */
export const isJunk = (text: string): boolean => JUNK.test(text.trim())

export const tidy = (text: string): string =>
  text
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .replace(/^[\s\-–—.,_]+|[\s\-–—,_]+$/g, '')

type Found = { words: VersionWords; marks: Marks; featuring?: string }

/** Reads the brackets from the inside out; those that mean nothing to us stay. */
function takeBrackets(text: string, found: Found): string {
  let rest = text
  for (let before = ''; before !== rest; ) {
    before = rest
    rest = rest.replace(BRACKET, (whole, inside: string) => (takeBracket(inside, found) ? '' : whole))
  }
  return rest
}

function takeBracket(inside: string, found: Found): boolean {
  const text = inside.trim()
  const marks = readMarks(text)
  const featuring = FEATURING.exec(text)?.[1]
  const words = marks || featuring ? undefined : readVersionWords(text)
  if (text === '' || (isJunk(text) && !marks)) return true
  if (marks) Object.assign(found.marks, marks)
  if (featuring) found.featuring ??= tidy(featuring)
  if (words) found.words = joinWords(found.words, words)
  return marks !== undefined || featuring !== undefined || words !== undefined
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
  const found = FEATURING_INSIDE.exec(text)
  if (!found?.[1] || found.index === 0) return { text }
  return { text: text.slice(0, found.index) + text.slice(found.index + found[0].length), featuring: tidy(found[1]) }
}

/** Takes a title, from a tag or a file's name, apart. Never empty unless the text is. */
export function parseTitle(text: string): ParsedTitle {
  const found: Found = { words: { label: [] }, marks: {} }
  const bare = takeBrackets(text.normalize('NFC'), found).replace(/\s+www\.\S+/gi, '')
  const guests = splitFeaturing(bare)
  const { title, marks } = takeMarks(tidy(guests.text))
  const short = tidy(takeBareVersion(tidy(title), found))
  if (short === '') return { title: tidy(text) || text.trim() }
  return {
    title: withRemix(short, found.words),
    version: labelOf(found.words.label),
    remixer: found.words.remix?.by || undefined,
    featuring: found.featuring ?? guests.featuring,
    bpm: found.words.bpm?.[0] ?? marks.bpm ?? found.marks.bpm,
    bpm_to: found.words.bpm?.[1],
    song_key: marks.song_key ?? found.marks.song_key,
  }
}

function withRemix(title: string, { remix }: VersionWords): string {
  return remix ? `${title} (${[remix.by, remix.kind].filter(Boolean).join(' ')})` : title
}
