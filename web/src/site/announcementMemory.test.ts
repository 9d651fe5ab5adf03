import { beforeEach, expect, test } from 'vitest'
import { hideOnThisDevice, markReported, readHiddenIds } from './announcementMemory.ts'

beforeEach(() => {
  const stored = new Map<string, string>()
  globalThis.localStorage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
  } as Storage
})

test('keeps what a visitor dismissed hidden after the sign-in, until the server has stored it', () => {
  hideOnThisDevice(5)
  expect(readHiddenIds(false)).toEqual([5])
  expect(readHiddenIds(true)).toEqual([5])
})

test('lets the server show a member’s announcement again, and does not hide it from visitors', () => {
  hideOnThisDevice(5)
  markReported(5)
  expect(readHiddenIds(true)).toEqual([])
  expect(readHiddenIds(false)).toEqual([5])
})

test('stores an announcement dismissed twice once, and only the latest of hundreds', () => {
  hideOnThisDevice(1)
  hideOnThisDevice(1)
  expect(readHiddenIds(false)).toEqual([1])
  for (let id = 2; id <= 300; id++) hideOnThisDevice(id)
  expect(readHiddenIds(false)).toHaveLength(200)
  expect(readHiddenIds(false)).toContain(300)
})

test('hides nothing without storage, and does not fail', () => {
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
