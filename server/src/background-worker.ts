import type pg from 'pg'
import type { AppContext } from './app-context.ts'
import type { JobCall, WorkerLoop } from './module.ts'
import { jobs, modules } from './modules.ts'
import { releaseJobsOfKilledWorkers, STALE_SECONDS, startHeartbeat } from './platform/heartbeat.ts'
import { type Job, startJobs } from './platform/jobs.ts'
import { repeatEvery } from './platform/repeat-every.ts'

const RELEASE_INTERVAL_MS = 15_000

export type Worker = WorkerLoop & {
  /** Returns why this worker does not work; undefined while it does. */
  findProblem(): string | undefined
}

/** Runs all background work until stopped. */
export async function startWorker(ctx: AppContext, pool: pg.Pool): Promise<Worker> {
  const { sql, log } = ctx
  const loops: WorkerLoop[] = []
  for (const module of modules) for (const start of module.loops ?? []) loops.push(await start(ctx))
  const queue = await startJobs({ pool, tasks: makeTasks(ctx, pool), crontab: makeCrontab(), log })
  const heartbeat = await startHeartbeat(sql, log, queue.workerIds)
  const releaseLoop = repeatEvery(RELEASE_INTERVAL_MS, log, async () => {
    // After an outage of the database, no worker has a fresh heartbeat: the others get time to write theirs.
    if (heartbeat.steady_ms() < STALE_SECONDS * 1000) return
    const tasks = await releaseJobsOfKilledWorkers(sql)
    if (tasks.length > 0) log.warn({ tasks }, 'Released the jobs of a worker that was killed')
  })
  const stopping = new AbortController()
  const firstRuns = runAtStart(ctx, { payload: undefined, signal: stopping.signal, pool })
  const findProblem = () => {
    if (!queue.isRunning()) return 'The job queue has stopped. Restart the worker.'
    if (heartbeat.age_ms() < STALE_SECONDS * 1000) return undefined
    return 'The database has not responded for a minute.'
  }
  return {
    findProblem,
    stop: async () => {
      stopping.abort()
      await Promise.all(loops.map((loop) => loop.stop()))
      await firstRuns
      await releaseLoop.stop()
      await queue.stop()
      await heartbeat.stop()
    },
  }
}

const makeTasks = (ctx: AppContext, pool: pg.Pool): Record<string, Job> =>
  Object.fromEntries(
    jobs.map(({ task, run }): [string, Job] => [
      task,
      async (payload, { abortSignal }) => void (await run(ctx, { payload, signal: abortSignal, pool })),
    ]),
  )

const makeCrontab = (): string =>
  jobs.flatMap(({ task, schedule }) => (schedule ? [`${schedule.times} ${task}`] : [])).join('\n')

async function runAtStart(ctx: AppContext, call: JobCall): Promise<void> {
  const started = jobs.filter(({ schedule }) => schedule?.atStart)
  await Promise.all(
    started.map(async ({ task, run }) => {
      try {
        await run(ctx, call)
      } catch (error) {
        ctx.log.warn({ err: error, task }, 'Job failed at the start; it runs again at its next time')
      }
    }),
  )
}
