/** File and folder names that are valid on Windows, macOS and Linux. Used by the server, and by previews in the browser. */

/** Windows, macOS and Linux allow 255; a folder name and what browsers append (' (1)') need space as well. */
export const MAX_NAME_BYTES = 180
/** What programs on macOS store decomposed (NFD) may be longer by this, up to the limit of 255 bytes. */
const DECOMPOSED_ALLOWANCE = 255 / MAX_NAME_BYTES

const SUBSTITUTES: Record<string, string> = { '"': "'", '<': '(', '>': ')', '?': '_', '*': '_' }

/**
 * Control characters, characters that change the text direction (they can disguise an extension) and line separators.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is to be removed
const INVISIBLE = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g
/** Device names of Windows, with any extension (learn.microsoft.com, "Naming Files, Paths, and Namespaces"). */
const RESERVED_STEM = /^(con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?=\s*(\.|$))/i

/** Most names are like this: one byte for each character, composed and decomposed alike. */
const ASCII = /^[ -~]*$/
/** Characters that `cleanName` keeps, except for more than one space in a row. */
const KEPT = /^[ !#$&'()+,.;=@[\]^_`{}~\w-]*$/

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const byteLength = (text: string): number => encoder.encode(text).length

/** The bytes of a name of which 180 are allowed, composed or decomposed. The sizes of its parts add up to at most its own. */
export const nameSize = (text: string): number =>
  ASCII.test(text) ? text.length : Math.max(byteLength(text), byteLength(text.normalize('NFD')) / DECOMPOSED_ALLOWANCE)

/** Replaces what file systems do not allow: NFC, one line, without broken surrogates. Not shortened. */
export function cleanName(text: string): string {
  if (KEPT.test(text)) return (text.includes('  ') ? text.replace(/ +/g, ' ') : text).trim()
  return (
    decoder
      .decode(encoder.encode(text.normalize('NFC')))
      .replace(INVISIBLE, ' ')
      .replace(/[/\\|:]/g, '-')
      .replace(/["<>?*]/g, (character) => SUBSTITUTES[character]!)
      // Serato reads '%%' in the name of a crate as a folder.
      .replace(/%%+/g, '%')
      .replace(/\s+/g, ' ')
      .trim()
  )
}

/** A valid name for one file or folder, at most `maxBytes` long with its extension preserved. Idempotent. */
export function safeName(name: string, maxBytes = MAX_NAME_BYTES): string {
  const clean = cleanName(name).replace(/^[. ]+|[. ]+$/g, '') || 'Untitled'
  const safeStem = clean.replace(RESERVED_STEM, '$1_')
  const { stem, extension } = splitExtension(safeStem)
  return `${shorten(stem, maxBytes - nameSize(extension)) || 'Untitled'}${extension}`
}

/**
 * Paths for the files of an archive, in order: each part valid, '/' between folders, and no two equal on a file system
 * that ignores case or composition; the later one gets ' (2)'. Idempotent.
 */
export function uniquePaths(paths: readonly string[]): string[] {
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

function safePath(path: string): string {
  const parts = path.split('/').filter((part) => !/^[\s.]*$/.test(part))
  return parts.length === 0 ? 'Untitled' : parts.map((part) => safeName(part)).join('/')
}

function numbered(path: string, n: number): string {
  const cut = path.lastIndexOf('/') + 1
  const { stem, extension } = splitExtension(path.slice(cut))
  const suffix = ` (${n})${extension}`
  return `${path.slice(0, cut)}${shorten(stem, MAX_NAME_BYTES - nameSize(suffix))}${suffix}`
}

/** Equal for names that Windows or macOS treat as the same file. */
export function comparisonKey(path: string): string {
  return path.normalize('NFC').toUpperCase().toLowerCase().normalize('NFC')
}

export function splitExtension(name: string): { stem: string; extension: string } {
  const extension = /.(\.[A-Za-z0-9]{1,8})$/.exec(name)?.[1] ?? ''
  return { stem: name.slice(0, name.length - extension.length), extension }
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })

/**
 * Cuts between grapheme clusters, so that neither an accented letter nor a joined emoji is split. `measure` is the size
 * of a text, of which `limit` is allowed.
 */
export function shorten(text: string, limit: number, measure: (text: string) => number = nameSize): string {
  if (measure(text) <= limit) return text
  let short = ''
  let size = 0
  // No more than this many UTF-16 units can fit, so the rest is not segmented.
  for (const { segment } of graphemes.segment(text.slice(0, Math.max(0, limit) + 1))) {
    size += measure(segment)
    if (size > limit) break
    short += segment
  }
  return short.replace(/[. ]+$/, '') || cutBetweenCharacters(text, limit, measure)
}

/** For a single letter with hundreds of accents, which fits no name. */
function cutBetweenCharacters(text: string, limit: number, measure: (text: string) => number): string {
  let short = ''
  for (const character of text) {
    if (measure(short + character) > limit) break
    short += character
  }
  return short.replace(/[. ]+$/, '')
}
