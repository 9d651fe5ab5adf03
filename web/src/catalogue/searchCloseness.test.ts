import { expect, test } from 'vitest'
import { closenessTag, dividersOf, type ListedSong, newBadge } from './searchCloseness.ts'

const song = (entity_id: number, words: 'exact' | 'similar' | 'partial', tempo: 'same' | 'half' = 'same') =>
  ({ entity_id, found: { words, tempo } }) as ListedSong

test('puts a divider above the first song of each kind of similar match, and none above exact matches', () => {
  const songs = [song(1, 'exact'), song(2, 'exact'), song(3, 'exact', 'half'), song(4, 'similar'), song(5, 'similar')]
  expect([...dividersOf([...songs, song(6, 'partial')])]).toEqual([
    [3, 'Half or double tempo'],
    [4, 'Close matches'],
    [6, 'Partial matches'],
  ])
})

test('puts a divider at the top of a page that starts with similar matches', () => {
  expect([...dividersOf([song(25, 'similar'), song(26, 'similar')]).keys()]).toEqual([25])
})

test('shows no dividers and no tags in a list that is not a search result', () => {
  const plain = { entity_id: 1 } as ListedSong
  expect(dividersOf([plain]).size).toBe(0)
  expect(closenessTag(plain)).toBeUndefined()
})

test('tags only songs that are no exact match', () => {
  expect(
    [song(1, 'exact'), song(2, 'exact', 'half'), song(3, 'similar'), song(4, 'partial')].map(closenessTag),
  ).toEqual([undefined, undefined, 'Similar', 'Partial'])
})

test('marks exact matches added since the last visit as new', () => {
  const at = (created_at: string, searchReply: ListedSong) =>
    newBadge({ ...searchReply, created_at }, '2026-07-01T10:00:00.000Z')
  expect(at('2026-07-01T10:00:00.001Z', song(1, 'exact'))).toBe('New')
  expect(at('2026-07-01T10:00:00.000Z', song(1, 'exact'))).toBeUndefined()
  expect(at('2026-07-02T10:00:00.000Z', song(1, 'exact', 'half'))).toBeUndefined()
  expect(at('2026-07-02T10:00:00.000Z', song(1, 'similar'))).toBeUndefined()
  expect(newBadge({ ...song(1, 'exact'), created_at: '2026-07-02T10:00:00.000Z' }, undefined)).toBeUndefined()
})
