// Keeps a program running: starts it again when it ends by a fault, with growing pauses.
import { spawn } from 'node:child_process'

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000
/** A program that ran this long had started well: its next fault begins with the shortest pause again. */
const RAN_WELL_MS = 60_000
/** What the server says of itself when it ended because of a fault: EX_SOFTWARE of sysexits.h. */
const FAULT = 70

/**
 * Runs a program until it ends by itself or is told to stop, and returns its exit code. It is started again when a signal
 * nobody sent through us ended it (out of memory, `kill -9`), when it reports a fault, and for any other code once it had
 * started well before: a wrong setting at the first start ends it for good. `stop(signal)` passes the signal on.
 */
export function supervise(
  command,
  args,
  { cwd, log = console.error, firstPause_ms = FIRST_PAUSE_MS, ranWell_ms = RAN_WELL_MS } = {},
) {
  let child
  let isStopping = false
  let wake = () => {}
  const run = () =>
    new Promise((resolve) => {
      child = spawn(command, args, { cwd, stdio: 'inherit' })
      child.once('error', (error) => resolve({ code: 1, signal: null, error }))
      child.once('exit', (code, signal) => resolve({ code, signal }))
    })
  const wait = (ms) =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const ended = (async () => {
    let hasRunWell = false
    for (let pause = firstPause_ms; ; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      const startedAt = performance.now()
      const { code, signal, error } = await run()
      const ranWell = performance.now() - startedAt >= ranWell_ms
      hasRunWell ||= ranWell
      if (isStopping || code === 0) return code ?? 0
      if (error || (signal === null && code !== FAULT && !hasRunWell)) return code ?? 1
      if (ranWell) pause = firstPause_ms
      log(`The server ended (${signal ?? `exit code ${code}`}). Starting it again in ${Math.ceil(pause / 1000)} s.`)
      await wait(pause)
      if (isStopping) return 0
    }
  })()
  const stop = (signal) => {
    isStopping = true
    child?.kill(signal)
    wake()
  }
  return { ended, stop, pid: () => child?.pid }
}
