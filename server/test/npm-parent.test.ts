import { expect, onTestFinished, test, vi } from 'vitest'
// @ts-expect-error: plain JavaScript, which runs before anything is built.
import { watchNpm } from '../../scripts/parent.mjs'

/** Watches a parent that is replaced by another one after a minute; returns how often that was noticed. */
function watchParent(env: Record<string, string>): number {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  let current = 4711
  const onGone = vi.fn()
  watchNpm(onGone, { env, readParent: () => current })
  vi.advanceTimersByTime(60_000)
  expect(onGone).not.toHaveBeenCalled()
  current = 1
  vi.advanceTimersByTime(60_000)
  return onGone.mock.calls.length
}

test('notices once that npm is gone', () => {
  expect(watchParent({ npm_lifecycle_event: 'start' })).toBe(1)
})

test('ignores a new parent when the process was not started by npm', () => {
  expect(watchParent({})).toBe(0)
})
