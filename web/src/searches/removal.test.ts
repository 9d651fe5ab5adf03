import { afterEach, beforeEach, expect, test, vi } from 'vitest'

// A browser's window, as far as it is needed here. A module that an earlier file of this process still loads may listen, too.
const page = new EventTarget()
vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
const { scheduleRemoval } = await import('./removal.ts')

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('what was taken away goes for good once nobody undid it for a while', () => {
  const onCommit = vi.fn(async () => undefined)
  const removal = scheduleRemoval(onCommit)
  vi.advanceTimersByTime(9_000)
  expect(onCommit).not.toHaveBeenCalled()
  vi.advanceTimersByTime(2_000)
  expect(onCommit).toHaveBeenCalledTimes(1)
  expect(removal.undo()).toBe(false)
})

test('what was undone stays', () => {
  const onCommit = vi.fn(async () => undefined)
  expect(scheduleRemoval(onCommit).undo()).toBe(true)
  vi.advanceTimersByTime(60_000)
  expect(onCommit).not.toHaveBeenCalled()
})

test('leaving the page ends the wait', () => {
  const [onCommit, undone] = [vi.fn(async () => undefined), vi.fn(async () => undefined)]
  scheduleRemoval(onCommit)
  scheduleRemoval(undone).undo()
  page.dispatchEvent(new Event('pagehide'))
  expect(onCommit).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(60_000)
  expect(onCommit).toHaveBeenCalledTimes(1)
  expect(undone).not.toHaveBeenCalled()
})
