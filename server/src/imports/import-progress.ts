import { Presets, SingleBar } from 'cli-progress'
import type { FoundFile } from './folder-walk.ts'
import { clock } from './skipped.ts'

export type Progress = {
  begin(files: readonly FoundFile[]): void
  done(file: FoundFile, audioSeconds?: number): void
  end(): void
}

const LINE_EVERY_MS = 10_000
/** The time left follows the last half minute: files that are skipped go by far quicker than those that are analysed. */
const LOOK_BACK_MS = 30_000

/** Seconds of audio in a byte, until files of a kind have been read: WAV and AIFF of a CD, FLAC, and MP3 of 320 kbit/s. */
const SECONDS_A_BYTE = { pcm: 1 / 176_400, flac: 1 / 110_000, mp3: 1 / 40_000 }
type Kind = keyof typeof SECONDS_A_BYTE

function kindOf(file: string): Kind {
  if (/\.(?:wave?|aif[fc]?)$/i.test(file)) return 'pcm'
  return /\.flac$/i.test(file) ? 'flac' : 'mp3'
}

type Amount = { bytes: number; audioSeconds: number }

/** How fast it goes, and how long it still takes: by seconds of audio, since a WAV has four times the bytes of an MP3. */
export function makePace(now: () => number) {
  const samples: { at: number; bytes: number; files: number; audioSeconds: number }[] = []
  const left: Record<Kind, number> = { pcm: 0, flac: 0, mp3: 0 }
  const known: Record<Kind, Amount> = {
    pcm: { bytes: 0, audioSeconds: 0 },
    flac: { bytes: 0, audioSeconds: 0 },
    mp3: { bytes: 0, audioSeconds: 0 },
  }
  let files = 0
  let done = { bytes: 0, files: 0, audioSeconds: 0 }
  const secondsIn = (kind: Kind, bytes: number) => {
    const { bytes: read, audioSeconds } = known[kind]
    return bytes * (read > 0 ? audioSeconds / read : SECONDS_A_BYTE[kind])
  }
  const rate = () => {
    const [first = { at: now(), bytes: 0, files: 0, audioSeconds: 0 }] = samples
    const seconds = Math.max((now() - first.at) / 1000, 0.001)
    return {
      bytes: (done.bytes - first.bytes) / seconds,
      files: (done.files - first.files) / seconds,
      audioSeconds: (done.audioSeconds - first.audioSeconds) / seconds,
    }
  }
  return {
    begin: (found: readonly FoundFile[]) => {
      files = found.length
      for (const { path, bytes } of found) left[kindOf(path)] += bytes
      samples.push({ at: now(), ...done })
    },
    /** Without a length, which a skipped file has not, it is estimated from the size. */
    done: ({ path, bytes }: FoundFile, audioSeconds?: number) => {
      const kind = kindOf(path)
      left[kind] -= bytes
      if (audioSeconds !== undefined) {
        known[kind].bytes += bytes
        known[kind].audioSeconds += audioSeconds
      }
      done = {
        bytes: done.bytes + bytes,
        files: done.files + 1,
        audioSeconds: done.audioSeconds + (audioSeconds ?? secondsIn(kind, bytes)),
      }
      samples.push({ at: now(), ...done })
      while (samples.length > 2 && now() - (samples[0]?.at ?? 0) > LOOK_BACK_MS) samples.shift()
    },
    said: () => {
      const { bytes, files: filesASecond, audioSeconds } = rate()
      const due = (['pcm', 'flac', 'mp3'] as const).reduce((sum, kind) => sum + secondsIn(kind, left[kind]), 0)
      return {
        files: `${done.files}/${files} files`,
        rate: `${(bytes / 1e6).toFixed(1)} MB/s`,
        pace: `${(filesASecond * 60).toFixed(0)} files/min`,
        left: `${audioSeconds > 0 ? clock(due / audioSeconds) : '–'} left`,
      }
    },
  }
}

const lineOf = (said: Record<string, string>): string => Object.values(said).join(', ')

/** A bar on a terminal, a line every ten seconds anywhere else. */
export function showProgress(out: NodeJS.WriteStream): Progress {
  const pace = makePace(Date.now)
  return out.isTTY ? barOn(out, pace) : linesOn(out, pace)
}

type Pace = ReturnType<typeof makePace>

function barOn(out: NodeJS.WriteStream, pace: Pace): Progress {
  const format = '{bar} {percentage}%  {files}, {rate}, {pace}, {left}'
  const bar = new SingleBar(
    { format, stream: out, barsize: 24, hideCursor: true, gracefulExit: false },
    Presets.shades_classic,
  )
  let timer: NodeJS.Timeout | undefined
  return {
    begin: (files) => {
      pace.begin(files)
      bar.start(files.length, 0, pace.said())
      timer = setInterval(() => bar.update(pace.said()), 1000)
    },
    done: (file, audioSeconds) => {
      pace.done(file, audioSeconds)
      bar.increment(1, pace.said())
    },
    end: () => {
      clearInterval(timer)
      bar.stop()
    },
  }
}

function linesOn(out: NodeJS.WriteStream, pace: Pace): Progress {
  let timer: NodeJS.Timeout | undefined
  return {
    begin: (files) => {
      pace.begin(files)
      timer = setInterval(() => out.write(`${lineOf(pace.said())}\n`), LINE_EVERY_MS)
    },
    done: pace.done,
    end: () => clearInterval(timer),
  }
}
