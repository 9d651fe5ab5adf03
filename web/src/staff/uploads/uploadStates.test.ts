import { expect, test } from 'vitest'
import { decisionsOn, nearness, outcomeOf } from './uploadStates.ts'

test('offers decisions by state: a declined song can still be published, a published one cannot', () => {
  expect(decisionsOn('in_review')).toEqual(['publish', 'decline'])
  expect(decisionsOn('declined')).toEqual(['publish'])
  expect(decisionsOn('draft')).toEqual(['decline'])
  expect(decisionsOn('published')).toEqual([])
})

test('names one song, counts several, and says what was left out', () => {
  const songs = [{ title: 'Night Drive' }, { title: 'Low Tide' }]
  expect(outcomeOf('publish', songs.slice(0, 1), 0)).toBe('“Night Drive” published. We’ve emailed the uploader.')
  expect(outcomeOf('decline', songs, 1)).toMatch(/^2 songs declined\..* 1 song couldn’t be updated/)
  expect(outcomeOf('publish', [], 3)).toBe('')
})

test('calls only identical files the same file', () => {
  expect(nearness({ similarity: 1 })).toBeUndefined()
  expect(nearness({ similarity: 0.999 })).toBe(99)
})
