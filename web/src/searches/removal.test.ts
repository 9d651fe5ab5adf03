import { afterEach, beforeEach, expect, test, vi } from 'vitest'

// The parts of `window` this test needs. A module that another file of this process still loads may listen too.
const page = new EventTarget()
vi.stubGlobal('addEventListener', page.addEventListener.bind(page))
const { scheduleRemoval } = await import('./removal.ts')

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('removes for good after the time to undo', () => {
  const onCommit = vi.fn(async () => undefined)
  const removal = scheduleRemoval(onCommit)
  vi.advanceTimersByTime(9_000)
  expect(onCommit).not.toHaveBeenCalled()
  vi.advanceTimersByTime(2_000)
  expect(onCommit).toHaveBeenCalledTimes(1)
  expect(removal.undo()).toBe(false)
})

test('keeps what was undone', () => {
  const onCommit = vi.fn(async () => undefined)
  expect(scheduleRemoval(onCommit).undo()).toBe(true)
  vi.advanceTimersByTime(60_000)
  expect(onCommit).not.toHaveBeenCalled()
})

test('removes at once when the page is left', () => {
  const [onCommit, undone] = [vi.fn(async () => undefined), vi.fn(async () => undefined)]
  scheduleRemoval(onCommit)
  scheduleRemoval(undone).undo()
  page.dispatchEvent(new Event('pagehide'))
  expect(onCommit).toHaveBeenCalledTimes(1)
  vi.advanceTimersByTime(60_000)
  expect(onCommit).toHaveBeenCalledTimes(1)
  expect(undone).not.toHaveBeenCalled()
})
