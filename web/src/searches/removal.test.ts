import { afterEach, beforeEach, expect, test, vi } from 'vitest'

// A browser's window, as far as it is needed here.
const leaves: (() => void)[] = []
vi.stubGlobal('addEventListener', (_name: string, leave: () => void) => leaves.push(leave))
const { takeAway } = await import('./removal.ts')

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('what was taken away goes for good once nobody undid it for a while', () => {
  const gone = vi.fn(async () => undefined)
  const removal = takeAway(gone)
  vi.advanceTimersByTime(9_000)
  expect(gone).not.toHaveBeenCalled()
  vi.advanceTimersByTime(2_000)
  expect(gone).toHaveBeenCalledTimes(1)
  expect(removal.undo()).toBe(false)
})

test('what was undone stays', () => {
  const gone = vi.fn(async () => undefined)
  expect(takeAway(gone).undo()).toBe(true)
  vi.advanceTimersByTime(60_000)
  expect(gone).not.toHaveBeenCalled()
})

test('whoever leaves the page has meant it', () => {
  const [gone, undone] = [vi.fn(async () => undefined), vi.fn(async () => undefined)]
  takeAway(gone)
  takeAway(undone).undo()
  for (const leave of leaves) leave()
  vi.advanceTimersByTime(60_000)
  expect(gone).toHaveBeenCalledTimes(1)
  expect(undone).not.toHaveBeenCalled()
})
