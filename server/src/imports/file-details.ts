import path from 'node:path'
import { imports } from '@dubplate/contract'
import { extractPathTags, type PathPattern, parsePattern } from './path-pattern.ts'
import { appendFeaturing, describeSong, PLAIN_VERSION, parseSongFileName, type SongEntry } from './song-entry.ts'
import {
  matchSheets,
  oversizedSheet,
  readSongSheet,
  type SheetReport,
  type SheetValues,
  type SheetWithPath,
} from './song-sheet.ts'
import { genreNames, type Tags } from './tags.ts'
import { parseTitle } from './title-parser.ts'
import { buildOrigins } from './value-origins.ts'
import { labelOf, parseVersionInfo } from './version-parser.ts'

/** Changes by staff to a file in the preview of its import. */
export type Correction = { artist?: string; title?: string; version_label?: string; genre?: string }
/** What the preview shows of a file, which staff can change. */
export type DetectedDetails = Required<Correction>

/** A sheet next to the files of an import; `path` has the same format as theirs. */
export type SheetFile = { path: string; bytes: number; read: () => Promise<Buffer> }
const MAX_SHEETS = 50

/** Information about files besides their tags and names, by path within the folder. */
export type FileDetails = {
  pattern: PathPattern | undefined
  sheets: ReadonlyMap<string, SheetValues>
  corrections: ReadonlyMap<string, Correction>
  excluded: ReadonlySet<string>
}

export type DetailSources = {
  folder: string
  pattern?: string | undefined
  corrections?: ReadonlyMap<string, Correction> | undefined
  excluded?: ReadonlySet<string> | undefined
}

/** Reads the sheets and the pattern of an import. Throws a `PatternError`; problems of a sheet are in its report. */
export async function gatherDetails(
  { folder, pattern, corrections = new Map(), excluded = new Set() }: DetailSources,
  { files, sheets }: { files: readonly { path: string }[]; sheets: readonly SheetFile[] },
): Promise<{ details: FileDetails; reports: SheetReport[] }> {
  const relativeName = (file: string) => path.relative(folder, file)
  const loadedSheets: SheetWithPath[] = []
  for (const [sheetIndex, sheet] of sheets.entries())
    loadedSheets.push(await readSheetFile(sheet, relativeName(sheet.path), sheetIndex < MAX_SHEETS))
  const { values, reports } = matchSheets(
    loadedSheets,
    files.map((file) => relativeName(file.path)),
  )
  const parsed = pattern ? parsePattern(pattern) : undefined
  return { details: { pattern: parsed, sheets: values, corrections, excluded }, reports }
}

async function readSheetFile({ bytes, read }: SheetFile, name: string, isWithinLimit: boolean): Promise<SheetWithPath> {
  if (!isWithinLimit)
    return unreadableSheet(name, `The sheet was not used: an import can use at most ${MAX_SHEETS} sheets.`)
  if (bytes > imports.MAX_SHEET_BYTES) return { path: name, sheet: oversizedSheet() }
  const content = await read().catch(() => undefined)
  if (content) return { path: name, sheet: await readSongSheet(name, content) }
  return unreadableSheet(name, 'The sheet could not be opened.')
}

const unreadableSheet = (path: string, message: string): SheetWithPath => ({
  path,
  sheet: { rows: [], problems: [{ row: 0, message }] },
})

type Description = {
  /** Undefined when artist or title is missing. */
  entry: SongEntry | undefined
  /** Before any changes by staff. */
  detected: DetectedDetails
}

/** Whether a sheet or a change by staff describes the file with this path within the folder. */
export const isDescribedByStaff = ({ sheets, corrections }: FileDetails, name: string): boolean =>
  sheets.has(name) || corrections.has(name)

type Defaults = { folder: string; genre?: string | undefined; section: number; details: FileDetails }

/**
 * Returns the song and the version of a file. Changes by staff take precedence, then the sheet, the pattern, the tags,
 * the name and the folders.
 */
export function describeFile({ folder, genre, section, details }: Defaults, file: string, tags: Tags): Description {
  const name = path.relative(folder, file)
  const sheet = details.sheets.get(name)
  const byPath = details.pattern ? extractPathTags(details.pattern, name) : undefined
  const known: Tags = { ...tags, ...byPath?.tags, ...sheetTags(sheet) }
  const description = describeSong(name, known)
  const base = description && applySheet(description, sheet, byPath?.version)
  const orDefaultGenre = (genres: readonly string[]) => (genres.length === 0 && genre ? [genre] : [...genres])
  const detected = detectedDetails(base, name, known, orDefaultGenre(base?.genres ?? known.genres))
  const correction = details.corrections.get(name)
  const entry = correction ? applyCorrection(base, { name, tags: known, detected, correction }) : base
  if (!entry) return { entry: undefined, detected }
  const origins = {
    ...buildOrigins(entry, tags),
    ...describeSources({ ...byPath?.tags }, 'name'),
    ...describeSources({ ...sheet }, 'staff'),
    ...describeSources({ artist: correction?.artist, title: correction?.title, genres: correction?.genre }, 'staff'),
  }
  return { entry: { ...entry, genres: orDefaultGenre(entry.genres), song_section_id: section, origins }, detected }
}

const TRACED_FIELDS = ['artist', 'title', 'label', 'album', 'isrc', 'genres', 'year'] as const

/** Returns the source for each value that exists. */
const describeSources = (values: { [field in (typeof TRACED_FIELDS)[number]]?: unknown }, source: 'name' | 'staff') =>
  Object.fromEntries(TRACED_FIELDS.filter((field) => values[field] !== undefined).map((field) => [field, source]))

function sheetTags({ version: _, ...values }: SheetValues = {}): Partial<Tags> {
  return values
}

/** A sheet contains the complete artist or title: nothing from the file name is added to it. */
function applySheet(entry: SongEntry, sheet: SheetValues | undefined, versionOfPath: string | undefined): SongEntry {
  const title = sheet?.title ? parseTitle(sheet.title) : undefined
  const version = sheet?.version ?? title?.version ?? versionOfPath
  return {
    ...entry,
    ...(sheet?.artist ? { artist: appendFeaturing(sheet.artist, title?.featuring) } : {}),
    ...(title ? { title: title.title, remixer: title.remixer ?? '' } : {}),
    ...(version ? { version_label: standardiseLabel(version) } : {}),
  }
}

/** Returns 'Intro Clean' for 'Clean Intro' and 'intro - clean'; an unknown version stays as it was written. */
function standardiseLabel(rawLabel: string): string {
  const words = parseVersionInfo(rawLabel)
  const label = words && !words.remix ? labelOf(words.label) : undefined
  return label ?? (rawLabel.normalize('NFC').replace(/\s+/g, ' ').trim().slice(0, 60) || PLAIN_VERSION)
}

/** Also returns the known details of a file without an artist or a title. */
function detectedDetails(
  entry: SongEntry | undefined,
  name: string,
  tags: Tags,
  genres: readonly string[],
): DetectedDetails {
  if (entry) {
    const { artist, title, version_label } = entry
    return { artist, title, version_label, genre: genres.join(', ') }
  }
  const { artist = '', title = '', version = PLAIN_VERSION } = parseSongFileName(name)
  return { artist: tags.artist ?? artist, title: tags.title ?? title, version_label: version, genre: genres.join(', ') }
}

type CorrectionParams = { name: string; tags: Tags; detected: DetectedDetails; correction: Correction }

function applyCorrection(
  entry: SongEntry | undefined,
  { name, tags, detected, correction }: CorrectionParams,
): SongEntry | undefined {
  const { artist, title, version_label, genre } = { ...detected, ...correction }
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
