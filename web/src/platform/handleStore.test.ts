import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { testIndexedDb } from '../uploads/testIndexedDb.ts'
import { deleteHandle, deleteHandles, readHandles, saveHandle } from './handleStore.ts'

const DAY_MS = 24 * 3600 * 1000

const handle = { name: 'First (Clean).wav' } as FileSystemFileHandle
const first = { id: 'one', customerId: 7, handle, name: 'First (Clean).wav', bytes: 40, lastModified: 1_700_000_000 }

const idsOf = async (customerId: number) => (await readHandles(customerId)).map(({ id }) => id)

let database: ReturnType<typeof testIndexedDb>

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  database = testIndexedDb()
  vi.stubGlobal('indexedDB', database.factory)
})

afterEach(() => {
  expect(database.connections, 'connections left open').toBe(0)
  vi.useRealTimers()
})

test('reads the handle of a file with its name, size and date', async () => {
  await saveHandle(first)
  expect(await readHandles(7)).toEqual([{ ...first, storedAt: Date.now() }])
})

test('reads the handles of one member only', async () => {
  await saveHandle(first)
  await saveHandle({ ...first, id: 'two', customerId: 8 })
  expect(await idsOf(8)).toEqual(['two'])
})

test('deletes one handle, those of a member, and all', async () => {
  for (const [id, customerId] of [
    ['one', 7],
    ['two', 7],
    ['three', 8],
    ['four', 9],
  ] as const)
    await saveHandle({ ...first, id, customerId })
  await deleteHandle('one')
  expect(await idsOf(7)).toEqual(['two'])
  await deleteHandles(8)
  expect([...database.rows.keys()]).toEqual(['two', 'four'])
  await deleteHandles()
  expect([...database.rows.keys()]).toEqual([])
})

test('deletes handles after three days, also those of another member', async () => {
  await saveHandle(first)
  await saveHandle({ ...first, id: 'two', customerId: 8 })
  vi.setSystemTime(Date.now() + 3 * DAY_MS)
  await saveHandle({ ...first, id: 'three' })
  expect(await idsOf(7)).toEqual(['one', 'three'])
  vi.setSystemTime(Date.now() + 1)
  expect(await idsOf(7)).toEqual(['three'])
  expect([...database.rows.keys()]).toEqual(['three'])
})

test('stores nothing and does not throw without IndexedDB', async () => {
  vi.stubGlobal('indexedDB', undefined)
  await saveHandle(first)
  await deleteHandle('one')
  await deleteHandles()
  expect(await readHandles(7)).toEqual([])
})

test('stores nothing and does not throw when IndexedDB cannot be opened', async () => {
  vi.stubGlobal('indexedDB', {
    open: () => {
      const request: Record<string, unknown> = { error: new DOMException('Not in private windows.', 'UnknownError') }
      queueMicrotask(() => (request.onerror as () => void)())
      return request
    },
  })
  await saveHandle(first)
  expect(await readHandles(7)).toEqual([])
})

test('does not throw when the disk is full', async () => {
  database.isFull = true
  await saveHandle(first)
  expect(await readHandles(7)).toEqual([])
})
