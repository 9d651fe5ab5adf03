import { Presets, SingleBar } from 'cli-progress'
import type { FoundFile } from './folder-walk.ts'
import { formatDuration } from './skipped-files.ts'

export type Progress = {
  onStart(files: readonly FoundFile[]): void
  onDone(file: FoundFile, audioSeconds?: number): void
  onEnd(): void
}

const LINE_INTERVAL_MS = 10_000
/** The remaining time is based on the last half minute, because skipped files are much faster than analysed ones. */
const RATE_WINDOW_MS = 30_000

/**
 * Seconds of audio per byte, until files of the same kind have been read: CD quality WAV and AIFF, FLAC, and MP3 and
 * others at 320 kbit/s.
 */
const SECONDS_PER_BYTE = { pcm: 1 / 176_400, flac: 1 / 110_000, mp3: 1 / 40_000 }
type AudioKind = keyof typeof SECONDS_PER_BYTE

function audioKindOf(file: string): AudioKind {
  if (/\.(?:wave?|aif[fc]?)$/i.test(file)) return 'pcm'
  return /\.flac$/i.test(file) ? 'flac' : 'mp3'
}

type WorkAmount = { bytes: number; audioSeconds: number }

/** Estimates the speed and the remaining time from seconds of audio, since a WAV has four times the bytes of an MP3. */
export function createRateEstimator(now: () => number) {
  const samples: { at: number; bytes: number; files: number; audioSeconds: number }[] = []
  const remaining: Record<AudioKind, number> = { pcm: 0, flac: 0, mp3: 0 }
  const known: Record<AudioKind, WorkAmount> = {
    pcm: { bytes: 0, audioSeconds: 0 },
    flac: { bytes: 0, audioSeconds: 0 },
    mp3: { bytes: 0, audioSeconds: 0 },
  }
  let files = 0
  let finished = { bytes: 0, files: 0, audioSeconds: 0 }
  const estimateSeconds = (kind: AudioKind, bytes: number) => {
    const { bytes: read, audioSeconds } = known[kind]
    return bytes * (read > 0 ? audioSeconds / read : SECONDS_PER_BYTE[kind])
  }
  const rate = () => {
    const [first = { at: now(), bytes: 0, files: 0, audioSeconds: 0 }] = samples
    const seconds = Math.max((now() - first.at) / 1000, 0.001)
    return {
      bytes: (finished.bytes - first.bytes) / seconds,
      files: (finished.files - first.files) / seconds,
      audioSeconds: (finished.audioSeconds - first.audioSeconds) / seconds,
    }
  }
  return {
    onStart: (foundFiles: readonly FoundFile[]) => {
      files = foundFiles.length
      for (const { path, bytes } of foundFiles) remaining[audioKindOf(path)] += bytes
      samples.push({ at: now(), ...finished })
    },
    /** The duration of a skipped file is unknown and estimated from its size. */
    onDone: ({ path, bytes }: FoundFile, audioSeconds?: number) => {
      const kind = audioKindOf(path)
      remaining[kind] -= bytes
      if (audioSeconds !== undefined) {
        known[kind].bytes += bytes
        known[kind].audioSeconds += audioSeconds
      }
      finished = {
        bytes: finished.bytes + bytes,
        files: finished.files + 1,
        audioSeconds: finished.audioSeconds + (audioSeconds ?? estimateSeconds(kind, bytes)),
      }
      samples.push({ at: now(), ...finished })
      while (samples.length > 2 && now() - (samples[0]?.at ?? 0) > RATE_WINDOW_MS) samples.shift()
    },
    summary: () => {
      const { bytes, files: filesPerSecond, audioSeconds } = rate()
      const remainingSeconds = (['pcm', 'flac', 'mp3'] as const).reduce(
        (sum, kind) => sum + estimateSeconds(kind, remaining[kind]),
        0,
      )
      return {
        files: `${finished.files}/${files} files`,
        rate: `${(bytes / 1e6).toFixed(1)} MB/s`,
        pace: `${(filesPerSecond * 60).toFixed(0)} files/min`,
        left: `${audioSeconds > 0 ? formatDuration(remainingSeconds / audioSeconds) : '–'} left`,
      }
    },
  }
}

const joinLine = (parts: Record<string, string>): string => Object.values(parts).join(', ')

/** A progress bar on a terminal, otherwise a line every ten seconds. */
export function createProgress(out: NodeJS.WriteStream): Progress {
  const rateEstimator = createRateEstimator(Date.now)
  return out.isTTY ? createProgressBar(out, rateEstimator) : createProgressLines(out, rateEstimator)
}

type RateEstimator = ReturnType<typeof createRateEstimator>

function createProgressBar(out: NodeJS.WriteStream, rateEstimator: RateEstimator): Progress {
  const format = '{bar} {percentage}%  {files}, {rate}, {pace}, {left}'
  const bar = new SingleBar(
    { format, stream: out, barsize: 24, hideCursor: true, gracefulExit: false },
    Presets.shades_classic,
  )
  let timer: NodeJS.Timeout | undefined
  return {
    onStart: (files) => {
      rateEstimator.onStart(files)
      bar.start(files.length, 0, rateEstimator.summary())
      timer = setInterval(() => bar.update(rateEstimator.summary()), 1000)
    },
    onDone: (file, audioSeconds) => {
      rateEstimator.onDone(file, audioSeconds)
      bar.increment(1, rateEstimator.summary())
    },
    onEnd: () => {
      clearInterval(timer)
      bar.stop()
    },
  }
}

function createProgressLines(out: NodeJS.WriteStream, rateEstimator: RateEstimator): Progress {
  let timer: NodeJS.Timeout | undefined
  return {
    onStart: (files) => {
      rateEstimator.onStart(files)
      timer = setInterval(() => out.write(`${joinLine(rateEstimator.summary())}\n`), LINE_INTERVAL_MS)
    },
    onDone: rateEstimator.onDone,
    onEnd: () => clearInterval(timer),
  }
}
