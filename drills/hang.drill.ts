import { spawn } from 'node:child_process'
import { cpus } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../server/test/free-port.ts'
import { type Drill, withTemporaryFolder } from './drill.ts'
import { childrenOf, postmasterOf, signal, signIn, startLoad, startPool, statusOf } from './pool-process.ts'

const HANG_DURATION_MS = 30_000
/** Ten seconds of silence until connections are closed, five until a new one fails, and a margin for a busy machine. */
const RESPONSE_TIMEOUT_MS = 20_000
const CPU_LOAD_MS = 60_000

/** Suspends the database, then keeps every core busy: the first is an outage, the second is not. */
export const databaseHang: Drill = {
  name: 'hang',
  summary: 'stops the database for 30 s (SIGSTOP): calls return 503; then keeps all cores busy: no outage is reported',
  run: ({ rounds = 3, report }) =>
    withTemporaryFolder(async (dataDir) => {
      const port = await freePort()
      const pool = startPool(dataDir, port, { DEMO: 'on', DEMO_SONGS: '40' })
      if (!(await pool.untilReady())) throw new Error(`The pool did not start:\n${pool.lines.join('\n')}`)
      const token = await signIn(pool.origin, 'dj@demo.test', 'dubplate')
      let slowest_ms = 0
      let wrongResponses = 0
      for (let round = 1; round <= rounds; round++) {
        const backgroundLoad = startLoad(pool.origin, token)
        await pause(1000)
        const postmaster = postmasterOf(dataDir) ?? 0
        const processes = [postmaster, ...childrenOf(postmaster)]
        signal(processes, 'SIGSTOP')
        await pause(5000)
        const ready = await statusOf(`${pool.origin}/readyz`)
        await pause(HANG_DURATION_MS - 5000)
        signal(processes, 'SIGCONT')
        const isBack = await pool.untilReady(30_000)
        await backgroundLoad.stop()
        slowest_ms = Math.max(slowest_ms, backgroundLoad.slowest_ms())
        const unexpected = [...backgroundLoad.statuses.keys()].filter((status) => ![200, 503].includes(status))
        if (ready !== 503 || !isBack || unexpected.length > 0) wrongResponses++
        report(
          `round ${round}: /readyz ${ready}, back: ${isBack}, slowest response ${backgroundLoad.slowest_ms()} ms, ${JSON.stringify([...backgroundLoad.statuses])}`,
        )
      }
      const before = pool.lines.length
      const logLines = await loadCpu(() =>
        pool.lines.slice(before).filter((line) => /unavailable|has ended/.test(line)),
      )
      report(`${logLines.length} outages reported in ${CPU_LOAD_MS / 1000} s of full load`)
      const hasEnded = pool.hasEnded()
      await pool.stop()
      const metric = `${rounds} hangs of ${HANG_DURATION_MS / 1000} s: slowest response ${(slowest_ms / 1000).toFixed(1)} s, ${wrongResponses} wrong, ${hasEnded ? 'the pool ended' : 'no restart'}; ${logLines.length} false alarms under full load`
      return {
        metric,
        hasPassed: wrongResponses === 0 && !hasEnded && slowest_ms <= RESPONSE_TIMEOUT_MS && logLines.length === 0,
      }
    }),
}

/** Runs four busy loops per core. Returns what was logged by the end. */
async function loadCpu(logLines: () => string[]): Promise<string[]> {
  const loops = Array.from({ length: cpus().length * 4 }, () =>
    spawn(process.execPath, ['-e', `const end = Date.now() + ${CPU_LOAD_MS}; while (Date.now() < end);`]),
  )
  await Promise.all(loops.map((loop) => new Promise((resolve) => loop.once('exit', resolve))))
  return logLines()
}
