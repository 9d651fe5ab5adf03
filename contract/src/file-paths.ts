import { camelot, openKey, parseKey } from './keys.ts'
import { cleanName, MAX_NAME_BYTES, nameSize, safeName, shorten, uniquePaths } from './safe-names.ts'

/** Where a member stores a version: one function computes the path for zips, library files, playlists and previews. */

export const SYSTEMS = ['windows', 'macos', 'linux'] as const
export type System = (typeof SYSTEMS)[number]

export const UNICODE_FORMS = ['nfc', 'nfd'] as const

/** The part of a download profile that decides where files are stored. */
export type PathProfile = {
  system: System
  /** Absolute, without a separator at the end: 'C:\\Users\\me\\Music', '/Users/me/Music'. */
  music_folder: string
  /** Folders in it, separated by '/': '{genre}/{artist}'. Empty: none. */
  folder_template: string
  /** Without an extension: '{artist} - {title} ({version})'. */
  file_template: string
  /** Programs compare names byte for byte; some copies to macOS are decomposed. */
  unicode_form: (typeof UNICODE_FORMS)[number]
}

/** The values of a version that templates can contain. */
export type NamedVersion = {
  artist: string
  title: string
  version_label: string
  remixer?: string
  album?: string
  label?: string
  genres?: readonly string[]
  year?: number | null
  bpm?: number | null
  song_key?: string | null
  /** 1 to 10. */
  energy?: number | null
  isrc?: string
  /** With its dot: '.mp3'. */
  extension: string
}

export const DEFAULT_FILE_TEMPLATE = '{artist} - {title} ({version})'

/** What a template can contain, in the order in which a form lists it. */
export const PLACEHOLDERS = [
  'artist',
  'title',
  'version',
  'remixer',
  'genre',
  'album',
  'label',
  'year',
  'bpm',
  'key',
  'camelot',
  'open_key',
  'energy',
  'isrc',
] as const
export type Placeholder = (typeof PLACEHOLDERS)[number]

const PLACEHOLDER = /\{([^{}]*)\}/g

/** The placeholders of a template that do not exist. */
export const unknownPlaceholders = (template: string): string[] =>
  [...template.matchAll(PLACEHOLDER)].map(([, name]) => name ?? '').filter((name) => !isPlaceholder(name))

const isPlaceholder = (name: string): name is Placeholder => (PLACEHOLDERS as readonly string[]).includes(name)

type TemplateValues = Record<Placeholder, string>

function valuesOf(version: NamedVersion): TemplateValues {
  const { artist, title, version_label, remixer = '', album = '', label = '', genres = [], isrc = '' } = version
  const key = version.song_key ? parseKey(version.song_key) : undefined
  return {
    artist,
    title,
    version: endsWithVersion(title, version_label) ? '' : version_label,
    remixer,
    genre: genres[0] ?? '',
    album,
    label,
    year: version.year ? String(version.year) : '',
    bpm: version.bpm ? String(Math.round(version.bpm)) : '',
    key: key ?? version.song_key ?? '',
    camelot: key ? camelot(key) : '',
    open_key: key ? openKey(key) : '',
    energy: version.energy ? String(version.energy) : '',
    isrc,
  }
}

/** 'Title (Version)', 'Title [Version]' and 'Title - Version', in any case. */
export function endsWithVersion(title: string, version: string): boolean {
  const [text, label] = [title.trim().toLowerCase(), version.trim().toLowerCase()]
  if (label === '') return true
  if ([`(${label})`, `[${label}]`, `{${label}}`].some((mark) => text.endsWith(mark))) return true
  return text.endsWith(label) && /\s[-–—]\s*$/.test(text.slice(0, -label.length))
}

/** Stands for an empty value until the brackets and separators around it are removed; no cleaned value contains it. */
const EMPTY = '\u0000'
const EMPTY_IN_BRACKETS = new RegExp(`\\s*[([{]\\s*(${EMPTY}\\s*)+[)\\]}]`, 'g')
const EMPTY_BEFORE_SEPARATOR = new RegExp(`${EMPTY}\\s*(?:[-–—_.·,/|]\\s*)?`, 'g')
const SEPARATOR_BEFORE_EMPTY = new RegExp(`\\s*[-–—_.·,/|]?\\s*${EMPTY}(?=\\s*$)`, 'g')

/**
 * A template with its values, on one line. An empty value is removed with its brackets and with one separator, so that
 * '{artist} - {title} ({version})' without a version is 'Artist - Title'. Unknown placeholders are kept as text.
 */
export function fillTemplate(template: string, values: TemplateValues): string {
  const filled = template.replace(PLACEHOLDER, (whole, name) =>
    isPlaceholder(name) ? values[name].trim() || EMPTY : whole,
  )
  const text = filled.includes(EMPTY)
    ? filled.replace(EMPTY_IN_BRACKETS, '').replace(SEPARATOR_BEFORE_EMPTY, '').replace(EMPTY_BEFORE_SEPARATOR, '')
    : filled
  return text.replace(/\s+/g, ' ').trim()
}

/** A comment of a profile: the same placeholders, with the characters that file names may not have. */
export const commentOf = (template: string, version: NamedVersion): string => fillTemplate(template, valuesOf(version))

function mapValues(values: TemplateValues, change: (value: string, name: Placeholder) => string): TemplateValues {
  const changed = { ...values }
  for (const name of PLACEHOLDERS) changed[name] = change(values[name], name)
  return changed
}

/** What remains of a value when the name is too long; the title loses what still does not fit. */
const MAX_VALUE_SIZES: Partial<Record<Placeholder, number>> = { artist: 80, version: 60, title: MAX_NAME_BYTES }
const MAX_OTHER_SIZE = 60

/**
 * The name of a file for a template: valid on every system, NFC, at most 180 bytes. A name that is too long loses the
 * end of its title, then of the whole, never its extension.
 */
export function fileName(template: string, version: NamedVersion): string {
  const values = mapValues(valuesOf(version), cleanName)
  const available = MAX_NAME_BYTES - nameSize(version.extension)
  const stem = firstFitting(available, [
    () => fillTemplate(template, { ...values, version: shorten(values.version, MAX_VALUE_SIZES.version!) }),
    () => fillTemplate(template, shortValues(values)),
    () => withShorterTitle(template, shortValues(values), available),
  ])
  // A name that begins with a dot is hidden, and a name of dots alone would lose its extension.
  const visible = shorten(stem, available).replace(/^[. ]+/, '') || 'Untitled'
  return safeName(`${visible}${version.extension}`)
}

const shortValues = (values: TemplateValues) =>
  mapValues(values, (value, name) => shorten(value, MAX_VALUE_SIZES[name] ?? MAX_OTHER_SIZE))

function withShorterTitle(template: string, values: TemplateValues, available: number): string {
  const excess = nameSize(fillTemplate(template, values)) - available
  return fillTemplate(template, { ...values, title: shorten(values.title, nameSize(values.title) - excess) })
}

/** The first of these texts that fits, or the last one. */
function firstFitting(limit: number, texts: (() => string)[]): string {
  let text = ''
  for (const next of texts) {
    text = next()
    if (nameSize(text) <= limit) break
  }
  return text
}

/** Programs on Windows accept 259 characters and the zero after them (learn.microsoft.com, "Maximum Path Length Limitation"). */
export const MAX_WINDOWS_PATH = 259
/** What a file name keeps of it, at least. */
const MIN_WINDOWS_NAME = 60
/** Space for the number of a name that occurs more than once: ' (123)'. */
const NUMBER_UNITS = 6

const utf16Units = (text: string) => text.length

function foldersOf(template: string, version: NamedVersion): string[] {
  const values = mapValues(valuesOf(version), cleanName)
  // Split before it is filled, so that an artist called '../..' names one folder.
  const parts = template.split('/').map((part) => fillTemplate(part, values))
  return parts.filter((part) => !/^[\s.]*$/.test(part)).map((part) => safeName(part))
}

/** Shortens folders and the name so that the whole path fits on Windows. */
function fitOnWindows(profile: PathProfile, folders: string[], name: string, extension: string) {
  const available = MAX_WINDOWS_PATH - utf16Units(profile.music_folder) - 1 - folders.length - NUMBER_UNITS
  const folderUnits = Math.floor((available - MIN_WINDOWS_NAME) / Math.max(1, folders.length))
  const total = folders.reduce((sum, folder) => sum + utf16Units(folder), 0)
  const shortFolders =
    total > available - MIN_WINDOWS_NAME
      ? folders.map((folder) => safeName(shorten(folder, Math.max(1, folderUnits), utf16Units)))
      : folders
  const left = available - shortFolders.reduce((sum, folder) => sum + utf16Units(folder), 0) - extension.length
  const stem = shorten(name.slice(0, name.length - extension.length), left, utf16Units)
  return [...shortFolders, safeName(`${stem}${extension}`)]
}

export type FilePath = {
  /** In the zip, playlists and Serato, with '/' between folders. */
  relative: string
  /** On the member's computer, with its separators. */
  absolute: string
}

/**
 * The paths of versions on a member's computer, in order. No two are equal on a file system that ignores case or
 * composition. They depend on each other only through the number that equal ones get: ' (2)'.
 */
export function filePaths(profile: PathProfile, versions: readonly NamedVersion[]): FilePath[] {
  const relativePaths = versions.map((version) => {
    const folders = foldersOf(profile.folder_template, version)
    const name = fileName(profile.file_template, version)
    const isWindows = profile.system === 'windows'
    return (isWindows ? fitOnWindows(profile, folders, name, version.extension) : [...folders, name]).join('/')
  })
  return uniquePaths(relativePaths).map((path) => {
    const relative = path.normalize(profile.unicode_form === 'nfd' ? 'NFD' : 'NFC')
    return { relative, absolute: absolutePath(profile, relative) }
  })
}

/** A path in the music folder, as programs on the member's system write it. */
export function absolutePath({ system, music_folder }: Pick<PathProfile, 'system' | 'music_folder'>, relative: string) {
  if (system !== 'windows') return `${music_folder === '/' ? '' : music_folder}/${relative}`
  return `${music_folder.replace(/\\$/, '')}\\${relative.replaceAll('/', '\\')}`
}
