// Measures the CPU time of the test suite and compares it with the figures in bench/RESULTS.md.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import path from 'node:path'
import { root } from './releases.mjs'

const RESULTS = path.join(root, 'bench/RESULTS.md')
/** Linux counts the times in /proc in these units on every architecture that Node supports. */
const TICKS_PER_SECOND = 100
/** Larger differences are reported. Repeated runs on one machine differ by a few per cent. */
const TOLERANCE = 0.15

const COLUMNS = ['command', 'CPU', 'measured', 'machine']

const SAMPLE_EVERY_MS = 250
const CHROMIUM = /^(chrom|headless_shell)/

function readProcess(pid) {
  const [, name, rest] = readFileSync(`/proc/${pid}/stat`, 'utf8').match(/^\d+ \((.*)\) (.*)$/s)
  const fields = rest.split(' ')
  const [user, system, waitedUser, waitedSystem] = fields.slice(11, 15).map((ticks) => Number(ticks) / TICKS_PER_SECOND)
  return {
    name,
    parent: Number(fields[1]),
    start: fields[19],
    own_s: user + system,
    waited_s: waitedUser + waitedSystem,
  }
}

/**
 * Measures the CPU seconds of the processes that this process starts: call the returned function at the end. undefined
 * when the system does not report them.
 *
 * The system adds up the time of this process and of every descendant whose parent waited for it, which all of them do,
 * including PostgreSQL. Only Chromium ends without waiting for its own children; their time is read while they run.
 */
export function measureCpu() {
  if (process.platform !== 'linux') return () => undefined
  const readOwn = () => {
    const { own_s, waited_s } = readProcess('self')
    return own_s + waited_s
  }
  const before = readOwn()
  const chromium = new Map()
  const timer = setInterval(() => sampleChromium(chromium), SAMPLE_EVERY_MS)
  return () => {
    clearInterval(timer)
    return [...chromium.values()].reduce((sum, seconds) => sum + seconds, readOwn() - before)
  }
}

/** Stores the latest time of each process that Chromium has started below this process. */
function sampleChromium(seconds) {
  const all = listProcesses()
  const isBelow = ({ parent }) => parent === process.pid || (all.has(parent) && isBelow(all.get(parent)))
  for (const [pid, one] of all) {
    const isStartedByChromium = CHROMIUM.test(one.name) && CHROMIUM.test(all.get(one.parent)?.name ?? '')
    if (isStartedByChromium && isBelow(one)) seconds.set(`${pid} ${one.start}`, one.own_s)
  }
}

function listProcesses() {
  const all = new Map()
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name))) {
    try {
      all.set(Number(pid), readProcess(pid))
    } catch {
      // The process has ended.
    }
  }
  return all
}

const describeMachine = () =>
  `${cpus().length} cores, ${cpus()[0]?.model.trim() ?? 'unknown'}; Node ${process.versions.node}`

const toRow = (cells) => `| ${cells.join(' | ')} |`

const rowOf = (command, results) => results.split('\n').find((line) => line.startsWith(`| ${command} |`))

/** The recorded figure of a command, from the table "Test suite". */
export function findRecorded(command, results = readFileSync(RESULTS, 'utf8')) {
  const [, cpu, measured, machine] = rowOf(command, results)?.slice(2, -2).split(' | ') ?? []
  const seconds = Number.parseFloat(cpu)
  return Number.isNaN(seconds) ? undefined : { seconds, measured, machine }
}

/** Returns a sentence when a run needed clearly more CPU than was recorded; undefined otherwise. */
export function compareCpu(command, seconds, recorded) {
  if (!recorded || seconds < recorded.seconds * (1 + TOLERANCE)) return undefined
  const percent = Math.round((seconds / recorded.seconds - 1) * 100)
  return (
    `"${command}" used ${percent} % more CPU than the ${recorded.seconds} s recorded on ${recorded.measured} ` +
    `(${recorded.machine}; bench/RESULTS.md, Test suite).`
  )
}

/** Writes the figure of a command into the table "Test suite", adding the table when it is missing. */
export function withRecorded(results, command, seconds, { date = new Date(), machine = describeMachine() } = {}) {
  const row = toRow([command, `${Math.round(seconds)} s`, date.toISOString().slice(0, 10), machine])
  const present = rowOf(command, results)
  if (present) return results.replace(present, row)
  const head = [toRow(COLUMNS), toRow(COLUMNS.map(() => '---'))].join('\n')
  if (results.includes(head)) return results.replace(head, `${head}\n${row}`)
  return `${results.trimEnd()}\n\n## Test suite\n\n${NOTE}\n\n${head}\n${row}\n`
}

const NOTE =
  'CPU seconds of one run with all its processes, PostgreSQL and Chromium included, without installing and building. Written by\n' +
  '`npm test -- --record` and `npm run test:all -- --record`; a later run that needs 15 % more says so.'

export function recordCpu(command, seconds) {
  writeFileSync(RESULTS, withRecorded(readFileSync(RESULTS, 'utf8'), command, seconds))
}
