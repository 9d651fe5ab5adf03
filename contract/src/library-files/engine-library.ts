import { makeEntry } from './library-entry.ts'
import { type LibraryEntry, type LibraryFile, LibraryFileError } from './library-file.ts'
import { SqliteFile } from './sqlite-file.ts'
import type { SqliteValue } from './sqlite-record.ts'

/** The schema changes with versions of Engine OS, so only the columns that exist are read. */
const COLUMNS = [
  'path',
  'filename',
  'uri',
  'artist',
  'title',
  'remixer',
  'album',
  'isrc',
  'length',
  'bpm',
  'bpmanalyzed',
  'filebytes',
] as const
type Column = (typeof COLUMNS)[number]

/** `m.db` of Engine DJ, in the folder `Engine Library/Database2`. Columns: libdjinterop. */
export async function* readEngine(file: LibraryFile): AsyncGenerator<LibraryEntry> {
  const database = await SqliteFile.open(file)
  const table = await database.findTable('Track')
  const stored = table ? storedColumns(table.sql) : []
  const columns = COLUMNS.filter((column) => stored.includes(column))
  // Other programs have SQLite databases as well.
  if (!table || !(columns.includes('path') || columns.includes('filename')))
    throw new LibraryFileError('unknown_format')
  const positions = columns.map((column) => stored.indexOf(column))
  for await (const values of database.readRows(table.rootPage, positions)) {
    const entry = entryOf(new Map(columns.map((column, n) => [column, values[n]])))
    if (entry) yield entry
  }
}

function entryOf(track: ReadonlyMap<Column, SqliteValue | undefined>): LibraryEntry | undefined {
  const textOf = (column: Column) => String(track.get(column) ?? '')
  // A stream has an address instead of a path; its file name is a number.
  const path = textOf('path') || (textOf('uri') ? '' : textOf('filename'))
  return makeEntry(path, {
    artist: textOf('artist'),
    title: textOf('title'),
    remixer: textOf('remixer'),
    album: textOf('album'),
    isrc: textOf('isrc'),
    duration: track.get('length'),
    bpm: track.get('bpmanalyzed') ?? track.get('bpm'),
    bytes: track.get('filebytes'),
  })
}

const CONSTRAINT = /^(?:constraint|primary|unique|check|foreign)\b/i
const GENERATED_VIRTUAL = /\bas\s*\((?!.*\bstored\b)/is

/** The columns of `CREATE TABLE`, in lower case and in the order in which rows contain them. */
const storedColumns = (sql: string): string[] =>
  definitionsOf(sql)
    .filter((definition) => !CONSTRAINT.test(definition) && !GENERATED_VIRTUAL.test(definition))
    .map((definition) => {
      const [, quoted, plain = ''] = /^["'`[]([^"'`\]]+)["'`\]]|^([^\s(]+)/.exec(definition) ?? []
      return (quoted ?? plain).toLowerCase()
    })

/** What is between the commas of the outermost parentheses. */
function definitionsOf(sql: string): string[] {
  const definitions = ['']
  let depth = 0
  for (const [token] of sql
    .replace(/--.*|\/\*[\s\S]*?\*\//g, ' ')
    .matchAll(/'[^']*'|"[^"]*"|`[^`]*`|\[[^\]]*\]|[\s\S]/g)) {
    if (token === ')') depth--
    if (token === ',' && depth === 1) definitions.push('')
    else if (depth > 0) definitions[definitions.length - 1] += token
    if (token === '(') depth++
  }
  return definitions.map((definition) => definition.trim())
}
