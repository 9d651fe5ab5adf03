import { expect, test } from 'vitest'
import { closenessTag, dividersOf, type ListedSong, newBadge } from './searchCloseness.ts'

const song = (entity_id: number, words: 'exact' | 'similar' | 'partial', tempo: 'same' | 'half' = 'same') =>
  ({ entity_id, found: { words, tempo } }) as ListedSong

test('a line stands above the first song of each kind of find, and none above those found as typed', () => {
  const songs = [song(1, 'exact'), song(2, 'exact'), song(3, 'exact', 'half'), song(4, 'similar'), song(5, 'similar')]
  expect([...dividersOf([...songs, song(6, 'partial')])]).toEqual([
    [3, 'Half or double tempo'],
    [4, 'Close matches'],
    [6, 'Partial matches'],
  ])
})

test('a page that begins among the similar ones says so at its top', () => {
  expect([...dividersOf([song(25, 'similar'), song(26, 'similar')]).keys()]).toEqual([25])
})

test('a list that is no search has no lines and no tags', () => {
  const plain = { entity_id: 1 } as ListedSong
  expect(dividersOf([plain]).size).toBe(0)
  expect(closenessTag(plain)).toBeUndefined()
})

test('only what was not found as typed carries a tag', () => {
  expect(
    [song(1, 'exact'), song(2, 'exact', 'half'), song(3, 'similar'), song(4, 'partial')].map(closenessTag),
  ).toEqual([undefined, undefined, 'Similar', 'Partial'])
})

test('new is what came after the last look and was found as typed', () => {
  const at = (created_at: string, searchReply: ListedSong) =>
    newBadge({ ...searchReply, created_at }, '2026-07-01T10:00:00.000Z')
  expect(at('2026-07-01T10:00:00.001Z', song(1, 'exact'))).toBe('New')
  expect(at('2026-07-01T10:00:00.000Z', song(1, 'exact'))).toBeUndefined()
  expect(at('2026-07-02T10:00:00.000Z', song(1, 'exact', 'half'))).toBeUndefined()
  expect(at('2026-07-02T10:00:00.000Z', song(1, 'similar'))).toBeUndefined()
  expect(newBadge({ ...song(1, 'exact'), created_at: '2026-07-02T10:00:00.000Z' }, undefined)).toBeUndefined()
})
