import path from 'node:path'
import type { SongKey } from '@dubplate/contract'
import { spaceReleaseName } from './release-name.ts'
import { readMarks } from './tempo-and-key-marks.ts'
import { CATALOGUE_NUMBER, isJunk, parseTitle, splitFeaturing, tidy } from './title.ts'
import { readVersionWords } from './version-words.ts'

/** What a file's name tells. */
export type ParsedName = {
  artist?: string
  /** With '(X Remix)', which makes it another song; without its version. */
  title?: string
  /** One label whatever the order of the words was: 'Intro Clean'. */
  version?: string
  remixer?: string
  featuring?: string
  bpm?: number
  bpm_to?: number
  song_key?: SongKey
  track?: string
  /** The record label, where a last square bracket names it. */
  label?: string
}

const AUDIO_ENDING = /\.(mp3|wave?|flac|aif[fc]?|m4a|m4p|aac|ogg|oga|opus|wma|alac|ape|wv|mp2|mp4)$/i
/** Artists whose name begins with a number that could be a track's. */
const NUMBERED_ARTIST =
  /^(?:10 ?cc|100 gecs|12 gauge|112|16 bit|187 (?:lockdown|strassenbande)|20 fingers|21 savage|22 ?gz|220 kid|30 seconds|311|33 below|360|38 special|40 thevz|42 dugg|50 cent|504 boyz|69 boyz|702|808 state|88 keys|88rising|95 south|98 degrees|99 souls)\b(?!\.\s)/i
const NUMBER_IN_FRONT =
  /^(?:(\d{1,2}-\d{2})[\s.]+|(0\d{1,2})(?:[.)]\s*|\s+)|(\d{1,3})[.)](?:\s+|(?=\D))|(\d{2,3})\s+(?=\D)|([A-H]\d)[.\s]\s*)(?=[^\s–—-])/
const SHOP_NUMBER = /^\d{6,9}[\s-]+/
const DASH = /\s+[-–—]+\s+/

/** 'Artist%20-%20Title' as a browser saves it. */
function decoded(stem: string): string {
  if (!stem.includes('%20')) return stem
  try {
    return decodeURIComponent(stem)
  } catch {
    return stem.replaceAll('%20', ' ')
  }
}

/** What file managers and video sites add to a name. The identifier of a video has small and capital letters and a digit. */
const plainName = (stem: string): string =>
  stem
    .replace(/^copy (?:\(\d+\) )?of /i, '')
    .replace(/ - copy(?: ?\(\d+\))?$/i, '')
    .replace(/[ _]\[(?=[^\]]*\d)(?=[^\]]*[a-z])(?=[^\]]*[A-Z])[\w-]{11}\]$/, '')

/** Spaces for underscores; 'artist-title' of names without any space gets its dash spaced. */
function withSpaces(stem: string): string {
  const plain = plainName(decoded(stem))
  const release = spaceReleaseName(plain)
  if (release !== undefined) return release
  const hasSpacedDash = /[\s_][-–—]+[\s_]/.test(plain)
  const isPacked = !hasSpacedDash && !plain.includes(' ') && /_/.test(plain) && /[^\s_-]-[^\s_-]/.test(plain)
  const spaced = (isPacked ? plain.replace(/-+/g, ' - ') : plain).replaceAll('_', ' ')
  if (hasSpacedDash || isPacked || DASH.test(spaced)) return spaced
  // 'Artist- Title' and 'Artist -Title': one missing space, only where no dash stands free.
  return spaced.replace(/(?<=\S)[-–—](?=\s)|(?<=\s)[-–—](?=\S)/, ' - ')
}

function takeNumber(text: string): { text: string; track?: string } {
  if (NUMBERED_ARTIST.test(text)) return { text }
  const found = NUMBER_IN_FRONT.exec(text)
  const track = found?.slice(1).find(Boolean)
  if (!found || !track || readMarks(text)) return { text }
  // '99 Problems' is a title; a track number that large has a dash or a dot behind it.
  if (found[4] && Number(track) > 30 && !DASH.test(text)) return { text }
  return { text: text.slice(found[0].length), track }
}

type Parts = { parts: string[]; found: ParsedName }

/** '01 - Artist - Title': a first part that is nothing but a number. '112 - Peaches & Cream' has an artist. */
function takeTrackPart({ parts, found }: Parts): void {
  const first = parts[0] ?? ''
  const isTrack = parts.length > 2 ? /^(\d{1,3}|[A-H]\d{1,2})$/.test(first) : /^\d{1,2}$/.test(first)
  const isTempo = parts.length > 2 && Number(first) >= 60 && readMarks(parts[1] ?? '')?.song_key !== undefined
  if (parts.length < 2 || !isTrack || isTempo) return
  found.track = first
  parts.shift()
}

/** '8A - 124 - Artist - Title' and 'Artist - Title - 8A - 124'. A bare number is a tempo only when enough is left. */
function takeMarkParts({ parts, found }: Parts): void {
  const take = (part: string | undefined, least: number): boolean => {
    const marks = part === undefined || parts.length <= least ? undefined : readMarks(part)
    if (!marks || (/^\d+$/.test(part ?? '') && parts.length < 3)) return false
    Object.assign(found, { ...marks, ...found })
    return true
  }
  while (take(parts[0], 1)) parts.shift()
  while (take(parts.at(-1), 1)) parts.pop()
  // Mixed In Key puts the energy, one digit, behind the key.
  if (found.song_key && parts.length > 2 && /^\d$/.test(parts[0] ?? '')) parts.shift()
}

/** 'Artist - Title - Intro Clean' and 'Artist - Title - X Remix' go on as if they stood in brackets. */
function bracketVersionParts({ parts }: Parts): void {
  let brackets = ''
  while (parts.length > 2 && readVersionWords(parts.at(-1) ?? '')) brackets = ` (${parts.pop()})${brackets}`
  if (brackets) parts.push(`${parts.pop()}${brackets}`)
}

const VARIOUS = /^(?:various(?: artists)?|va)$/i

/** 'Artist - Album - 07 - Title' and 'Artist - Album - 07 Title' lose their album; a compilation's artist follows the number. */
function dropAlbum({ parts, found }: Parts): void {
  const at = parts.findIndex((part, n) => n > 0 && n < parts.length - 1 && /^\d{1,2}$/.test(part))
  if (at > 0) {
    found.track ??= parts[at]
    parts.splice(1, at)
  } else takeNumberedTitle({ parts, found })
  if (parts.length > 2 && found.track && VARIOUS.test(parts[0] ?? '')) parts.shift()
}

function takeNumberedTitle({ parts, found }: Parts): void {
  const at = parts.findIndex((part, n) => n > 1 && /^(?:[0-3]\d)[.)]? \S/.test(part))
  const [, track, title] = /^(\d\d)[.)]? (.+)$/.exec(parts[at] ?? '') ?? []
  if (!track || !title || NUMBERED_ARTIST.test(parts[at] ?? '')) return
  found.track ??= track
  parts.splice(1, at, title)
}

/** 'CRM245 - Artist - Title' and '[CRM245] Artist - Title' lose the catalogue number. */
function dropCatalogueNumber({ parts }: Parts): void {
  const [, bracketed, rest] = /^[([]([^()[\]]+)[)\]]\s*(\S.*)$/.exec(parts[0] ?? '') ?? []
  if (bracketed && rest && CATALOGUE_NUMBER.test(bracketed)) parts[0] = rest
  if (parts.length > 2 && CATALOGUE_NUMBER.test(parts[0] ?? '')) parts.shift()
}

/** Takes the name of an audio file apart, in the forms DJs and shops use. What it does not tell is left out. */
export function parseFileName(name: string): ParsedName {
  const stem = path.basename(name.normalize('NFC')).replace(AUDIO_ENDING, '')
  const numbered = takeNumber(withSpaces(stem).trim().replace(SHOP_NUMBER, ''))
  const found: ParsedName = numbered.track ? { track: numbered.track } : {}
  const parts = numbered.text
    .split(DASH)
    .map((part) => part.trim())
    .filter((part) => part !== '' && !isJunk(part.replace(/^[([{]|[)\]}]$/g, '')))
  const all = { parts, found }
  takeMarkParts(all)
  takeTrackPart(all)
  takeMarkParts(all)
  bracketVersionParts(all)
  dropCatalogueNumber(all)
  dropAlbum(all)
  return withoutBlanks({ ...found, ...readNames(parts, found) })
}

function readNames(parts: readonly string[], found: ParsedName): ParsedName {
  if (parts.length === 0) return {}
  const [first = '', ...others] = parts
  if (others.length === 0) return join(found, {}, parseTitle(first))
  const front = parseTitle(first)
  const artist = splitFeaturing(front.version || front.remixer ? first : front.title)
  return join(found, { ...front, title: artist.text, featuring: front.featuring }, parseTitle(others.join(' - ')))
}

/** Marks outside brackets count before those inside, the title's before the artist's. */
function join(
  found: ParsedName,
  front: Partial<ReturnType<typeof parseTitle>>,
  back: ReturnType<typeof parseTitle>,
): ParsedName {
  const { title: artist } = front
  return {
    ...back,
    artist: artist === undefined ? undefined : tidy(artist),
    featuring: front.featuring ?? back.featuring,
    bpm: back.bpm_to ? back.bpm : (found.bpm ?? back.bpm ?? front.bpm),
    song_key: found.song_key ?? back.song_key ?? front.song_key,
  }
}

const withoutBlanks = (name: ParsedName): ParsedName =>
  Object.fromEntries(Object.entries(name).filter(([, value]) => value !== undefined && value !== '')) as ParsedName
