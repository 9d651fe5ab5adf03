import { beforeEach, expect, test } from 'vitest'
import { hiddenHere, hideHere, markTold } from './announcementMemory.ts'

beforeEach(() => {
  const kept = new Map<string, string>()
  globalThis.localStorage = {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  } as Storage
})

test('what a visitor has hidden stays hidden once they have signed in, until the server keeps it for them', () => {
  hideHere(5)
  expect(hiddenHere(false)).toEqual([5])
  expect(hiddenHere(true)).toEqual([5])
})

test('what the server keeps for a member it may show again; the visitor of this browser does not see it', () => {
  hideHere(5)
  markTold(5)
  expect(hiddenHere(true)).toEqual([])
  expect(hiddenHere(false)).toEqual([5])
})

test('hidden twice is kept once, and of hundreds the latest', () => {
  hideHere(1)
  hideHere(1)
  expect(hiddenHere(false)).toEqual([1])
  for (let id = 2; id <= 300; id++) hideHere(id)
  expect(hiddenHere(false)).toHaveLength(200)
  expect(hiddenHere(false)).toContain(300)
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
  hideHere(5)
  expect(hiddenHere(false)).toEqual([])
})
