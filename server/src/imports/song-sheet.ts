import path from 'node:path'
import { imports } from '@dubplate/contract'
import { decodeText, parseCsv } from './csv.ts'
import { genreNames } from './tags.ts'
import { SheetError, type SheetLimits } from './xlsx.ts'

/** The values of a sheet for one file. */
export type SheetValues = {
  artist?: string
  title?: string
  version?: string
  label?: string
  isrc?: string
  genres?: string[]
  year?: number
}
/** `row` is the number shown by spreadsheet programs; 0 when the problem concerns the whole sheet. */
type SheetProblem = { row: number; message: string }
export type SheetRow = { row: number; file: string; values: SheetValues }
export type SongSheet = { rows: SheetRow[]; problems: SheetProblem[] }

export const SHEET_EXTENSION = /\.(?:csv|xlsx)$/i
const { MAX_SHEET_BYTES } = imports
const LIMITS: SheetLimits = { rows: 20_001, columns: 100 }
const MAX_VALUE_LENGTH = 300

const COLUMNS = {
  file: ['file', 'filename', 'path', 'filepath', 'audiofile', 'trackfile', 'datei', 'dateiname'],
  artist: ['artist', 'artists', 'artistname', 'mainartist', 'trackartist', 'interpret'],
  title: ['title', 'songtitle', 'tracktitle', 'track', 'song', 'trackname', 'songname', 'name', 'titel'],
  version: ['version', 'versionlabel', 'mix', 'mixname', 'mixversion', 'trackversion'],
  label: ['label', 'recordlabel', 'labelname', 'publisher'],
  isrc: ['isrc', 'isrccode'],
  genre: ['genre', 'genres', 'style', 'maingenre'],
  date: ['releasedate', 'date', 'released', 'release', 'year', 'releaseyear'],
} as const
type SheetColumn = keyof typeof COLUMNS

const TOO_LARGE_MESSAGE = `The sheet is larger than ${MAX_SHEET_BYTES / 1024 / 1024} MB. Split it or remove what you don’t need.`

export const oversizedSheet = (): SongSheet => ({ rows: [], problems: [{ row: 0, message: TOO_LARGE_MESSAGE }] })

/** Reads a CSV or XLSX sheet. Problems are reported by row; a sheet that cannot be read has no rows and one problem. */
export async function readSongSheet(name: string, bytes: Buffer): Promise<SongSheet> {
  try {
    return readRows(await parseCells(name, bytes))
  } catch (error) {
    if (error instanceof SheetError) return { rows: [], problems: [{ row: 0, message: error.message }] }
    throw error
  }
}

async function parseCells(name: string, bytes: Buffer): Promise<unknown[][]> {
  if (bytes.length > MAX_SHEET_BYTES) throw new SheetError(TOO_LARGE_MESSAGE)
  if (/\.xlsx$/i.test(name)) return (await import('./xlsx.ts')).parseXlsx(bytes, LIMITS)
  const rows = parseCsv(decodeText(bytes), { ...LIMITS, rows: LIMITS.rows + 1 })
  if (rows.length > LIMITS.rows) throw new SheetError('The sheet has more than 20,000 rows. Split it.')
  return rows
}

/** 'Release Date', 'release_date' and 'RELEASE-DATE' are the same column. */
const normaliseHeader = (cell: unknown): string =>
  String(cell ?? '')
    .replace(/\(.*?\)/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

function readRows(cells: readonly (readonly unknown[])[]): SongSheet {
  const top = cells.findIndex((row) => row.some((cell) => toText(cell) !== ''))
  const headers = (cells[top] ?? []).map(normaliseHeader)
  const at = (column: SheetColumn) => COLUMNS[column].map((name) => headers.indexOf(name)).find((index) => index >= 0)
  const columns = Object.fromEntries((Object.keys(COLUMNS) as SheetColumn[]).map((column) => [column, at(column)]))
  if (columns.file === undefined)
    throw new SheetError(
      'The sheet was not used: its first row has no “file” column. Add one with the name of each file.',
    )
  if (Object.values(columns).filter((index) => index !== undefined).length < 2)
    throw new SheetError(
      'The sheet was not used: it needs at least one column besides “file”, such as “artist” or “title”.',
    )
  const sheet: SongSheet = { rows: [], problems: [] }
  for (const [index, row] of cells.entries()) {
    if (index <= top || row.every((cell) => toText(cell) === '')) continue
    const cell = (column: SheetColumn) => row[columns[column] ?? -1]
    readRow({ row: index + 1, cell }, sheet)
  }
  return sheet
}

type SheetRowInput = { row: number; cell: (column: SheetColumn) => unknown }

function readRow({ row, cell }: SheetRowInput, { rows, problems }: SongSheet): void {
  const addProblem = (message: string) => problems.push({ row, message })
  const file = toText(cell('file'))
  if (file === '') return void addProblem('This row has no file name.')
  const values: SheetValues = {}
  for (const field of ['artist', 'title', 'version', 'label'] as const) {
    const text = toText(cell(field))
    if (text.length > MAX_VALUE_LENGTH)
      addProblem(`The ${field} has more than ${MAX_VALUE_LENGTH} characters and was shortened.`)
    if (text !== '') values[field] = text.slice(0, field === 'version' ? 60 : MAX_VALUE_LENGTH)
  }
  const genres = genreNames([toText(cell('genre'))])
  if (genres.length > 0) values.genres = genres
  const isrc = toText(cell('isrc')).replace(/[\s-]/g, '').toUpperCase()
  if (/^[A-Z]{2}[A-Z0-9]{3}\d{7}$/.test(isrc)) values.isrc = isrc
  else if (isrc !== '')
    addProblem(`“${toText(cell('isrc')).slice(0, 40)}” is not a valid ISRC and was ignored. Example: GBAYE2400123.`)
  const year = parseYear(cell('date'))
  if (year) values.year = year
  else if (toText(cell('date')) !== '')
    addProblem(
      `“${toText(cell('date')).slice(0, 40)}” is not a valid release date and was ignored. Example: 2024-05-31.`,
    )
  rows.push({ row, file, values })
}

const toText = (cell: unknown): string => {
  if (cell === null || cell === undefined) return ''
  const text = cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell)
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
}

/** Parses '2024-05-31', '31.05.2024', '5/31/24', '2024' and date cells. */
function parseYear(cell: unknown): number | undefined {
  const text = toText(cell)
  const [, whole] =
    /^(?:\d{1,2}[./-]\d{1,2}[./-])?((?:19|20)\d\d)(?:[./-]\d{1,2}(?:[./-]\d{1,2})?)?(?:[T ].*)?$/.exec(text) ?? []
  const [, shortYear] = /^\d{1,2}[./-]\d{1,2}[./-](\d\d)$/.exec(text) ?? []
  const [, spelledYear] = /^[\p{L}\d., ]*\p{L}[\p{L}\d., ]*\b((?:19|20)\d\d)$/u.exec(text) ?? []
  const year = Number(
    whole ??
      spelledYear ??
      (shortYear === undefined ? NaN : Number(shortYear) > 50 ? `19${shortYear}` : `20${shortYear}`),
  )
  return year >= 1900 && year <= new Date().getFullYear() + 2 ? year : undefined
}

/** A sheet and its path within the imported folder. */
export type SheetWithPath = { path: string; sheet: SongSheet }
export type SheetReport = { path: string; files_described: number; problems: SheetProblem[] }

/** Assigns rows to files. The sheet in the nearest folder takes precedence, and within a sheet the first row. */
export function matchSheets(
  sheets: readonly SheetWithPath[],
  files: readonly string[],
): { values: Map<string, SheetValues>; reports: SheetReport[] } {
  const values = new Map<string, SheetValues>()
  const deepestFirst = [...sheets].sort((a, b) => b.path.split(path.sep).length - a.path.split(path.sep).length)
  const reports = deepestFirst.map((sheet) => matchSheet(sheet, files, values))
  return { values, reports: sheets.map(({ path }) => reports.find((report) => report.path === path)!) }
}

function matchSheet(
  { path: place, sheet }: SheetWithPath,
  files: readonly string[],
  values: Map<string, SheetValues>,
): SheetReport {
  const find = createFileFinder(path.dirname(place), files)
  const problems = [...sheet.problems]
  const rowByFile = new Map<string, number>()
  for (const { row, file, values: rowValues } of sheet.rows) {
    const matchedFile = find(file)
    const [one] = matchedFile
    const before = one && rowByFile.get(one)
    if (!one) problems.push({ row, message: `No file “${file.slice(0, 200)}” was found next to the sheet.` })
    else if (matchedFile.length > 1)
      problems.push({
        row,
        message: `${matchedFile.length} files are named “${file.slice(0, 200)}”. Add the folder before the name.`,
      })
    else if (before !== undefined)
      problems.push({ row, message: `“${file.slice(0, 200)}” is already described in row ${before}.` })
    else {
      rowByFile.set(one, row)
      if (!values.has(one)) values.set(one, rowValues)
    }
  }
  return { path: place, files_described: rowByFile.size, problems: problems.sort((a, b) => a.row - b.row) }
}

/** Finds files by path relative to the sheet, or else by name; case and extension are ignored. */
function createFileFinder(folder: string, files: readonly string[]): (fileName: string) => string[] {
  const [byPath, byName] = [new Map<string, string[]>(), new Map<string, string[]>()]
  const note = (map: Map<string, string[]>, key: string, file: string) => {
    const known = map.get(key)
    if (known) known.push(file)
    else map.set(key, [file])
  }
  for (const file of files) {
    const relativeFile = normalisePath(path.relative(folder, file))
    if (relativeFile.startsWith('../')) continue
    const name = relativeFile.split('/').at(-1) ?? ''
    for (const key of new Set([relativeFile, stripExtension(relativeFile)])) note(byPath, key, file)
    for (const key of new Set([name, stripExtension(name)])) note(byName, key, file)
  }
  return (fileName) => byPath.get(normalisePath(fileName)) ?? byName.get(normalisePath(fileName)) ?? []
}

const normalisePath = (file: string): string =>
  file
    .normalize('NFC')
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .toLowerCase()

const stripExtension = (file: string): string => file.replace(/\.[a-z0-9]{1,5}$/, '')
