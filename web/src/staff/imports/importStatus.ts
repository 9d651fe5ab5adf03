import type { imports } from '@dubplate/contract'
import type { Tone } from '../../admin/cells.tsx'
import { count, formatBytes } from '../../format/format.ts'
import { formatList } from '../../format/formatList.ts'
import { format } from '../../format/message.ts'
import { timeLeft } from '../../uploads/rate.ts'
import * as texts from './texts.ts'

type Run = imports.ImportRun

const STATUSES: Record<Run['state'], Record<Run['phase'], string> & { tone: Tone }> = {
  uploading: { plan: texts.uploading, import: texts.uploading, tone: 'neutral' },
  waiting: { plan: texts.scanPending, import: texts.importPending, tone: 'neutral' },
  running: { plan: texts.scanning, import: texts.importing, tone: 'neutral' },
  done: { plan: texts.scanned, import: texts.imported, tone: 'ok' },
  stopped: { plan: texts.stopped, import: texts.stopped, tone: 'warning' },
  failed: { plan: texts.failed, import: texts.failed, tone: 'danger' },
}

/** The state of an import in words, with its tone. */
export const statusOf = ({ phase, state }: Pick<Run, 'phase' | 'state'>) => ({
  text: STATUSES[state][phase],
  tone: STATUSES[state].tone,
})

/** Whether the server is scanning or importing, or will do so next. */
export const isInProgress = ({ state }: Pick<Run, 'state'>): boolean => state === 'waiting' || state === 'running'

const SUMMARIES = {
  plan: {
    none: texts.nothingToImport,
    versions: texts.versionsToImport,
    withSongs: texts.versionsToImportNewSongs,
    skipped: texts.filesToSkip,
  },
  import: {
    none: texts.nothingImported,
    versions: texts.versionsImported,
    withSongs: texts.versionsImportedNewSongs,
    skipped: texts.filesSkipped,
  },
} as const

/** '30 versions imported (12 new songs), 4 files skipped', or the same for a scan. */
export function summaryOf({ phase, songs_added, versions_added, skipped, noted }: Run): string {
  const summary = SUMMARIES[phase]
  const added = songs_added > 0 ? summary.withSongs : summary.versions
  return formatList([
    versions_added > 0 ? format(added, { versions: versions_added, songs: songs_added }) : summary.none,
    ...(skipped > 0 ? [format(summary.skipped, { skipped })] : []),
    ...(noted > 0 ? [format(texts.filesNeedReview, { noted })] : []),
  ])
}

/** Progress of an import at a time in milliseconds. */
export type Sample = {
  at: number
  run: Pick<Run, 'phase' | 'bytes' | 'bytes_done' | 'audio_seconds' | 'audio_seconds_done'>
}

const WINDOW_MS = 60_000
/** The minimum time span for an estimate. */
const MIN_SAMPLE_MS = 5000

/** The samples of the last minute, including this one. */
export const withSample = (samples: readonly Sample[], sample: Sample): Sample[] => [
  ...samples.filter(({ at, run }) => sample.at - at <= WINDOW_MS && run.phase === sample.run.phase),
  sample,
]

/** The work of an import is analysing audio; that of a scan is reading bytes. */
const workOf = ({ phase, bytes, bytes_done, audio_seconds, audio_seconds_done }: Sample['run']) =>
  phase === 'import' && audio_seconds > 0
    ? { total: audio_seconds, done: audio_seconds_done }
    : { total: bytes, done: bytes_done }

function secondsLeft(run: Run, samples: readonly Sample[]): number | undefined {
  const [first, last] = [samples[0], samples.at(-1)]
  if (!first || !last || last.at - first.at < MIN_SAMPLE_MS) return undefined
  const { total, done } = workOf(run)
  const speed = (workOf(last.run).done - workOf(first.run).done) / ((last.at - first.at) / 1000)
  return speed > 0 ? (total - done) / speed : undefined
}

/** '120 of 400 files, 1.2 of 4 GB, about 3 min left' */
export function progressText(run: Run, samples: readonly Sample[]): string {
  const { files, files_done, bytes, bytes_done, state } = run
  if (state === 'waiting') return texts.starting
  if (files === 0) return texts.scanningTheFolder
  const amount = format(texts.ofFilesOf, {
    files_done: count(files_done),
    files,
    bytes_done: formatBytes(bytes_done),
    bytes: formatBytes(bytes),
  })
  const left = files_done === files ? undefined : secondsLeft(run, samples)
  return left === undefined ? amount : format(texts.amountAndTimeLeft, { amount, left: timeLeft(left) })
}

/** The result of a file, or the expected one. */
export function fileResult({ outcome, ...file }: imports.ImportFile): string {
  const { title, artist, version_label, is_new_song, reason, detail } = file
  if (outcome === null) return texts.pending
  if (outcome === 'added')
    return format(is_new_song ? texts.fileBecameNewSong : texts.fileBecame, { artist, title, version_label })
  return detail ? format(texts.reasonAndDetail, { reason: capitalize(reason), detail }) : capitalize(reason)
}

/** The reasons of the server are in lower case. */
export const capitalize = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
