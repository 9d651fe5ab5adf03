import { expect, test } from 'vitest'
import type { DecodedPart } from './blendGraph.ts'
import { createPartCache } from './partCache.ts'

const aPart = (bytes: number) =>
  ({ samples: { length: bytes / 8, numberOfChannels: 2 }, from_seconds: 0 }) as unknown as DecodedPart

test('keeps the parts used last within its limit, and never fewer than two', async () => {
  const cache = createPartCache(1_000)
  let loads = 0
  const use = (key: string, bytes = 400) =>
    cache.get(key, async () => {
      loads++
      return aPart(bytes)
    })
  for (const key of ['a', 'b', 'a', 'c']) await use(key)
  expect([loads, cache.size()]).toEqual([3, 2])
  await use('a')
  expect(loads).toBe(3)
  await use('b')
  expect(loads).toBe(4)
  for (const key of ['long', 'longer']) await use(key, 2_000)
  expect(cache.size()).toBe(2)
})

test('loads a part once at a time, and again after it failed', async () => {
  const cache = createPartCache()
  const fail = () => cache.get('a', () => Promise.reject(new Error('offline')))
  await expect(Promise.allSettled([fail(), fail()])).resolves.toMatchObject([
    { status: 'rejected' },
    { status: 'rejected' },
  ])
  const part = aPart(8)
  expect(await cache.get('a', async () => part)).toBe(part)
})
