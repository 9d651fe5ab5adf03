import { expect, test } from 'vitest'
import { findFollowed, followedAfter, listTarget } from './followedAfter.ts'

const house = { genre_id: 1, name: 'House' }
const drill = { genre_id: 2, name: 'Drill' }
const techno = { genre_id: 3, name: 'Techno' }
const mara = { kind: 'artist', name: 'Mara Voss' } as const
const label = { kind: 'label', name: 'Mara Voss' } as const
const genres = (...followed: (typeof house)[]) => ({ followed, followed_names: [], followed_lists: [] })

test('adds a followed genre among the others by name', () => {
  expect(followedAfter(genres(drill, techno), house, true)).toEqual(genres(drill, house, techno))
})

test('adds a genre followed twice only once', () => {
  expect(followedAfter(genres(drill, house), house, true)).toEqual(genres(drill, house))
})

test('leaves the others unchanged when one is unfollowed', () => {
  expect(followedAfter(genres(drill, house, techno), house, false)).toEqual(genres(drill, techno))
  expect(followedAfter(genres(drill), house, false)).toEqual(genres(drill))
})

test('tells an artist and a label of the same name apart, but not spellings of a name', () => {
  const both = followedAfter(followedAfter(genres(house), mara, true), label, true)
  expect(both).toEqual({ followed: [house], followed_names: [mara, label], followed_lists: [] })
  expect(followedAfter(both, { kind: 'artist', name: 'MÁRA VOSS' }, false).followed_names).toEqual([label])
  expect(findFollowed(both, { kind: 'label', name: 'mara voss' })).toBe(label)
  expect(findFollowed(genres(house), mara)).toBeUndefined()
})

test('tells charts apart by period, genre and section, and takes all top 20s as one', () => {
  const daily = listTarget('chart', { name: 'Daily chart' })
  const newest = listTarget('top20', { id: 4, name: 'Monthly top 20' })
  const followed = followedAfter(followedAfter(genres(), daily, true), newest, true)
  expect(followed.followed_lists).toEqual([daily, newest])
  for (const other of [{ chart_type: 'weekly' as const }, { id: 3 }, { song_section_id: 2 }])
    expect(findFollowed(followed, listTarget('chart', { name: 'Other', ...other }))).toBeUndefined()
  const older = listTarget('top20', { id: 3, name: 'Monthly top 20' })
  expect(followedAfter(followed, older, false).followed_lists).toEqual([daily])
})
