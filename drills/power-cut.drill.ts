import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { freePort } from '../server/test/free-port.ts'
import { type Drill, withTemporaryFolder } from './drill.ts'
import { childrenOf, postmasterOf, signal, startPool } from './pool-process.ts'

/**
 * Kills everything at once and starts again, as after a power cut. In every second round the old process id is in use
 * by another program.
 */
export const powerCut: Drill = {
  name: 'power-cut',
  summary: 'kills all processes of a pool at once and starts it again (target: 0 failed starts in 50)',
  run: ({ rounds = 50, report }) =>
    withTemporaryFolder(async (dataDir) => {
      const port = await freePort()
      let failures = 0
      for (let round = 0; round <= rounds; round++) {
        const pool = startPool(dataDir, port, { LOG_LEVEL: 'warn' })
        if (!(await pool.untilReady())) {
          failures++
          report(`round ${round}: did not start: ${pool.lines.slice(-3).join(' ')}`)
        }
        const postmaster = postmasterOf(dataDir)
        const processes = postmaster === undefined ? [] : [postmaster, ...childrenOf(postmaster)]
        signal([pool.child.pid ?? 0, ...processes].filter(Boolean), 'SIGKILL')
        await pool.exited
        // After a reboot any program may have the process id; here it is this one's.
        if (round % 2 === 1) removePidFromLockFile(path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid'))
        if (round % 10 === 0) report(`${round} power cuts, ${failures} failed starts`)
      }
      return { metric: `${failures} failed starts in ${rounds} power cuts`, hasPassed: failures === 0 }
    }),
}

function removePidFromLockFile(lockFile: string): void {
  const [, ...rest] = readFileSync(lockFile, 'utf8').split('\n')
  writeFileSync(lockFile, [process.pid, ...rest].join('\n'))
}
