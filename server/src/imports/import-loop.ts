import os from 'node:os'
import { repeat } from '../platform/repeat.ts'
import { builtProgram } from '../platform/root.ts'
import type { World } from '../world.ts'
import { workOnNext } from './import-work.ts'

const LOOK_EVERY_MS = 1500
const CHILD = builtProgram('analyser-child')

/** Works on imports of the back office, one after another, until stopped; one under way is taken up again at the next start. */
export function startImporting(world: World): { stop(): Promise<void> } {
  const ending = new AbortController()
  const jobs = world.config.analysers ?? Math.max(1, os.availableParallelism() - 1)
  const turns = repeat(LOOK_EVERY_MS, world.log, async () => {
    while (!ending.signal.aborted && (await workOnNext(world, { jobs, childPath: CHILD, signal: ending.signal })));
  })
  return {
    stop: async () => {
      ending.abort()
      await turns.stop()
    },
  }
}
