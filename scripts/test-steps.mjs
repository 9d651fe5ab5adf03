// Runs the steps of a test run one after the other, and stops all of them on Ctrl-C, SIGTERM, or when npm has ended.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { watchNpm } from './parent.mjs'
import { root } from './releases.mjs'
import { measureCpu } from './test-cpu.mjs'
import { createRunFolder, removeRunFolder } from './test-folder.mjs'
import { endProcesses, killProcesses, waitForEnd } from './test-processes.mjs'

const SIGNALS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 }
/** How long processes have to end by themselves after the last step, and then after SIGTERM. */
const EXIT_WAIT_MS = 2000
const GRACE_MS = 5000
/** npm forwards a signal that the terminal has already sent to every process: this is not a second Ctrl-C. */
const SIGNAL_DEDUPE_MS = 1000

/** @typedef {{ name: string, command: string[], env?: Record<string, string> }} Step */

/**
 * Creates the run's folder and returns `run(step)`, which resolves to the exit code and the CPU seconds of a step, and
 * `finish()`, which ends what is left, removes the folder and returns the names of the processes it had to end.
 */
export function startRun({ grace_ms = GRACE_MS, sameSignal_ms = SIGNAL_DEDUPE_MS } = {}) {
  const folder = createRunFolder()
  let interruptedAt

  async function interrupt(name) {
    const isFirst = interruptedAt === undefined
    if (!isFirst && performance.now() - interruptedAt < sameSignal_ms) return
    interruptedAt ??= performance.now()
    console.log(isFirst ? `\n${name}: stopping the tests …` : '\nKilling the remaining processes …')
    if (isFirst) await endProcesses(folder, { grace_ms })
    killProcesses(folder)
    removeRunFolder(folder)
    process.exit(SIGNALS[name] ?? 143)
  }

  for (const name of Object.keys(SIGNALS)) process.on(name, () => void interrupt(name))
  watchNpm(() => interruptedAt === undefined && void interrupt('npm has ended'))
  // The terminal or npm may have closed the streams; the clean-up still has to finish.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

  /** @param {Step} step */
  async function run({ command: [program, ...args], env = {} }) {
    const readCpu = measureCpu()
    const child = spawn(program, args, {
      cwd: root,
      stdio: ['ignore', 'inherit', 'inherit'],
      env: { ...process.env, ...env, TMPDIR: folder },
      // A separate process group: Ctrl-C reaches only this process, which then stops the step in order.
      detached: true,
    })
    const [code, signal] = await once(child, 'exit').catch((error) => [error.message])
    // An interrupted run ends in `interrupt`, and starts no other step.
    if (interruptedAt !== undefined) await new Promise(() => {})
    return { code: signal ?? code, cpu_s: readCpu() }
  }

  async function finish() {
    await waitForEnd(folder, EXIT_WAIT_MS)
    const left = await endProcesses(folder, { grace_ms })
    removeRunFolder(folder)
    return left
  }

  return { folder, run, finish }
}
