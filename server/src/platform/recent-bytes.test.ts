import { expect, test } from 'vitest'
import { RecentBytes } from './recent-bytes.ts'

const bytes = (length: number) => Buffer.alloc(length)

test('drops the least recently used bytes when there are too many', () => {
  const recent = new RecentBytes(10)
  recent.add('a', bytes(4))
  recent.add('b', bytes(4))
  expect(recent.find('a')).toHaveLength(4)
  recent.add('c', bytes(4))
  expect(['a', 'b', 'c'].map((key) => recent.find(key)?.length)).toEqual([4, undefined, 4])
})

test('replaces bytes of the same key, and keeps nothing larger than the limit', () => {
  const recent = new RecentBytes(10)
  for (let n = 0; n < 5; n++) recent.add('a', bytes(8))
  expect(recent.find('a')).toHaveLength(8)
  recent.add('b', bytes(11))
  expect([recent.find('a'), recent.find('b')]).toEqual([undefined, undefined])
  recent.add('a', bytes(10))
  expect(recent.find('a')).toHaveLength(10)
})
