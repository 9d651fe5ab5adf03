import type { Runner } from 'graphile-worker'
import { expect, test, vi } from 'vitest'
import { startJobs } from './jobs.ts'
import { createLog } from './log.ts'

/** A graphile-worker runner that stops when the test says so. */
function aRunner() {
  let abort: (error: Error) => void = () => {}
  let finish = () => {}
  const promise = new Promise<void>((resolve, reject) => {
    finish = resolve
    abort = reject
  })
  const stop = vi.fn(async () => finish())
  return { runner: { promise, stop } as unknown as Runner, giveUp: abort, stop }
}

test('starts once the database is back if it was unavailable at first; any other error ends the start', async () => {
  const { runner, stop } = aRunner()
  const options = { pool: {} as never, tasks: {}, crontab: '', log: createLog('silent') }
  const start = vi
    .fn()
    .mockRejectedValueOnce(new Error('Connection terminated unexpectedly'))
    .mockResolvedValueOnce(runner)
  vi.useFakeTimers()
  const jobs = await startJobs(options, start)
  await vi.advanceTimersByTimeAsync(1000)
  vi.useRealTimers()
  expect(start).toHaveBeenCalledTimes(2)
  await jobs.stop()
  expect(stop).toHaveBeenCalledOnce()
  await expect(startJobs(options, vi.fn().mockRejectedValue(new Error('syntax error')))).rejects.toThrow('syntax error')
})

test('restarts a runner that gave up after a long outage, and a stop ends the current one', async () => {
  const [first, second] = [aRunner(), aRunner()]
  const start = vi
    .fn()
    .mockResolvedValueOnce(first.runner)
    .mockRejectedValueOnce(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }))
    .mockResolvedValueOnce(second.runner)
  vi.useFakeTimers()
  const jobs = await startJobs({ pool: {} as never, tasks: {}, crontab: '', log: createLog('silent') }, start)
  first.giveUp(new Error('Failed 300 times in a row to acquire job'))
  await vi.advanceTimersByTimeAsync(10_000)
  vi.useRealTimers()
  expect(start).toHaveBeenCalledTimes(3)
  await jobs.stop()
  expect(second.stop).toHaveBeenCalledOnce()
})
