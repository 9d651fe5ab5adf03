// The CPU time of the test suite: measures it, and compares it with the figures in bench/RESULTS.md.
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import path from 'node:path'
import { root } from './releases.mjs'

const RESULTS = path.join(root, 'bench/RESULTS.md')
/** Linux counts the times in /proc in these units on every architecture that Node supports. */
const TICKS_PER_SECOND = 100
/** What repeats to within a few per cent on one machine is worth a line from here on. */
const TOLERANCE = 0.15

const COLUMNS = ['command', 'CPU', 'measured', 'machine']

/**
 * The CPU seconds of this process and of every descendant that has been waited for, by its own parent. undefined where the
 * system does not tell.
 */
export function readCpuSeconds() {
  if (process.platform !== 'linux') return undefined
  // The name in parentheses may contain anything, so the fields are counted from its end.
  const fields = readFileSync('/proc/self/stat', 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  // utime, stime, cutime and cstime.
  return fields.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks), 0) / TICKS_PER_SECOND
}

const describeMachine = () =>
  `${cpus().length} cores, ${cpus()[0]?.model.trim() ?? 'unknown'}; Node ${process.versions.node}`

const toRow = (cells) => `| ${cells.join(' | ')} |`

const rowOf = (command, results) => results.split('\n').find((line) => line.startsWith(`| ${command} |`))

/** The recorded figure of a command, as it is in the table "Test suite". */
export function findRecorded(command, results = readFileSync(RESULTS, 'utf8')) {
  const [, cpu, measured, machine] = rowOf(command, results)?.slice(2, -2).split(' | ') ?? []
  const seconds = Number.parseFloat(cpu)
  return Number.isNaN(seconds) ? undefined : { seconds, measured, machine }
}

/** One sentence when a run needed clearly more CPU than was recorded; undefined otherwise. */
export function compareCpu(command, seconds, recorded) {
  if (!recorded || seconds < recorded.seconds * (1 + TOLERANCE)) return undefined
  const percent = Math.round((seconds / recorded.seconds - 1) * 100)
  return (
    `"${command}" used ${percent} % more CPU than the ${recorded.seconds} s recorded on ${recorded.measured} ` +
    `(${recorded.machine}; bench/RESULTS.md, Test suite).`
  )
}

/** Puts the figure of a command into the table "Test suite", which is added when it is missing. */
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
