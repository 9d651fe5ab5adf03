import { Presets, SingleBar } from 'cli-progress'
import type { FoundFile } from './folder-walk.ts'
import { clock } from './skipped.ts'

export type Progress = {
  begin(files: readonly FoundFile[]): void
  done(file: FoundFile): void
  end(): void
}

const LINE_EVERY_MS = 10_000
/** The time left follows the last half minute: files that are skipped go by far quicker than those that are analysed. */
const LOOK_BACK_MS = 30_000

/** How fast it goes, and how long it still takes. */
export function makePace(now: () => number) {
  const samples: { at: number; bytes: number; files: number }[] = []
  let total = { bytes: 0, files: 0 }
  let done = { bytes: 0, files: 0 }
  const rate = () => {
    const [first = { at: now(), bytes: 0, files: 0 }] = samples
    const seconds = Math.max((now() - first.at) / 1000, 0.001)
    return { bytes: (done.bytes - first.bytes) / seconds, files: (done.files - first.files) / seconds }
  }
  return {
    begin: (files: readonly FoundFile[]) => {
      total = { bytes: files.reduce((sum, { bytes }) => sum + bytes, 0), files: files.length }
      samples.push({ at: now(), ...done })
    },
    done: ({ bytes }: FoundFile) => {
      done = { bytes: done.bytes + bytes, files: done.files + 1 }
      samples.push({ at: now(), ...done })
      while (samples.length > 2 && now() - (samples[0]?.at ?? 0) > LOOK_BACK_MS) samples.shift()
    },
    said: () => {
      const { bytes, files } = rate()
      const left = bytes > 0 ? clock((total.bytes - done.bytes) / bytes) : '–'
      return {
        files: `${done.files}/${total.files} files`,
        rate: `${(bytes / 1e6).toFixed(1)} MB/s`,
        pace: `${(files * 60).toFixed(0)} files a minute`,
        left: `${left} left`,
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
    done: (file) => {
      pace.done(file)
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
