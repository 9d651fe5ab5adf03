import type { imports } from '@dubplate/contract'
import { byteSize, count, plural } from '../../platform/format.ts'
import { timeLeft } from '../../uploads/rate.ts'

type Run = imports.ImportRun

/** Where an import stands, in a few words. */
export function standingOf({ phase, state, source }: Pick<Run, 'phase' | 'state' | 'source'>): string {
  if (state === 'sending') return 'Being sent'
  if (state === 'waiting') return phase === 'plan' ? 'Waits to be looked through' : 'Waits to come in'
  if (state === 'running') return phase === 'plan' ? 'Being looked through' : 'Coming in'
  if (state === 'stopped') return 'Stopped'
  if (state === 'failed') return 'Broke off'
  if (phase === 'import') return 'Came in'
  return source === 'browser' ? 'Sent and looked through' : 'Looked through'
}

export const isWorkedOn = ({ state }: Pick<Run, 'state'>): boolean => state === 'waiting' || state === 'running'

/** '30 versions came in (12 new songs), 4 files skipped.': or would. */
export function outcomeOf({ phase, songs_added, versions_added, skipped, noted }: Run): string {
  const verb = phase === 'plan' ? 'would come in' : 'came in'
  return [
    versions_added > 0
      ? `${plural(versions_added, 'version')} ${verb}${songs_added > 0 ? ` (${plural(songs_added, 'new song')})` : ''}`
      : `Nothing ${verb}`,
    skipped > 0 && `${plural(skipped, 'file')} ${phase === 'plan' ? 'would be ' : ''}skipped`,
    noted > 0 && `${plural(noted, 'file')} worth a look`,
  ]
    .filter(Boolean)
    .join(', ')
    .concat('.')
}

/** '120 of 400 files, 1.2 of 4 GB, about 3 min left'. */
/** How far an import was at a time in milliseconds. */
export type Sample = {
  at: number
  run: Pick<Run, 'phase' | 'bytes' | 'bytes_done' | 'audio_seconds' | 'audio_seconds_done'>
}

const LOOK_BACK_MS = 60_000

/** The samples of the last minute, with this one. */
export const withSample = (samples: readonly Sample[], sample: Sample): Sample[] => [
  ...samples.filter(({ at, run }) => sample.at - at <= LOOK_BACK_MS && run.phase === sample.run.phase),
  sample,
]

/** The work of an import is analysing audio, that of a preview reading bytes. */
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
  if (state === 'waiting') return 'A worker takes it up in a moment.'
  if (files === 0) return 'Looking for music in the folder.'
  const amount = `${count(files_done)} of ${plural(files, 'file')}, ${byteSize(bytes_done)} of ${byteSize(bytes)}`
  const left = files_done === files ? undefined : secondsLeft(run, samples)
  return left === undefined ? amount : `${amount}, ${timeLeft(left)}`
}

/** What became of a file, or would. */
export function becameOf({
  outcome,
  title,
  artist,
  version_label,
  is_new_song,
  reason,
  detail,
}: imports.ImportFile): string {
  if (outcome === null) return 'Waits'
  if (outcome === 'skipped') return detail ? `${capital(reason)}: ${detail}` : capital(reason)
  return `${artist} – ${title} (${version_label})${is_new_song ? ', a new song' : ''}`
}

const capital = (text: string): string => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
