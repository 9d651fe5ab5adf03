import type { imports } from '@dubplate/contract'
import { count, formatBytes } from '../../platform/format.ts'
import { formatList } from '../../platform/formatList.ts'
import { format } from '../../platform/message.ts'
import { timeLeft } from '../../uploads/rate.ts'
import * as texts from './texts.ts'

type Run = imports.ImportRun

/** The state of an import, in a few words. */
export function standingOf({ phase, state }: Pick<Run, 'phase' | 'state'>): string {
  if (state === 'uploading') return texts.uploading
  if (state === 'waiting') return phase === 'plan' ? texts.scanPending : texts.importPending
  if (state === 'running') return phase === 'plan' ? texts.scanning : texts.importing
  if (state === 'stopped') return texts.stopped
  if (state === 'failed') return texts.failed
  return phase === 'import' ? texts.imported : texts.scanned
}

export const isWorkedOn = ({ state }: Pick<Run, 'state'>): boolean => state === 'waiting' || state === 'running'

const OUTCOMES = {
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

/** '30 versions imported (12 new songs), 4 files skipped', or the same for a preview. */
export function outcomeOf({ phase, songs_added, versions_added, skipped, noted }: Run): string {
  const words = OUTCOMES[phase]
  const added =
    songs_added > 0 && versions_added > 0
      ? format(words.withSongs, { versions: versions_added, songs: songs_added })
      : versions_added > 0
        ? format(words.versions, { versions: versions_added })
        : words.none
  return formatList([
    added,
    ...(skipped > 0 ? [format(words.skipped, { skipped })] : []),
    ...(noted > 0 ? [format(texts.filesNeedReview, { noted })] : []),
  ])
}

/** Progress of an import at a time in milliseconds. */
export type Sample = {
  at: number
  run: Pick<Run, 'phase' | 'bytes' | 'bytes_done' | 'audio_seconds' | 'audio_seconds_done'>
}

const LOOK_BACK_MS = 60_000

/** The samples of the last minute, including this one. */
export const withSample = (samples: readonly Sample[], sample: Sample): Sample[] => [
  ...samples.filter(({ at, run }) => sample.at - at <= LOOK_BACK_MS && run.phase === sample.run.phase),
  sample,
]

/** The work of an import is analysing audio; that of a preview is reading bytes. */
const workOf = ({ phase, bytes, bytes_done, audio_seconds, audio_seconds_done }: Sample['run']) =>
  phase === 'import' && audio_seconds > 0
    ? { all: audio_seconds, done: audio_seconds_done }
    : { all: bytes, done: bytes_done }

function secondsLeft(run: Run, samples: readonly Sample[]): number | undefined {
  const [first] = samples
  const last = samples.at(-1)
  if (!first || !last || last.at - first.at < 5000) return undefined
  const { all, done } = workOf(run)
  const speed = (workOf(last.run).done - workOf(first.run).done) / ((last.at - first.at) / 1000)
  return speed > 0 ? (all - done) / speed : undefined
}

/** '120 of 400 files, 1.2 of 4 GB, about 3 min left' */
export function progressOf(run: Run, samples: readonly Sample[]): string {
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
export function becameOf({
  outcome,
  title,
  artist,
  version_label,
  is_new_song,
  reason,
  detail,
}: imports.ImportFile): string {
  if (outcome === null) return texts.pending
  if (outcome === 'skipped')
    return detail ? format(texts.reasonAndDetail, { reason: capitalise(reason), detail }) : capitalise(reason)
  return format(is_new_song ? texts.fileBecameNewSong : texts.fileBecame, { artist, title, version_label })
}

/** The reasons of the server are in lower case. */
const capitalise = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
