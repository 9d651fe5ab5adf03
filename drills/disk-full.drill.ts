import { spawnSync } from 'node:child_process'
import { chmodSync, closeSync, openSync, rmSync, statfsSync, writeSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../server/test/free-port.ts'
import { type Drill, startProgram, withTemporaryFolder } from './drill.ts'
import { call, childrenOf, postmasterOf, signal, signIn, startPool, statusOf } from './pool-process.ts'

const DISK = '700m'

/**
 * Fills the pool's disk to the last byte while it runs, frees it again, and starts the pool on a full disk. Needs root,
 * to mount the disk.
 */
export const diskFull: Drill = {
  name: 'disk-full',
  summary:
    'fills the disk: writes return 507, reads work, /readyz returns 503, and everything recovers without a restart',
  run: ({ rounds = 3, report }) =>
    withTemporaryFolder(async (folder) => {
      if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK},mode=755`, 'tmpfs', folder]).status !== 0)
        throw new Error('This drill mounts a small disk, so it has to run as root where mounting is allowed.')
      try {
        return await fillAndEmpty(folder, rounds, report)
      } finally {
        spawnSync('umount', ['-l', folder])
      }
    }),
}

async function fillAndEmpty(disk: string, rounds: number, report: (line: string) => void) {
  const dataDir = path.join(disk, 'data')
  const port = await freePort()
  const email = 'staff@example.test'
  const settings = { DATA_DIR: dataDir, DEMO: 'off', DUBPLATE_PASSWORD: 'a long drill password' }
  const created = startProgram('pool', settings, ['create-staff', email])
  await created.exited
  chmodSync(dataDir, 0o755)
  let pool = startPool(dataDir, port)
  if (!(await pool.untilReady())) throw new Error(`The pool did not start:\n${pool.lines.join('\n')}`)
  const token = await signIn(pool.origin, email, 'a long drill password')
  const failures: string[] = []
  const check = (round: number, description: string, isCorrect: boolean) => {
    if (!isCorrect) failures.push(`round ${round}: ${description}`)
  }
  const write = () => call(pool.origin, 'playlist/save.json', { title: `Drill ${Math.random()}` }, { token })
  const read = () => call(pool.origin, 'song/get-new-release.json', { page: 1 + Math.floor(Math.random() * 1e6) })
  // The pool's reserve file has to exist first.
  await pause(4000)
  for (let round = 1; round <= rounds; round++) {
    fill(disk)
    await pause(5000)
    fill(disk)
    const [written, browsed, member, ready] = [
      await write(),
      await read(),
      await call(pool.origin, 'crate/index.json', {}, { token }),
      await statusOf(`${pool.origin}/readyz`),
    ]
    report(
      `full: write ${written.status}, browse ${browsed.status}, member ${member.status}, /readyz ${ready}, free ${freeBytes(disk)} bytes`,
    )
    check(round, `a write answered ${written.status}`, written.status === 507)
    check(round, `browsing answered ${browsed.status}`, browsed.status === 200)
    check(round, `a member's page answered ${member.status}`, member.status === 200)
    check(round, `/readyz answered ${ready}`, ready === 503)
    empty(disk)
    check(round, 'it is not ready again', await pool.untilReady(30_000))
    await pause(5000)
    const retriedWrite = await write()
    report(`empty again: write ${retriedWrite.status}`)
    check(round, `a later write returned ${retriedWrite.status}`, retriedWrite.status === 200)
  }
  check(rounds, 'the pool ended', !pool.hasEnded())
  const postmaster = postmasterOf(dataDir) ?? 0
  signal([pool.child.pid ?? 0, postmaster, ...childrenOf(postmaster)].filter(Boolean), 'SIGKILL')
  await pool.exited
  rmSync(path.join(dataDir, 'postgres', 'reserve'), { force: true })
  fill(disk)
  const startedAt = performance.now()
  pool = startPool(dataDir, port)
  const { code } = await pool.exited
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  const logText = pool.lines.join(' ')
  report(`start on a full disk: exit code ${code} after ${seconds} s: ${logText}`)
  check(
    0,
    'a start on a full disk did not say so in a sentence',
    code === 1 && /^The disk of .* is full: /.test(logText),
  )
  empty(disk)
  pool = startPool(dataDir, port)
  check(0, 'it did not start once there was room', await pool.untilReady())
  await pool.stop()
  for (const failure of failures) report(failure)
  return {
    metric: `${failures.length} of ${rounds * 6 + 3} checks failed; a start on a full disk says so after ${seconds} s`,
    hasPassed: failures.length === 0,
  }
}

const filler = (disk: string) => path.join(disk, 'filler')

const freeBytes = (disk: string): number => {
  const { bavail, bsize } = statfsSync(disk)
  return bavail * bsize
}

/** Writes until the disk is full. */
function fill(disk: string): void {
  const file = openSync(filler(disk), 'a')
  for (const size of [2 ** 20, 4096, 1]) {
    const block = Buffer.alloc(size, 1)
    try {
      while (writeSync(file, block) === size);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
    }
  }
  closeSync(file)
}

const empty = (disk: string): void => rmSync(filler(disk), { force: true })
