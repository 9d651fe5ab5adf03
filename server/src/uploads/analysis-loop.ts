import { existsSync } from 'node:fs'
import os from 'node:os'
import { startAnalyser } from '../analysis/analyser.ts'
import { logFallbacks } from '../analysis/fallback.ts'
import type { AppContext } from '../app-context.ts'
import { builtProgram } from '../platform/project-root.ts'
import { repeatEvery } from '../platform/repeat-every.ts'
import { reanalyseNext } from './reanalysis.ts'
import { analyseNext } from './upload-analysis.ts'

const POLL_INTERVAL_MS = 1000
const CHILD = builtProgram('analyser-child')

/**
 * Analyses uploads until stopped, several files at a time, each in its own process. An analysis in progress at a stop
 * is repeated after the next start.
 */
export async function startAnalysisLoop(ctx: AppContext): Promise<{ stop(): Promise<void> }> {
  const batch = ctx.config.analysers ?? Math.max(1, os.availableParallelism() - 1)
  if (!existsSync(CHILD)) throw new Error(`Analyser not built: ${CHILD} is missing`)
  // Attempts are counted in the database, which outlives this process.
  const analyser = startAnalyser({
    childPath: CHILD,
    size: batch,
    attempts: 1,
    onFallback: logFallbacks(ctx.log),
  })
  let isStopping = false
  const turns = Array.from({ length: batch }, () =>
    repeatEvery(POLL_INTERVAL_MS, ctx.log, async () => {
      // Members' uploads come first; re-analyses requested by staff run when there are none.
      while (!isStopping && ((await analyseNext(ctx, analyser)) || (await reanalyseNext(ctx, analyser))));
    }),
  )
  return {
    stop: async () => {
      isStopping = true
      await analyser.stop()
      await Promise.all(turns.map((turn) => turn.stop()))
    },
  }
}
