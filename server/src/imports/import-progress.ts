import { Presets, SingleBar } from 'cli-progress'
import type { FoundFile } from './folder-walk.ts'
import { formatDuration } from './skipped-files.ts'

export type Progress = {
  onStart(files: readonly FoundFile[]): void
  close(file: FoundFile, audioSeconds?: number): void
  onEnd(): void
}

const LINE_INTERVAL_MS = 10_000
/**
 * The time left follows the last half minute: files that are skipped go by far quicker than those that are analysed.
 */
const RATE_WINDOW_MS = 30_000

/**
 * Seconds of audio in a byte, until files of a kind have been read: WAV and AIFF of a CD, FLAC, and MP3 of 320 kbit/s.
 */
const SECONDS_PER_BYTE = { pcm: 1 / 176_400, flac: 1 / 110_000, mp3: 1 / 40_000 }
type AudioKind = keyof typeof SECONDS_PER_BYTE

function audioKindOf(file: string): AudioKind {
  if (/\.(?:wave?|aif[fc]?)$/i.test(file)) return 'pcm'
  return /\.flac$/i.test(file) ? 'flac' : 'mp3'
}

type WorkAmount = { bytes: number; audioSeconds: number }

/**
 * How fast it goes, and how long it still takes: by seconds of audio, since a WAV has four times the bytes of an MP3.
 */
export function createRateEstimator(now: () => number) {
  const samples: { at: number; bytes: number; files: number; audioSeconds: number }[] = []
  const remaining: Record<AudioKind, number> = { pcm: 0, flac: 0, mp3: 0 }
  const known: Record<AudioKind, WorkAmount> = {
    pcm: { bytes: 0, audioSeconds: 0 },
    flac: { bytes: 0, audioSeconds: 0 },
    mp3: { bytes: 0, audioSeconds: 0 },
  }
  let files = 0
  let close = { bytes: 0, files: 0, audioSeconds: 0 }
  const estimateSeconds = (kind: AudioKind, bytes: number) => {
    const { bytes: read, audioSeconds } = known[kind]
    return bytes * (read > 0 ? audioSeconds / read : SECONDS_PER_BYTE[kind])
  }
  const rate = () => {
    const [first = { at: now(), bytes: 0, files: 0, audioSeconds: 0 }] = samples
    const seconds = Math.max((now() - first.at) / 1000, 0.001)
    return {
      bytes: (close.bytes - first.bytes) / seconds,
      files: (close.files - first.files) / seconds,
      audioSeconds: (close.audioSeconds - first.audioSeconds) / seconds,
    }
  }
  return {
    onStart: (foundFiles: readonly FoundFile[]) => {
      files = foundFiles.length
      for (const { path, bytes } of foundFiles) remaining[audioKindOf(path)] += bytes
      samples.push({ at: now(), ...close })
    },
    /** Without a length, which a skipped file has not, it is estimated from the size. */
    close: ({ path, bytes }: FoundFile, audioSeconds?: number) => {
      const kind = audioKindOf(path)
      remaining[kind] -= bytes
      if (audioSeconds !== undefined) {
        known[kind].bytes += bytes
        known[kind].audioSeconds += audioSeconds
      }
      close = {
        bytes: close.bytes + bytes,
        files: close.files + 1,
        audioSeconds: close.audioSeconds + (audioSeconds ?? estimateSeconds(kind, bytes)),
      }
      samples.push({ at: now(), ...close })
      while (samples.length > 2 && now() - (samples[0]?.at ?? 0) > RATE_WINDOW_MS) samples.shift()
    },
    said: () => {
      const { bytes, files: filesPerSecond, audioSeconds } = rate()
      const remainingSeconds = (['pcm', 'flac', 'mp3'] as const).reduce(
        (sum, kind) => sum + estimateSeconds(kind, remaining[kind]),
        0,
      )
      return {
        files: `${close.files}/${files} files`,
        rate: `${(bytes / 1e6).toFixed(1)} MB/s`,
        pace: `${(filesPerSecond * 60).toFixed(0)} files/min`,
        left: `${audioSeconds > 0 ? formatDuration(remainingSeconds / audioSeconds) : '–'} left`,
      }
    },
  }
}

const joinLine = (parts: Record<string, string>): string => Object.values(parts).join(', ')

/** A bar on a terminal, a line every ten seconds anywhere else. */
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
      bar.start(files.length, 0, rateEstimator.said())
      timer = setInterval(() => bar.update(rateEstimator.said()), 1000)
    },
    close: (file, audioSeconds) => {
      rateEstimator.close(file, audioSeconds)
      bar.increment(1, rateEstimator.said())
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
      timer = setInterval(() => out.write(`${joinLine(rateEstimator.said())}\n`), LINE_INTERVAL_MS)
    },
    close: rateEstimator.close,
    onEnd: () => clearInterval(timer),
  }
}
