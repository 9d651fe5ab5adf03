import type pg from 'pg'
import { foldDownloads, foldListens, forgetHours } from './catalogue/chart-rollups.ts'
import { refreshDueCharts } from './catalogue/chart-snapshots.ts'
import { rebuildAnchors } from './catalogue/lists.ts'
import { recountWords } from './catalogue/search-index.ts'
import { sweepBundles } from './downloads/bundles.ts'
import { findReturnedFiles } from './downloads/masters.ts'
import { sweepPlaylists } from './library/own-playlists.ts'
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
    refresh_charts: async () => void (await refreshDueCharts(sql, world.now())),
    forget_hours: async () => forgetHours(sql, world.now()),
    recount_words: async () => recountWords(sql),
    rebuild_anchors: async () => rebuildAnchors(sql),
    find_returned_files: async () => findReturnedFiles(world),
    sweep: async () => {
      await sweepSessions(sql)
      await sweepBundles(sql)
      await sweepPlaylists(sql)
    },
  }
  const crontab = [
    '* * * * * refresh_charts',
    '40 * * * * forget_hours',
    '*/5 * * * * find_returned_files',
    '10 3 * * * recount_words',
    '20 3 * * * rebuild_anchors',
    '30 3 * * * sweep',
  ].join('\n')
  const jobs = await startJobs({ pool, tasks, crontab, log })
  const fold = repeat(FOLD_EVERY_MS, log, async () => {
    while ((await foldDownloads(sql, FOLD_AT_ONCE)) === FOLD_AT_ONCE);
    while ((await foldListens(sql, FOLD_AT_ONCE)) === FOLD_AT_ONCE);
  })
  // A pool that was empty or away has its charts at once, not when the clock next asks.
  const first = refreshDueCharts(sql, world.now()).catch((error) => log.warn(error, 'The charts could not be counted.'))
  return {
    stop: async () => {
      await fold.stop()
      await first
      await jobs.stop()
    },
  }
}
