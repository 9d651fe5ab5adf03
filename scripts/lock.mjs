// A lock between processes that share a folder. It needs no daemon and no clean-up: an entry left by a killed process
// is recognised, because an owner is identified by its process id and the time that process started.
import { spawnSync } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import path from 'node:path'

/** Start time of a process, in a unit that depends on the system; undefined when there is no such process. */
function startOf(pid) {
  if (process.platform === 'linux') {
    try {
      // The name in parentheses may contain anything, so the fields are counted from its end: the first one is the state.
      const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
        .replace(/^.*\) /s, '')
        .split(' ')
      return ['Z', 'X'].includes(fields[0]) ? undefined : fields[19]
    } catch {
      return undefined
    }
  }
  const { stdout } = spawnSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' })
  return stdout?.trim().replace(/\W+/g, '-') || undefined
}

const HOST = hostname().replace(/[^\w.-]/g, '-') || 'localhost'

/** Names a running process so that no later process with the same number is mistaken for it. */
export const processId = (pid = process.pid) => `${HOST}~${pid}~${startOf(pid)}`

/**
 * Whether the named process is still running. A process of another machine (in a shared folder) is assumed to be
 * running.
 */
export function isRunning(id) {
  const [host, pid, start] = id.split('~')
  return host !== HOST || startOf(Number(pid)) === start
}

const pause = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

/** The entries of running processes. Those of processes that ended are removed. */
function readEntries(folder) {
  return readdirSync(folder).flatMap((name) => {
    const [number, owner = ''] = name.split(' ')
    if (isRunning(owner)) return [{ number, owner, order: `${number} ${owner}` }]
    rmSync(path.join(folder, name), { force: true })
    return []
  })
}

const CHOOSING = 'choosing'

/**
 * Waits until this process has the lock, and returns a function that releases it. `onWait` is called once, with the
 * process id of the owner, if the lock is taken.
 *
 * This is Lamport's bakery algorithm: each process takes a number above all others, and the lowest number has the lock.
 * Only the entry of a process that ended is ever removed by another one, so two processes can never take over the same
 * lock.
 */
export function acquireLock(folder, onWait = () => {}) {
  mkdirSync(folder, { recursive: true })
  const own = processId()
  const choosing = path.join(folder, `${CHOOSING} ${own}`)
  writeFileSync(choosing, '')
  const taken = readEntries(folder).map(({ number }) => (number === CHOOSING ? 0 : Number(number)))
  const order = `${String(Math.max(0, ...taken) + 1).padStart(12, '0')} ${own}`
  writeFileSync(path.join(folder, order), '')
  rmSync(choosing)
  for (let hasWaited = false; ; pause(50)) {
    // Read twice on purpose: an owner that is not choosing now has a number that the second read sees.
    const isSomeoneChoosing = readEntries(folder).some(({ number, owner }) => number === CHOOSING && owner !== own)
    const first = readEntries(folder)
      .filter(({ number, owner }) => number !== CHOOSING && owner !== own)
      .sort((a, b) => (a.order < b.order ? -1 : 1))[0]
    if (!isSomeoneChoosing && (!first || first.order > order))
      return () => rmSync(path.join(folder, order), { force: true })
    if (!hasWaited && first) {
      onWait(Number(first.owner.split('~')[1]))
      hasWaited = true
    }
  }
}
