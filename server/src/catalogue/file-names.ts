import disposition from 'content-disposition'
import type { AudioFormat } from '../audio-files/faults.ts'

/** Windows, macOS and Linux allow 255; a folder name and what browsers append (' (1)') need space as well. */
export const MAX_NAME_BYTES = 180
const MAX_ARTIST_BYTES = 80
const MAX_VERSION_BYTES = 60

const EXTENSIONS: Record<AudioFormat, string> = {
  mp3: '.mp3',
  wav: '.wav',
  flac: '.flac',
  aiff: '.aiff',
  m4a: '.m4a',
  ogg: '.ogg',
  opus: '.opus',
}
const SUBSTITUTES: Record<string, string> = { '"': "'", '<': '(', '>': ')', '?': '_', '*': '_' }

/**
 * Control characters, characters that change the text direction (they can disguise an extension) and line separators.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be removed
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g
/** Device names of Windows, with any extension (learn.microsoft.com, "Naming Files, Paths, and Namespaces"). */
const RESERVED_STEM = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?=\s*(\.|$))/i

export type NamedTrack = { artist: string; title: string; version_label: string }

/** 'Title (Version)'. A title that already ends with its version does not repeat it: 'Title [Version]', 'Title - Version'. */
export const titleWithVersion = (title: string, version: string): string => `${title}${versionSuffix(title, version)}`

/** 'Artist - Title (Version)', the usual notation for a track. */
export function trackName({ artist, title, version_label }: NamedTrack): string {
  return [artist, titleWithVersion(title, version_label)].filter((part) => part.trim() !== '').join(' - ')
}

/**
 * The name of a downloaded file: 'Artist - Title (Version).mp3'. Valid on Windows, macOS and Linux, NFC, at most 180
 * bytes of UTF-8. A name that is too long loses the end of its title, then of its artist, never the version or the
 * extension.
 */
export function downloadName(track: NamedTrack & { format: AudioFormat }): string {
  const artist = cleanName(track.artist)
  const title = cleanName(track.title)
  const version = versionSuffix(title, shorten(cleanName(track.version_label), MAX_VERSION_BYTES))
  const suffix = `${version}${EXTENSIONS[track.format]}`
  const availableBytes = MAX_NAME_BYTES - byteLength(suffix)
  const fullName = joinNames(artist, title)
  const stem = byteLength(fullName) <= availableBytes ? fullName : joinNames(shorten(artist, MAX_ARTIST_BYTES), title)
  return safeName(`${shorten(stem, availableBytes)}${suffix}`)
}

function joinNames(artist: string, title: string): string {
  const joined = [artist, title].filter((part) => part !== '').join(' - ')
  // A name that begins with a dot is hidden, and a name of dots alone would lose its extension.
  return joined.replace(/^[. ]+/, '') || 'Untitled'
}

/** A valid name for one file or folder, at most `maxBytes` long with its extension preserved. Idempotent. */
export function safeName(name: string, maxBytes = MAX_NAME_BYTES): string {
  const clean = cleanName(name).replace(/^[. ]+|[. ]+$/g, '') || 'Untitled'
  const safeStem = clean.replace(RESERVED_STEM, '$1_')
  const { stem, extension } = splitExtension(safeStem)
  return `${shorten(stem, maxBytes - byteLength(extension)) || 'Untitled'}${extension}`
}

/**
 * Paths for the files of an archive, in order: each part valid, '/' between folders, and no two equal on a file system
 * that ignores case or composition; the later one gets ' (2)'. Idempotent.
 */
export function uniquePaths(paths: string[]): string[] {
  const taken = new Set<string>()
  const nextNumber = new Map<string, number>()
  return paths.map((path) => {
    const safe = safePath(path)
    const key = comparisonKey(safe)
    let unique = safe
    for (let n = nextNumber.get(key) ?? 2; taken.has(comparisonKey(unique)); n++) {
      unique = numbered(safe, n)
      nextNumber.set(key, n + 1)
    }
    taken.add(comparisonKey(unique))
    return unique
  })
}

/** An attachment header with the name in UTF-8 and, for old clients, a readable ASCII one. */
export function contentDisposition(name: string): string {
  const ascii = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .replace(/[^\x20-\x7e]+/g, '_')
  return disposition(name, { fallback: ascii })
}

function versionSuffix(title: string, version: string): string {
  const label = version.trim()
  return label === '' || endsWithVersion(title.trim().toLowerCase(), label.toLowerCase()) ? '' : ` (${label})`
}

function endsWithVersion(title: string, label: string): boolean {
  if ([`(${label})`, `[${label}]`, `{${label}}`].some((mark) => title.endsWith(mark))) return true
  return title.endsWith(label) && /\s[-–—]\s*$/.test(title.slice(0, -label.length))
}

function cleanName(text: string): string {
  return Buffer.from(text.normalize('NFC'), 'utf8')
    .toString('utf8')
    .replace(INVISIBLE, ' ')
    .replace(/[/\\|:]/g, '-')
    .replace(/["<>?*]/g, (character) => SUBSTITUTES[character]!)
    .replace(/\s+/g, ' ')
    .trim()
}

function safePath(path: string): string {
  const parts = path.split('/').filter((part) => !/^[\s.]*$/.test(part))
  return parts.length === 0 ? 'Untitled' : parts.map((part) => safeName(part)).join('/')
}

function numbered(path: string, n: number): string {
  const cut = path.lastIndexOf('/') + 1
  const { stem, extension } = splitExtension(path.slice(cut))
  const suffix = ` (${n})${extension}`
  return `${path.slice(0, cut)}${shorten(stem, MAX_NAME_BYTES - byteLength(suffix))}${suffix}`
}

/** Equal for names that Windows or macOS treat as the same file. */
function comparisonKey(path: string): string {
  return path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}

function splitExtension(name: string): { stem: string; extension: string } {
  const extension = /.(\.[A-Za-z0-9]{1,8})$/.exec(name)?.[1] ?? ''
  return { stem: name.slice(0, name.length - extension.length), extension }
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/** Cuts between grapheme clusters, so that neither an accented letter nor a joined emoji is split. */
function shorten(text: string, maxBytes: number): string {
  if (byteLength(text) <= maxBytes) return text
  let short = ''
  let bytes = 0
  // No more than this many UTF-16 units can fit, so the rest is not segmented.
  for (const { segment } of graphemes.segment(text.slice(0, maxBytes + 1))) {
    bytes += byteLength(segment)
    if (bytes > maxBytes) break
    short += segment
  }
  return short.replace(/[. ]+$/, '') || cutBetweenCharacters(text, maxBytes)
}

/** For a single letter with hundreds of accents, which fits no name. */
function cutBetweenCharacters(text: string, maxBytes: number): string {
  let short = ''
  for (const character of text) {
    if (byteLength(short + character) > maxBytes) break
    short += character
  }
  return short.replace(/[. ]+$/, '')
}

function byteLength(text: string): number {
  return Buffer.byteLength(text, 'utf8')
}
