// Keeps a program running: restarts it after a fault, with growing pauses.

const FIRST_RESTART_DELAY_MS = 1000
const MAX_RESTART_DELAY_MS = 30_000
/** A program that ran this long had started successfully: after its next fault the pause is the shortest one again. */
const STABLE_AFTER_MS = 60_000
/** The exit code of a server that ended because of an internal fault: EX_SOFTWARE of sysexits.h. */
const FAULT = 70
const HOLD_POLL_MS = 100
const UPGRADE_POLL_MS = 1000

/**
 * Runs a program until it ends by itself or is stopped; `ended` resolves to its exit code. It is restarted when it was
 * killed (out of memory, `kill -9`), when it reports a fault, and after any other exit code if it had started
 * successfully before. A wrong setting at the first start therefore ends it for good.
 *
 * `start(mayHaveChanged)` starts it and returns its process; the argument is false only after a fault. `stop(signal)`
 * forwards a signal. `replace()` ends it and starts the version that is current by then. Nothing is started while
 * `isHeld()` returns true, and `ended` does not resolve while `isUpgrading()` returns true.
 */
export function supervise(
  start,
  {
    log = console.error,
    restartDelay_ms = FIRST_RESTART_DELAY_MS,
    stableAfter_ms = STABLE_AFTER_MS,
    isHeld = () => false,
    isUpgrading = () => false,
    onEnd = () => {},
  } = {},
) {
  let child
  let isStopping = false
  let isReplacing = false
  let mayHaveChanged = true
  let wake = () => {}
  const run = () =>
    new Promise((resolve) => {
      child = start(mayHaveChanged)
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
  const keepRunning = async () => {
    let hasBeenStable = false
    for (let pause = restartDelay_ms; ; ) {
      while (isHeld() && !isStopping) await wait(HOLD_POLL_MS)
      if (isStopping) return 0
      isReplacing = false
      const startedAt = performance.now()
      const { code, signal, error } = await run()
      onEnd()
      if (isStopping) return code ?? 1
      mayHaveChanged = isReplacing || isUpgrading()
      if (mayHaveChanged) {
        if (!isReplacing) await wait(UPGRADE_POLL_MS)
        continue
      }
      if (code === 0) return 0
      const wasStable = performance.now() - startedAt >= stableAfter_ms
      hasBeenStable ||= wasStable
      if (error || (signal === null && code !== FAULT && !hasBeenStable)) return code ?? 1
      if (wasStable) pause = restartDelay_ms
      log(`The server stopped (${signal ?? `exit code ${code}`}). Restarting it in ${Math.ceil(pause / 1000)} s.`)
      await wait(pause)
      pause = Math.min(pause * 2, MAX_RESTART_DELAY_MS)
    }
  }
  return {
    ended: keepRunning(),
    stop: (signal) => {
      isStopping = true
      child?.kill(signal)
      wake()
    },
    replace: () => {
      isReplacing = true
      child?.kill('SIGTERM')
      wake()
    },
  }
}
