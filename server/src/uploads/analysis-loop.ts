import { existsSync } from 'node:fs'
import os from 'node:os'
import { startAnalyser } from '../audio/analyser.ts'
import { repeat } from '../platform/repeat.ts'
import { builtProgram } from '../platform/root.ts'
import type { World } from '../world.ts'
import { renewNext } from './renewal.ts'
import { analyseNext } from './upload-analysis.ts'

const LOOK_EVERY_MS = 1000
const CHILD = builtProgram('analyser-child')

/**
 * Analyses what is uploaded until stopped, several files at a time, each in a process of its own. What is under way at a
 * stop is taken up again at the next start.
 */
export async function startAnalysing(world: World): Promise<{ stop(): Promise<void> }> {
  const atOnce = world.config.analysers ?? Math.max(1, os.availableParallelism() - 1)
  if (!existsSync(CHILD)) throw new Error(`Analyser not built: ${CHILD} is missing`)
  // Tries are counted in the database, where they outlive this process.
  const analyser = startAnalyser({
    childPath: CHILD,
    size: atOnce,
    tries: 1,
  })
  let isStopping = false
  const turns = Array.from({ length: atOnce }, () =>
    repeat(LOOK_EVERY_MS, world.log, async () => {
      // What members sent goes first; files staff want heard again fill the pauses.
      while (!isStopping && ((await analyseNext(world, analyser)) || (await renewNext(world, analyser))));
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
