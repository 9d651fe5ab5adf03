import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../server/test/free-port.ts'
import { type Drill, withTemporaryFolder } from './drill.ts'
import { childrenOf, postmasterOf, signal, signIn, startLoad, startPool } from './pool-process.ts'

/** Kills the embedded database under load: its main process, or one of its backends. */
export const killDatabase: Drill = {
  name: 'kill',
  summary: 'kills the embedded PostgreSQL under load; counts exits of the pool (target: 0 in 200)',
  run: ({ rounds = 200, report }) =>
    withTemporaryFolder(async (dataDir) => {
      const port = await freePort()
      let pool = startPool(dataDir, port, { DEMO: 'on', DEMO_SONGS: '40', LOG_LEVEL: 'error' })
      if (!(await pool.untilReady())) throw new Error(`The pool did not start:\n${pool.lines.join('\n')}`)
      const token = await signIn(pool.origin, 'dj@demo.test', 'dubplate')
      const backgroundLoad = startLoad(pool.origin, token)
      let exits = 0
      let recovered = 0
      for (let round = 1; round <= rounds; round++) {
        // Kills at a different moment of the traffic each time.
        await pause(100 + Math.random() * 400)
        const postmaster = postmasterOf(dataDir)
        if (postmaster === undefined) throw new Error('The embedded database is not running.')
        const backends = childrenOf(postmaster)
        const isBackend = round % 4 === 0
        const victim = isBackend ? (backends[backends.length - 1] ?? postmaster) : postmaster
        signal([victim], 'SIGKILL')
        await pause(300)
        if (await pool.untilReady()) recovered++
        if (pool.hasEnded()) {
          exits++
          report(`round ${round}: the pool ended: ${pool.lines.slice(-3).join(' ')}`)
          pool = startPool(dataDir, port, { DEMO: 'on', DEMO_SONGS: '40', LOG_LEVEL: 'error' })
          await pool.untilReady()
        }
        if (round % 20 === 0) report(`${round} kills, ${exits} exits, ${recovered} recovered`)
      }
      await backgroundLoad.stop()
      await pool.stop()
      const counted = [...backgroundLoad.statuses].map(([status, n]) => `${n} × ${status || 'no answer'}`).join(', ')
      report(counted)
      const hasPassed = exits === 0 && recovered === rounds && !backgroundLoad.statuses.has(500)
      return { metric: `${exits} exits in ${rounds} kills, ${recovered} recovered; answers: ${counted}`, hasPassed }
    }),
}
