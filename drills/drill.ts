import { spawn } from 'node:child_process'
import { chmodSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'

/** A drill that causes a fault in real processes and counts what survived. */
export type Drill = {
  name: string
  /** One sentence for the help of `npm run drill`. */
  summary: string
  run(options: DrillOptions): Promise<DrillResult>
}

export type DrillOptions = {
  /** How often the fault is caused. Each drill has its own default. */
  rounds: number | undefined
  /** Prints a line of progress. */
  report(line: string): void
}

export type DrillResult = {
  /** The measurement, in one line for docs/operating.md: "0 exits in 200 kills". */
  metric: string
  /** Whether the drill reached its target. */
  hasPassed: boolean
}

/** Path of a built program of this checkout: `start`, `web`, `worker` or `pool`. */
export const program = (name: string): string => path.join(import.meta.dirname, '../../../server/dist', `${name}.js`)

/** Runs an action with an empty folder that is removed afterwards. PostgreSQL's own user can read it. */
export async function withTemporaryFolder<T>(action: (folder: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-drill-'))
  chmodSync(folder, 0o755)
  try {
    return await action(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Starts a program of the pool with only these settings in its environment, and collects its output in `lines`. */
export function startProgram(name: string, settings: Record<string, string>, args: string[] = []) {
  const lines: string[] = []
  const child = spawn(process.execPath, ['--enable-source-maps', program(name), ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { PATH: process.env.PATH, HOME: process.env.HOME, ...settings },
  })
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => lines.push(...text.split('\n').filter(Boolean)))
  const exitPromise = new Promise<{ code: number | null; signal: NodeJS.Signals | null }>((resolve) =>
    child.once('exit', (code, signal) => resolve({ code, signal })),
  )
  return { child, lines, exited: exitPromise }
}
