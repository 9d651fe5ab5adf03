import path from 'node:path'
import type { SongKey } from '@dubplate/contract'
import { spaceReleaseName } from './release-name.ts'
import { parseTempoAndKey } from './tempo-and-key.ts'
import { CATALOGUE_NUMBER, isJunk, normaliseText, parseTitle, splitFeaturing } from './title-parser.ts'
import { parseVersionInfo } from './version-parser.ts'

/** The information in a file name. */
export type ParsedName = {
  artist?: string
  /** Includes '(X Remix)', which makes it another song, but not the version. */
  title?: string
  /** The same label for any order of the words: 'Intro Clean'. */
  version?: string
  remixer?: string
  featuring?: string
  bpm?: number
  bpm_to?: number
  song_key?: SongKey
  track?: string
  /** The record label, if the last square brackets contain it. */
  label?: string
}

const AUDIO_EXTENSION = /\.(mp3|wave?|flac|aif[fc]?|m4a|m4p|aac|ogg|oga|opus|wma|alac|ape|wv|mp2|mp4)$/i
/** Artists whose name begins with a number that could be a track number. */
const NUMBERED_ARTIST =
  /^(?:10 ?cc|100 gecs|12 gauge|112|16 bit|187 (?:lockdown|strassenbande)|20 fingers|21 savage|22 ?gz|220 kid|30 seconds|311|33 below|360|38 special|40 thevz|42 dugg|50 cent|504 boyz|69 boyz|702|808 state|88 keys|88rising|95 south|98 degrees|99 souls)\b(?!\.\s)/i
const LEADING_NUMBER =
  /^(?:(\d{1,2}-\d{2})[\s.]+|(0\d{1,2})(?:[.)]\s*|\s+)|(\d{1,3})[.)](?:\s+|(?=\D))|(\d{2,3})\s+(?=\D)|([A-H]\d)[.\s]\s*)(?=[^\s–—-])/
const SHOP_NUMBER = /^\d{6,9}[\s-]+/
const DASH = /\s+[-–—]+\s+/

/** Decodes 'Artist%20-%20Title', as saved by a browser. */
function decodeStem(stem: string): string {
  if (!stem.includes('%20')) return stem
  try {
    return decodeURIComponent(stem)
  } catch {
    return stem.replaceAll('%20', ' ')
  }
}

/**
 * Removes what file managers and video sites add to a name. A video id contains lower and upper case letters and a
 * digit.
 */
const cleanName = (stem: string): string =>
  stem
    .replace(/^copy (?:\(\d+\) )?of /i, '')
    .replace(/ - copy(?: ?\(\d+\))?$/i, '')
    .replace(/[ _]\[(?=[^\]]*\d)(?=[^\]]*[a-z])(?=[^\]]*[A-Z])[\w-]{11}\]$/, '')

/** Replaces underscores by spaces; in names without spaces, the dash of 'artist-title' gets spaces too. */
function replaceUnderscores(stem: string): string {
  const plain = cleanName(decodeStem(stem))
  const release = spaceReleaseName(plain)
  if (release !== undefined) return release
  const hasSpacedDash = /[\s_][-–—]+[\s_]/.test(plain)
  const isPacked = !hasSpacedDash && !plain.includes(' ') && /_/.test(plain) && /[^\s_-]-[^\s_-]/.test(plain)
  const spacedName = (isPacked ? plain.replace(/-+/g, ' - ') : plain).replaceAll('_', ' ')
  if (hasSpacedDash || isPacked || DASH.test(spacedName)) return spacedName
  // 'Artist- Title' and 'Artist -Title': one space is missing. Only replaced when no other dash has spaces.
  return spacedName.replace(/(?<=\S)[-–—](?=\s)|(?<=\s)[-–—](?=\S)/, ' - ')
}

function extractTrackNumber(text: string): { text: string; track?: string } {
  if (NUMBERED_ARTIST.test(text)) return { text }
  const parsed = LEADING_NUMBER.exec(text)
  const track = parsed?.slice(1).find(Boolean)
  if (!parsed || !track || parseTempoAndKey(text)) return { text }
  // '99 Problems' is a title; a track number that large is followed by a dash or a dot.
  if (parsed[4] && Number(track) > 30 && !DASH.test(text)) return { text }
  return { text: text.slice(parsed[0].length), track }
}

type Parts = { parts: string[]; parsed: ParsedName }

/** '01 - Artist - Title': a first part that is only a number. In '112 - Peaches & Cream' it is the artist. */
function extractTrackPart({ parts, parsed }: Parts): void {
  const first = parts[0] ?? ''
  const isTrack = parts.length > 2 ? /^(\d{1,3}|[A-H]\d{1,2})$/.test(first) : /^\d{1,2}$/.test(first)
  const isTempo = parts.length > 2 && Number(first) >= 60 && parseTempoAndKey(parts[1] ?? '')?.song_key !== undefined
  if (parts.length < 2 || !isTrack || isTempo) return
  parsed.track = first
  parts.shift()
}

/**
 * '8A - 124 - Artist - Title' and 'Artist - Title - 8A - 124'. A bare number is only a tempo when enough parts are
 * left.
 */
function extractMarkParts({ parts, parsed }: Parts): void {
  const takeMarks = (part: string | undefined, minLength: number): boolean => {
    const tempoAndKey = part === undefined || parts.length <= minLength ? undefined : parseTempoAndKey(part)
    if (!tempoAndKey || (/^\d+$/.test(part ?? '') && parts.length < 3)) return false
    Object.assign(parsed, { ...tempoAndKey, ...parsed })
    return true
  }
  while (takeMarks(parts[0], 1)) parts.shift()
  while (takeMarks(parts.at(-1), 1)) parts.pop()
  // Mixed In Key adds the energy, one digit, after the key.
  if (parsed.song_key && parts.length > 2 && /^\d$/.test(parts[0] ?? '')) parts.shift()
}

/** Puts the version of 'Artist - Title - Intro Clean' and 'Artist - Title - X Remix' into brackets. */
function bracketVersionParts({ parts }: Parts): void {
  let brackets = ''
  while (parts.length > 2 && parseVersionInfo(parts.at(-1) ?? '')) brackets = ` (${parts.pop()})${brackets}`
  if (brackets) parts.push(`${parts.pop()}${brackets}`)
}

const VARIOUS = /^(?:various(?: artists)?|va)$/i

/**
 * Removes the album from 'Artist - Album - 07 - Title' and 'Artist - Album - 07 Title'; in a compilation, the artist
 * follows the number.
 */
function removeAlbum({ parts, parsed }: Parts): void {
  const at = parts.findIndex((part, n) => n > 0 && n < parts.length - 1 && /^\d{1,2}$/.test(part))
  if (at > 0) {
    parsed.track ??= parts[at]
    parts.splice(1, at)
  } else extractNumberedTitle({ parts, parsed })
  if (parts.length > 2 && parsed.track && VARIOUS.test(parts[0] ?? '')) parts.shift()
}

function extractNumberedTitle({ parts, parsed }: Parts): void {
  const at = parts.findIndex((part, n) => n > 1 && /^(?:[0-3]\d)[.)]? \S/.test(part))
  const [, track, title] = /^(\d\d)[.)]? (.+)$/.exec(parts[at] ?? '') ?? []
  if (!track || !title || NUMBERED_ARTIST.test(parts[at] ?? '')) return
  parsed.track ??= track
  parts.splice(1, at, title)
}

/** Removes the catalogue number from 'CRM245 - Artist - Title' and '[CRM245] Artist - Title'. */
function removeCatalogueNumber({ parts }: Parts): void {
  const [, bracketed, rest] = /^[([]([^()[\]]+)[)\]]\s*(\S.*)$/.exec(parts[0] ?? '') ?? []
  if (bracketed && rest && CATALOGUE_NUMBER.test(bracketed)) parts[0] = rest
  if (parts.length > 2 && CATALOGUE_NUMBER.test(parts[0] ?? '')) parts.shift()
}

/** Parses the name of an audio file in the formats of DJs and shops. Unknown values are left out. */
export function parseFileName(name: string): ParsedName {
  const stem = path.basename(name.normalize('NFC')).replace(AUDIO_EXTENSION, '')
  const numbered = extractTrackNumber(replaceUnderscores(stem).trim().replace(SHOP_NUMBER, ''))
  const parsed: ParsedName = numbered.track ? { track: numbered.track } : {}
  const parts = numbered.text
    .split(DASH)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !isJunk(part.replace(/^[([{]|[)\]}]$/g, '')))
  const all = { parts, parsed }
  extractMarkParts(all)
  extractTrackPart(all)
  extractMarkParts(all)
  bracketVersionParts(all)
  removeCatalogueNumber(all)
  removeAlbum(all)
  return removeBlanks({ ...parsed, ...parseArtistAndTitle(parts, parsed) })
}

function parseArtistAndTitle(parts: readonly string[], parsed: ParsedName): ParsedName {
  if (parts.length === 0) return {}
  const [first = '', ...others] = parts
  if (others.length === 0) return join(parsed, {}, parseTitle(first))
  const firstParsed = parseTitle(first)
  const artist = splitFeaturing(firstParsed.version || firstParsed.remixer ? first : firstParsed.title)
  return join(
    parsed,
    { ...firstParsed, title: artist.text, featuring: firstParsed.featuring },
    parseTitle(others.join(' - ')),
  )
}

/** Tempo and key outside brackets take precedence over those inside, and the title's over the artist's. */
function join(
  parsed: ParsedName,
  firstParsed: Partial<ReturnType<typeof parseTitle>>,
  lastParsed: ReturnType<typeof parseTitle>,
): ParsedName {
  const { title: artist } = firstParsed
  return {
    ...lastParsed,
    artist: artist === undefined ? undefined : normaliseText(artist),
    featuring: firstParsed.featuring ?? lastParsed.featuring,
    bpm: lastParsed.bpm_to ? lastParsed.bpm : (parsed.bpm ?? lastParsed.bpm ?? firstParsed.bpm),
    song_key: parsed.song_key ?? lastParsed.song_key ?? firstParsed.song_key,
  }
}

const removeBlanks = (name: ParsedName): ParsedName =>
  Object.fromEntries(Object.entries(name).filter(([, value]) => value !== undefined && value !== '')) as ParsedName
