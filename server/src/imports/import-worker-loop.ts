import os from 'node:os'
import type { AppContext } from '../app-context.ts'
import { builtProgram } from '../platform/project-root.ts'
import { repeatEvery } from '../platform/repeat-every.ts'
import { processNextRun } from './import-worker.ts'

const POLL_INTERVAL_MS = 1500
const CHILD = builtProgram('analyser-child')

/** Processes back office imports one after another until stopped. One in progress resumes at the next start. */
export function startImportLoop(ctx: AppContext): { stop(): Promise<void> } {
  const abortController = new AbortController()
  const jobs = ctx.config.analysers ?? Math.max(1, os.availableParallelism() - 1)
  const turns = repeatEvery(POLL_INTERVAL_MS, ctx.log, async () => {
    while (
      !abortController.signal.aborted &&
      (await processNextRun(ctx, { jobs, childPath: CHILD, signal: abortController.signal }))
    );
  })
  return {
    stop: async () => {
      abortController.abort()
      await turns.stop()
    },
  }
}
