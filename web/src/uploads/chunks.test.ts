import { expect, test } from 'vitest'
import { chunkBytes, halveChunk, isTooLargeForProxy, PROXY_LIMIT_MESSAGE } from './chunks.ts'

const MB = 1024 * 1024

test('halves the chunk size that a proxy rejects down to 128 kB, and keeps the size that worked for the next file', () => {
  expect(chunkBytes()).toBe(8 * MB)
  const triedSizes: number[] = []
  for (let size = halveChunk(chunkBytes()); size !== undefined; size = halveChunk(size)) triedSizes.push(size)
  expect(triedSizes).toEqual([4 * MB, 2 * MB, MB, MB / 2, MB / 4, MB / 8])
  expect(chunkBytes()).toBe(MB / 8)
  // Another file had started with larger chunks.
  expect(halveChunk(8 * MB)).toBe(MB / 8)
})

test('distinguishes the proxy’s 413 from the pool’s own, and names what the proxy must allow', () => {
  expect(isTooLargeForProxy(413, false)).toBe(true)
  expect(isTooLargeForProxy(413, true)).toBe(false)
  expect(isTooLargeForProxy(undefined, false)).toBe(false)
  expect(PROXY_LIMIT_MESSAGE).toContain('client_max_body_size 16m')
})
