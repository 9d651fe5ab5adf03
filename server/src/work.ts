import type pg from 'pg'
import { foldDownloads, refreshTrending } from './catalogue/charts.ts'
import { rebuildAnchors } from './catalogue/lists.ts'
import { recountWords } from './catalogue/search-index.ts'
import { sweepBundles } from './downloads/bundles.ts'
import { findReturnedFiles } from './downloads/masters.ts'
import { sweepSessions } from './membership/sign-in.ts'
import { type Job, startJobs } from './platform/jobs.ts'
import { repeat } from './platform/repeat.ts'
import type { World } from './world.ts'

const FOLD_EVERY_MS = 3000
const FOLD_AT_ONCE = 5000

/** Everything that runs beside the requests, until stopped. */
export async function startWork(world: World, pool: pg.Pool): Promise<{ stop(): Promise<void> }> {
  const { sql, log } = world
  const tasks: Record<string, Job> = {
    refresh_trending: async () => refreshTrending(sql),
    recount_words: async () => recountWords(sql),
    rebuild_anchors: async () => rebuildAnchors(sql),
    find_returned_files: async () => findReturnedFiles(world),
    sweep: async () => {
      await sweepSessions(sql)
      await sweepBundles(sql)
    },
  }
  const crontab = [
    '*/10 * * * * refresh_trending',
    '*/5 * * * * find_returned_files',
    '10 3 * * * recount_words',
    '20 3 * * * rebuild_anchors',
    '30 3 * * * sweep',
  ].join('\n')
  const jobs = await startJobs({ pool, tasks, crontab, log })
  const fold = repeat(FOLD_EVERY_MS, log, async () => {
    while ((await foldDownloads(sql, FOLD_AT_ONCE)) === FOLD_AT_ONCE);
  })
  return {
    stop: async () => {
      await fold.stop()
      await jobs.stop()
    },
  }
}
