import path from 'node:path'
import type { ImportResult } from './folder-import.ts'
import { formatDuration, type Skipped } from './skipped-files.ts'
import type { SheetReport } from './song-sheet.ts'

const MAX_LISTED = 50
/** Only counted, not listed: these can be a whole library. */
const UNLISTED_REASONS = new Set(['already in the catalogue'])

/** Returns the table at the end of an import or a dry run. */
export function reportImport(result: ImportResult, options: { folder: string; isDryRun: boolean }): string {
  const prefix = options.isDryRun ? 'would be ' : ''
  const unprocessed = result.files - result.versions_added - result.skipped.length
  const rows: [string, string][] = [
    ['Audio files found', count(result.files)],
    [`Songs ${prefix}added`, count(result.songs_added)],
    [`Versions ${prefix}added`, count(result.versions_added)],
    ['Files skipped', count(result.skipped.length)],
    ...countByReason(result.skipped).map(([reason, n]): [string, string] => [`  ${reason}`, count(n)]),
    ...[...result.encodings].map(([name, n]): [string, string] => [`Tags read as ${name}`, count(n)]),
    ...(result.interrupted && unprocessed > 0 ? [['Not processed', count(unprocessed)] as [string, string]] : []),
    ['Duration', timing(result, options.isDryRun)],
  ]
  const width = Math.max(...rows.map(([name]) => name.length))
  const table = rows.map(([name, value]) => `${name.padEnd(width)}  ${value}`)
  const listed = result.skipped.filter(({ reason }) => !UNLISTED_REASONS.has(reason))
  const parts = [
    table.join('\n'),
    list(
      'Skipped',
      listed.map((item) => ({ path: item.path, note: item.detail })),
      options.folder,
    ),
    list('Imported, needs review', result.notes, options.folder),
    ...result.sheets.map((sheet) => sheetReport(sheet)),
    options.isDryRun
      ? 'Dry run: nothing was decoded or written. Damage that only shows when decoding is detected during the import.'
      : '',
    result.encodings.size > 0 && options.isDryRun
      ? 'If artists or titles look wrong, choose the encoding of the tags with --encoding, for example --encoding western.'
      : '',
    result.interrupted ? 'The import was interrupted. Run it again to continue.' : '',
  ]
  return parts.filter(Boolean).join('\n\n')
}

function sheetReport({ path: sheet, files_described, problems }: SheetReport): string {
  const lines = problems.slice(0, MAX_LISTED).map(({ row, message }) => `  ${row > 0 ? `Row ${row}: ` : ''}${message}`)
  const rest = problems.length - lines.length
  const head = `Sheet ${sheet}: describes ${files_described === 1 ? '1 file' : `${files_described} files`}`
  return [head, ...lines, ...(rest > 0 ? [`  … and ${count(rest).trim()} more.`] : [])].join('\n')
}

const count = (n: number): string => n.toLocaleString('en').padStart(7)

function countByReason(skipped: readonly Skipped[]): [string, number][] {
  const counts = new Map<string, number>()
  for (const { reason } of skipped) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return [...counts].sort((a, b) => b[1] - a[1])
}

function timing({ took_seconds, music_seconds, bytes, versions_added }: ImportResult, isDryRun: boolean): string {
  const seconds = Math.max(took_seconds, 0.001)
  const took = took_seconds < 60 ? `${took_seconds.toFixed(1)} s` : formatDuration(took_seconds)
  const speed = `${(bytes / 1e6 / seconds).toFixed(1)} MB/s`
  if (isDryRun || versions_added === 0) return `${took}, ${speed}`
  const rate = `${((versions_added / seconds) * 60).toFixed(1)} files/min`
  return `${took} for ${formatDuration(music_seconds)} of music (${(music_seconds / seconds).toFixed(0)}× real time, ${rate}, ${speed})`
}

function list(heading: string, entries: readonly { path: string; note: string }[], folder: string): string {
  if (entries.length === 0) return ''
  const shown = entries
    .slice(0, MAX_LISTED)
    .map((entry) => `  ${path.relative(folder, entry.path) || '.'}\n      ${entry.note}`)
  const rest = entries.length - shown.length
  return [`${heading}:`, ...shown, ...(rest > 0 ? [`  … and ${count(rest).trim()} more.`] : [])].join('\n')
}
