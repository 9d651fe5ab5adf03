import { beforeEach, expect, test } from 'vitest'
import { hideOnThisDevice, markReported, readHiddenIds } from './announcementMemory.ts'

beforeEach(() => {
  const storedTerms = new Map<string, string>()
  globalThis.localStorage = {
    getItem: (key: string) => storedTerms.get(key) ?? null,
    setItem: (key: string, value: string) => void storedTerms.set(key, value),
  } as Storage
})

test('what a visitor has hidden stays hidden once they have signed in, until the server keeps it for them', () => {
  hideOnThisDevice(5)
  expect(readHiddenIds(false)).toEqual([5])
  expect(readHiddenIds(true)).toEqual([5])
})

test('what the server keeps for a member it may show again; the visitor of this browser does not see it', () => {
  hideOnThisDevice(5)
  markReported(5)
  expect(readHiddenIds(true)).toEqual([])
  expect(readHiddenIds(false)).toEqual([5])
})

test('hidden twice is kept once, and of hundreds the latest', () => {
  hideOnThisDevice(1)
  hideOnThisDevice(1)
  expect(readHiddenIds(false)).toEqual([1])
  for (let id = 2; id <= 300; id++) hideOnThisDevice(id)
  expect(readHiddenIds(false)).toHaveLength(200)
  expect(readHiddenIds(false)).toContain(300)
})

test('without storage nothing is hidden, and nothing breaks', () => {
  globalThis.localStorage = {
    getItem: () => {
      throw new Error('refused')
    },
    setItem: () => {
      throw new Error('refused')
    },
  } as unknown as Storage
  hideOnThisDevice(5)
  expect(readHiddenIds(false)).toEqual([])
})
