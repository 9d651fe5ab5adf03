import { EventEmitter } from 'node:events'
import type { JobHelpers, Runner, TaskList, WorkerEvents } from 'graphile-worker'
import type pg from 'pg'
import { isDatabaseUnavailable } from './db.ts'
import type { Log } from './log.ts'
import { outages } from './outage.ts'

/** A task that runs outside a request. Must be safe to run twice and to be killed at any point. */
export type Job = (payload: unknown, helpers: JobHelpers) => Promise<void>

export type Jobs = {
  /** False while the queue is stopped, intentionally or until it can be restarted. */
  isRunning(): boolean
  /** The ids under which this process locks jobs. */
  workerIds(): readonly string[]
  stop(): Promise<void>
}

type JobOptions = {
  pool: pg.Pool
  tasks: Record<string, Job>
  /** Cron lines such as `0 4 * * * name`. */
  crontab: string
  log: Log
}

const INITIAL_RESTART_DELAY_MS = 1000
const MAX_RESTART_DELAY_MS = 30_000

/**
 * Runs queued jobs until stopped; a stop lets running jobs finish or returns them to the queue. graphile-worker gives
 * up after a long outage of the database: its runner is then restarted until it works, as it is if the database is
 * unavailable at the first start. Throws if the start fails for another reason.
 */
export async function startJobs(options: JobOptions, startRunner = startQueueRunner): Promise<Jobs> {
  const { events, workerIds } = trackWorkerIds()
  const ignoreUnavailable = (error: unknown) => (isDatabaseUnavailable(error) ? undefined : Promise.reject(error))
  let runner: Runner | undefined = await startRunner(options, events).catch(ignoreUnavailable)
  let isRunning = runner !== undefined
  let isStopping = false
  let wake = () => {}
  const pause = (ms: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, ms)
      wake = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  const restart = async () => {
    for (let wait_ms = INITIAL_RESTART_DELAY_MS; !isStopping; wait_ms = Math.min(wait_ms * 2, MAX_RESTART_DELAY_MS)) {
      await pause(wait_ms)
      if (isStopping) return
      try {
        runner = await startRunner(options, events)
        isRunning = true
        options.log.info('The job queue is running again.')
        return
      } catch (error) {
        if (isDatabaseUnavailable(error)) outages.database.failed(options.log, error)
        else options.log.error(error, 'The job queue could not be started; will retry.')
      }
    }
  }
  const superviseRunner = async () => {
    while (!isStopping) {
      await runner?.promise.catch((error: unknown) => options.log.error(error, 'Job queue stopped'))
      isRunning = false
      if (!isStopping) await restart()
    }
  }
  const ended = superviseRunner()
  // Its last statements run after it reports that it has stopped.
  const stop = async () => {
    isStopping = true
    wake()
    await runner?.stop().catch((error: unknown) => options.log.warn(error, 'The job queue did not stop cleanly.'))
    await ended
  }
  return { isRunning: () => isRunning, workerIds, stop }
}

/** Each slot of a runner locks jobs under an id of its own, which it announces with an event. */
function trackWorkerIds(): { events: WorkerEvents; workerIds(): readonly string[] } {
  const events: WorkerEvents = new EventEmitter()
  const ids = new Set<string>()
  events.on('worker:create', ({ worker }) => ids.add(worker.workerId))
  events.on('worker:stop', ({ worker }) => ids.delete(worker.workerId))
  return { events, workerIds: () => [...ids] }
}

async function startQueueRunner(options: JobOptions, events: WorkerEvents): Promise<Runner> {
  const { Logger, run } = await import('graphile-worker')
  const logger = new Logger(() => (level, message, details) => {
    const error = details?.error
    if (isDatabaseUnavailable(error)) outages.database.failed(options.log, error)
    else if (level === 'error') options.log.error({ message }, 'Job failed')
    else if (level === 'warning') options.log.warn({ message }, 'Job queue warning')
  })
  return run({
    pgPool: options.pool,
    events,
    taskList: options.tasks as TaskList,
    crontab: options.crontab,
    // A backup or a storage measurement may take hours: two slots remain for short jobs.
    concurrency: 3,
    noHandleSignals: true,
    logger,
  })
}
