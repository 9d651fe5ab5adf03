import path from 'node:path'
import { imports } from '@dubplate/contract'
import { originsOf } from './origins.ts'
import { type PathPattern, parsePattern, tagsOfPath } from './path-pattern.ts'
import { describeSong, PLAIN_VERSION, parseSongFileName, type SongEntry, withGuests } from './song-entry.ts'
import {
  matchSheets,
  type PlacedSheet,
  readSongSheet,
  type SheetReport,
  type SheetValues,
  sheetTooLarge,
} from './song-sheet.ts'
import { genreNames, type Tags } from './tags.ts'
import { parseTitle } from './title.ts'
import { labelOf, readVersionWords } from './version-words.ts'

/** What staff changed about a file in the preview of its import. */
export type Correction = { artist?: string; title?: string; version_label?: string; genre?: string }
/** What the preview shows of a file and staff can change. */
export type FoundDetails = Required<Correction>

/** A sheet beside the files of an import; `path` is written as those of the files are. */
export type SheetFile = { path: string; bytes: number; read: () => Promise<Buffer> }
const MOST_SHEETS = 50

/** What is known about files apart from their tags and names, by their paths below the folder. */
export type FileDetails = {
  pattern: PathPattern | undefined
  sheets: ReadonlyMap<string, SheetValues>
  corrections: ReadonlyMap<string, Correction>
  leftOut: ReadonlySet<string>
}

export type DetailSources = {
  folder: string
  pattern?: string | undefined
  corrections?: ReadonlyMap<string, Correction> | undefined
  leftOut?: ReadonlySet<string> | undefined
}

/** Reads the sheets and the pattern of an import. Throws a `PatternError`; what is wrong with a sheet is in its report. */
export async function gatherDetails(
  { folder, pattern, corrections = new Map(), leftOut = new Set() }: DetailSources,
  { files, sheets }: { files: readonly { path: string }[]; sheets: readonly SheetFile[] },
): Promise<{ details: FileDetails; reports: SheetReport[] }> {
  const nameOf = (file: string) => path.relative(folder, file)
  const placed: PlacedSheet[] = []
  for (const [at, sheet] of sheets.entries()) placed.push(await readPlaced(sheet, nameOf(sheet.path), at < MOST_SHEETS))
  const { values, reports } = matchSheets(
    placed,
    files.map((file) => nameOf(file.path)),
  )
  const parsed = pattern ? parsePattern(pattern) : undefined
  return { details: { pattern: parsed, sheets: values, corrections, leftOut }, reports }
}

async function readPlaced({ bytes, read }: SheetFile, name: string, isWithinLimit: boolean): Promise<PlacedSheet> {
  if (!isWithinLimit) return unread(name, `The sheet was not used: an import can use at most ${MOST_SHEETS} sheets.`)
  if (bytes > imports.LARGEST_SHEET_BYTES) return { path: name, sheet: sheetTooLarge() }
  const content = await read().catch(() => undefined)
  if (content) return { path: name, sheet: await readSongSheet(name, content) }
  return unread(name, 'The sheet could not be opened.')
}

const unread = (path: string, message: string): PlacedSheet => ({
  path,
  sheet: { rows: [], problems: [{ row: 0, message }] },
})

type Description = {
  /** Undefined when nothing names an artist and a title. */
  entry: SongEntry | undefined
  /** Before staff changed anything. */
  found: FoundDetails
}

type Defaults = { folder: string; genre?: string | undefined; section: number; details: FileDetails }

/**
 * The song and the version of a file. What staff changed in the preview counts first, then the sheet, the pattern, the tags, the
 * name, and the folders.
 */
export function describeFile({ folder, genre, section, details }: Defaults, file: string, tags: Tags): Description {
  const name = path.relative(folder, file)
  const sheet = details.sheets.get(name)
  const byPath = details.pattern ? tagsOfPath(details.pattern, name) : undefined
  const known: Tags = { ...tags, ...byPath?.tags, ...sheetTags(sheet) }
  const described = describeSong(name, known)
  const base = described && withSheet(described, sheet, byPath?.version)
  const listed = (genres: readonly string[]) => (genres.length === 0 && genre ? [genre] : [...genres])
  const found = foundIn(base, name, known, listed(base?.genres ?? known.genres))
  const correction = details.corrections.get(name)
  const entry = correction ? correct(base, { name, tags: known, found, correction }) : base
  if (!entry) return { entry: undefined, found }
  const origins = {
    ...originsOf(entry, tags),
    ...sourcesOf({ ...byPath?.tags }, 'name'),
    ...sourcesOf({ ...sheet }, 'staff'),
    ...sourcesOf({ artist: correction?.artist, title: correction?.title, genres: correction?.genre }, 'staff'),
  }
  return { entry: { ...entry, genres: listed(entry.genres), song_section_id: section, origins }, found }
}

const TRACED = ['artist', 'title', 'label', 'album', 'isrc', 'genres', 'year'] as const

/** Names the source of the values that are there. */
const sourcesOf = (values: { [field in (typeof TRACED)[number]]?: unknown }, source: 'name' | 'staff') =>
  Object.fromEntries(TRACED.filter((field) => values[field] !== undefined).map((field) => [field, source]))

function sheetTags({ version: _, ...values }: SheetValues = {}): Partial<Tags> {
  return values
}

/** A sheet says an artist or a title in full: nothing from the name of the file is added to it. */
function withSheet(entry: SongEntry, sheet: SheetValues | undefined, versionOfPath: string | undefined): SongEntry {
  const title = sheet?.title ? parseTitle(sheet.title) : undefined
  const version = sheet?.version ?? title?.version ?? versionOfPath
  return {
    ...entry,
    ...(sheet?.artist ? { artist: withGuests(sheet.artist, title?.featuring) } : {}),
    ...(title ? { title: title.title, remixer: title.remixer ?? '' } : {}),
    ...(version ? { version_label: standardLabel(version) } : {}),
  }
}

/** 'Clean Intro' and 'intro - clean' are 'Intro Clean'; what is no known version stays as it was written. */
export function standardLabel(written: string): string {
  const words = readVersionWords(written)
  const label = words && !words.remix ? labelOf(words.label) : undefined
  return label ?? (written.normalize('NFC').replace(/\s+/g, ' ').trim().slice(0, 60) || PLAIN_VERSION)
}

/** Also of a file that names no artist or no title, as far as it goes. */
function foundIn(entry: SongEntry | undefined, name: string, tags: Tags, genres: readonly string[]): FoundDetails {
  if (entry) {
    const { artist, title, version_label } = entry
    return { artist, title, version_label, genre: genres.join(', ') }
  }
  const { artist = '', title = '', version = PLAIN_VERSION } = parseSongFileName(name)
  return { artist: tags.artist ?? artist, title: tags.title ?? title, version_label: version, genre: genres.join(', ') }
}

type Corrected = { name: string; tags: Tags; found: FoundDetails; correction: Correction }

function correct(entry: SongEntry | undefined, { name, tags, found, correction }: Corrected): SongEntry | undefined {
  const { artist, title, version_label, genre } = { ...found, ...correction }
  if (!artist || !title) return undefined
  const base = entry ?? describeSong(name, { ...tags, artist, title })
  if (!base) return undefined
  return {
    ...base,
    ...{ artist, title, version_label: version_label || PLAIN_VERSION },
    ...(correction.title === undefined ? {} : { remixer: parseTitle(title).remixer ?? '' }),
    ...(genre === undefined || correction.genre === undefined ? {} : { genres: genreNames([genre]) }),
  }
}
