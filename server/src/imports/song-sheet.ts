import path from 'node:path'
import { imports } from '@dubplate/contract'
import { decodeText, parseCsv } from './csv.ts'
import { genreNames } from './tags.ts'
import { SheetError, type SheetLimits } from './xlsx.ts'

/** What a sheet says about one file. */
export type SheetValues = {
  artist?: string
  title?: string
  version?: string
  label?: string
  isrc?: string
  genres?: string[]
  year?: number
}
/** `row` as a spreadsheet program numbers it; 0 where it is about the whole sheet. */
export type SheetProblem = { row: number; message: string }
export type SheetRow = { row: number; file: string; values: SheetValues }
export type SongSheet = { rows: SheetRow[]; problems: SheetProblem[] }

export const IS_SHEET = /\.(?:csv|xlsx)$/i
const { LARGEST_SHEET_BYTES } = imports
const LIMITS: SheetLimits = { rows: 20_001, columns: 100 }
const LONGEST_VALUE = 300

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
type Column = keyof typeof COLUMNS

const TOO_LARGE = `The sheet is larger than ${LARGEST_SHEET_BYTES / 1024 / 1024} MB. Split it, or remove what is not needed.`

export const sheetTooLarge = (): SongSheet => ({ rows: [], problems: [{ row: 0, message: TOO_LARGE }] })

/** Reads a CSV or XLSX sheet. What is wrong with it is told by row; a sheet that cannot be read has no rows and one problem. */
export async function readSongSheet(name: string, bytes: Buffer): Promise<SongSheet> {
  try {
    return readRows(await readCells(name, bytes))
  } catch (error) {
    if (error instanceof SheetError) return { rows: [], problems: [{ row: 0, message: error.message }] }
    throw error
  }
}

async function readCells(name: string, bytes: Buffer): Promise<unknown[][]> {
  if (bytes.length > LARGEST_SHEET_BYTES) throw new SheetError(TOO_LARGE)
  if (/\.xlsx$/i.test(name)) return (await import('./xlsx.ts')).parseXlsx(bytes, LIMITS)
  const rows = parseCsv(decodeText(bytes), { ...LIMITS, rows: LIMITS.rows + 1 })
  if (rows.length > LIMITS.rows) throw new SheetError('The sheet has more than 20,000 rows. Split it.')
  return rows
}

/** 'Release Date', 'release_date' and 'RELEASE-DATE' are one column. */
const plainHeader = (cell: unknown): string =>
  String(cell ?? '')
    .replace(/\(.*?\)/g, '')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]/gu, '')

function readRows(cells: readonly (readonly unknown[])[]): SongSheet {
  const top = cells.findIndex((row) => row.some((cell) => textOf(cell) !== ''))
  const headers = (cells[top] ?? []).map(plainHeader)
  const at = (column: Column) => COLUMNS[column].map((name) => headers.indexOf(name)).find((index) => index >= 0)
  const columns = Object.fromEntries((Object.keys(COLUMNS) as Column[]).map((column) => [column, at(column)]))
  if (columns.file === undefined)
    throw new SheetError(
      'The sheet was not used: its first row has no “file” column. Add one with the name of each file.',
    )
  if (Object.values(columns).filter((index) => index !== undefined).length < 2)
    throw new SheetError(
      'The sheet was not used: it has a “file” column and nothing else, for example “artist” or “title”.',
    )
  const sheet: SongSheet = { rows: [], problems: [] }
  for (const [index, row] of cells.entries()) {
    if (index <= top || row.every((cell) => textOf(cell) === '')) continue
    const cell = (column: Column) => row[columns[column] ?? -1]
    readRow({ row: index + 1, cell }, sheet)
  }
  return sheet
}

type RawRow = { row: number; cell: (column: Column) => unknown }

function readRow({ row, cell }: RawRow, { rows, problems }: SongSheet): void {
  const complain = (message: string) => problems.push({ row, message })
  const file = textOf(cell('file'))
  if (file === '') return void complain('The row names no file.')
  const values: SheetValues = {}
  for (const field of ['artist', 'title', 'version', 'label'] as const) {
    const text = textOf(cell(field))
    if (text.length > LONGEST_VALUE) complain(`The ${field} has more than ${LONGEST_VALUE} characters. It was cut.`)
    if (text !== '') values[field] = text.slice(0, field === 'version' ? 60 : LONGEST_VALUE)
  }
  const genres = genreNames([textOf(cell('genre'))])
  if (genres.length > 0) values.genres = genres
  const isrc = textOf(cell('isrc')).replace(/[\s-]/g, '').toUpperCase()
  if (/^[A-Z]{2}[A-Z0-9]{3}\d{7}$/.test(isrc)) values.isrc = isrc
  else if (isrc !== '')
    complain(`“${textOf(cell('isrc')).slice(0, 40)}” is not an ISRC. An ISRC looks like GBAYE2400123. It was left out.`)
  const year = yearOf(cell('date'))
  if (year) values.year = year
  else if (textOf(cell('date')) !== '')
    complain(`“${textOf(cell('date')).slice(0, 40)}” is not a release date. Write it as 2024-05-31. It was left out.`)
  rows.push({ row, file, values })
}

const textOf = (cell: unknown): string => {
  if (cell === null || cell === undefined) return ''
  const text = cell instanceof Date ? cell.toISOString().slice(0, 10) : String(cell)
  return text
    .normalize('NFC')
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim()
}

/** '2024-05-31', '31.05.2024', '5/31/24', '2024' and a date of the spreadsheet. */
function yearOf(cell: unknown): number | undefined {
  const text = textOf(cell)
  const [, whole] =
    /^(?:\d{1,2}[./-]\d{1,2}[./-])?((?:19|20)\d\d)(?:[./-]\d{1,2}(?:[./-]\d{1,2})?)?(?:[T ].*)?$/.exec(text) ?? []
  const [, short] = /^\d{1,2}[./-]\d{1,2}[./-](\d\d)$/.exec(text) ?? []
  const [, spelled] = /^[\p{L}\d., ]*\p{L}[\p{L}\d., ]*\b((?:19|20)\d\d)$/u.exec(text) ?? []
  const year = Number(
    whole ?? spelled ?? (short === undefined ? NaN : Number(short) > 50 ? `19${short}` : `20${short}`),
  )
  return year >= 1900 && year <= new Date().getFullYear() + 2 ? year : undefined
}

/** A sheet and the folder it lies in, below the imported one. */
export type PlacedSheet = { path: string; sheet: SongSheet }
export type SheetReport = { path: string; files_described: number; problems: SheetProblem[] }

/** Finds which row is about which file. The sheet that is nearest to a file decides, and in a sheet the first row. */
export function matchSheets(
  sheets: readonly PlacedSheet[],
  files: readonly string[],
): { values: Map<string, SheetValues>; reports: SheetReport[] } {
  const values = new Map<string, SheetValues>()
  const nearestFirst = [...sheets].sort((a, b) => b.path.split(path.sep).length - a.path.split(path.sep).length)
  const reports = nearestFirst.map((placed) => matchSheet(placed, files, values))
  return { values, reports: sheets.map(({ path }) => reports.find((report) => report.path === path)!) }
}

function matchSheet(
  { path: place, sheet }: PlacedSheet,
  files: readonly string[],
  values: Map<string, SheetValues>,
): SheetReport {
  const find = finderIn(path.dirname(place), files)
  const problems = [...sheet.problems]
  const described = new Map<string, number>()
  for (const { row, file, values: said } of sheet.rows) {
    const found = find(file)
    const [one] = found
    const before = one && described.get(one)
    if (!one) problems.push({ row, message: `There is no file “${file.slice(0, 200)}” beside the sheet.` })
    else if (found.length > 1)
      problems.push({
        row,
        message: `${found.length} files are called “${file.slice(0, 200)}”. Add the folder in front.`,
      })
    else if (before !== undefined)
      problems.push({ row, message: `“${file.slice(0, 200)}” is described in row ${before} already.` })
    else {
      described.set(one, row)
      if (!values.has(one)) values.set(one, said)
    }
  }
  return { path: place, files_described: described.size, problems: problems.sort((a, b) => a.row - b.row) }
}

/** By the path from the sheet, else by the name alone; with or without its ending, in capitals or not. */
function finderIn(folder: string, files: readonly string[]): (named: string) => string[] {
  const [byPath, byName] = [new Map<string, string[]>(), new Map<string, string[]>()]
  const note = (map: Map<string, string[]>, key: string, file: string) => {
    const known = map.get(key)
    if (known) known.push(file)
    else map.set(key, [file])
  }
  for (const file of files) {
    const below = plainPath(path.relative(folder, file))
    if (below.startsWith('../')) continue
    const name = below.split('/').at(-1) ?? ''
    for (const key of new Set([below, withoutEnding(below)])) note(byPath, key, file)
    for (const key of new Set([name, withoutEnding(name)])) note(byName, key, file)
  }
  return (named) => byPath.get(plainPath(named)) ?? byName.get(plainPath(named)) ?? []
}

const plainPath = (file: string): string =>
  file
    .normalize('NFC')
    .replaceAll('\\', '/')
    .replace(/^(?:\.\/)+/, '')
    .toLowerCase()

const withoutEnding = (file: string): string => file.replace(/\.[a-z0-9]{1,5}$/, '')
