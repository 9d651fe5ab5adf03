// Finds and ends every process of a test run, including those in a separate session or of another user.
import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'

const CHECK_EVERY_MS = 50

const attempt = (read) => {
  try {
    return read()
  } catch {
    // The process has ended.
    return ''
  }
}

/**
 * Programs that a test run starts without its environment, or that overwrite it: they are recognised by their arguments
 * or their working directory. Any other program that names the folder may belong to someone inspecting it.
 */
const PROGRAMS = /^(node|MainThread|postgres|initdb|chrom|headless_shell|nginx|caddy|pgbouncer)/

const isOfRun = ({ name, environment, place }, folder) =>
  environment.includes(`TMPDIR=${folder}`) || (PROGRAMS.test(name) && place.includes(folder))

function listOnLinux() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'utf8'))
      const [, name, state, parent, group] = stat.match(/^\d+ \((.*)\) (\S) (\d+) (\d+)/s) ?? []
      if (!name || state === 'Z' || state === 'X') return []
      const environment = attempt(() => readFileSync(`/proc/${pid}/environ`, 'utf8'))
      const args = attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
      const place = `${args}\0${attempt(() => readlinkSync(`/proc/${pid}/cwd`))}`
      return [{ pid: Number(pid), name, parent: Number(parent), group: Number(group), environment, place }]
    })
}

function listWithPs() {
  const { stdout } = spawnSync('ps', ['-axwwE', '-o', 'pid=,ppid=,pgid=,command='], { encoding: 'utf8' })
  return (stdout ?? '').split('\n').flatMap((line) => {
    const [, pid, parent, group, text] = line.match(/^\s*(\d+)\s+(\d+)\s+(\d+)\s+(.*)$/) ?? []
    if (!pid) return []
    const name = text.split(' ')[0].split('/').at(-1)
    return [{ pid: Number(pid), name, parent: Number(parent), group: Number(group), environment: text, place: text }]
  })
}

/**
 * The running processes that use the folder, with their descendants and process groups: nginx, for one, overwrites its
 * workers' arguments and environment.
 */
export function findProcesses(folder) {
  const all = process.platform === 'linux' ? listOnLinux() : listWithPs()
  const own = all.find(({ pid }) => pid === process.pid)
  const found = new Set(all.filter((one) => one.pid !== process.pid && isOfRun(one, folder)))
  for (let size = -1; size !== found.size; ) {
    size = found.size
    const pids = new Set([...found].map(({ pid }) => pid))
    const groups = new Set([...found].map(({ group }) => group).filter((group) => group !== own?.group))
    for (const one of all)
      if (one.pid !== process.pid && (pids.has(one.parent) || groups.has(one.group))) found.add(one)
  }
  return [...found]
}

function signal(pid, name) {
  try {
    process.kill(pid, name)
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

const isDatabase = ({ name }) => name === 'postgres'
const isPostmaster = ({ place }) => place.includes('\0-D\0') || place.includes(' -D ')

/**
 * Ends the processes that use the folder and returns their names. They get SIGTERM first, and those still running after
 * `grace_ms` are killed. Databases are ended last, so that servers can close their connections. SIGTERM would make
 * PostgreSQL wait for its clients, and SIGKILL leaves shared memory behind; SIGQUIT ends it at once, and nothing in a
 * test run's database has to survive.
 */
export async function endProcesses(folder, { grace_ms }) {
  const found = findProcesses(folder)
  const others = (one) => !isDatabase(one)
  for (const { pid } of found.filter(others)) signal(pid, 'SIGTERM')
  if (!(await waitForEnd(folder, grace_ms, others))) killProcesses(folder, others)
  for (const { pid } of findProcesses(folder).filter(isDatabase).filter(isPostmaster)) signal(pid, 'SIGQUIT')
  if (!(await waitForEnd(folder, grace_ms))) killProcesses(folder)
  return found.map(({ name }) => name)
}

/** Waits until no such process uses the folder; returns false when some still do after `within_ms`. */
export async function waitForEnd(folder, within_ms, isMeant = () => true) {
  const deadline = performance.now() + within_ms
  while (findProcesses(folder).some(isMeant)) {
    if (performance.now() > deadline) return false
    await pause(CHECK_EVERY_MS)
  }
  return true
}

/** Kills the processes that use the folder, and any they start in the meantime. */
export function killProcesses(folder, isMeant = () => true) {
  for (let round = 0; round < 100; round++) {
    const found = findProcesses(folder).filter(isMeant)
    if (found.length === 0) return
    for (const { pid } of found) signal(pid, 'SIGKILL')
  }
}
