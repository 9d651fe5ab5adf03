import { type JobHelpers, Logger, type Runner, run, type TaskList } from 'graphile-worker'
import type pg from 'pg'
import type { Log } from './log.ts'

/** A piece of work that outlives a request. Safe to run twice and to be killed at any point. */
export type Job = (payload: unknown, helpers: JobHelpers) => Promise<void>

export type Jobs = {
  /** False once the queue has stopped, on purpose or not. */
  isRunning(): boolean
  stop(): Promise<void>
}

/** Works through the queue until stopped; a stop lets running jobs finish or hands them back. */
export async function startJobs(options: {
  pool: pg.Pool
  tasks: Record<string, Job>
  /** Lines of cron: `0 4 * * * name`. */
  crontab: string
  log: Log
}): Promise<Jobs> {
  const logger = new Logger(() => (level, message) => {
    if (level === 'error') options.log.error({ message }, 'A job failed.')
    else if (level === 'warning') options.log.warn({ message }, 'The job queue warns.')
  })
  const runner: Runner = await run({
    pgPool: options.pool,
    taskList: options.tasks as TaskList,
    crontab: options.crontab,
    // A backup or a measuring may take hours: two are left for what is quick.
    concurrency: 3,
    noHandleSignals: true,
    logger,
  })
  let isRunning = true
  const ended = runner.promise
    .catch((error: unknown) => options.log.error(error, 'The job queue stopped.'))
    .finally(() => {
      isRunning = false
    })
  // Its last statements come after it says that it has stopped.
  const stop = async () => {
    await runner.stop()
    await ended
  }
  return { isRunning: () => isRunning, stop }
}
