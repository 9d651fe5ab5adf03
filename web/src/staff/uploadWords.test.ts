import { expect, test } from 'vitest'
import { decisionsOn, nearness, outcomeOf } from './uploadWords.ts'

test('a song is decided where its state lets it: what was refused can still be published, what is in the pool cannot', () => {
  expect(decisionsOn('in_review')).toEqual(['publish', 'refuse'])
  expect(decisionsOn('refused')).toEqual(['publish'])
  expect(decisionsOn('draft')).toEqual(['refuse'])
  expect(decisionsOn('published')).toEqual([])
})

test('what came of a decision names one song, counts several, and says what is left', () => {
  const songs = [{ title: 'Night Drive' }, { title: 'Low Tide' }]
  expect(outcomeOf('publish', songs.slice(0, 1), 0)).toBe('“Night Drive” published. We’ve emailed the uploader.')
  expect(outcomeOf('refuse', songs, 1)).toMatch(/^2 songs declined\..* 1 song couldn’t be updated/)
  expect(outcomeOf('publish', [], 3)).toBe('')
})

test('only the very same file is called the same file', () => {
  expect(nearness({ similarity: 1 })).toBe('identical file to')
  expect(nearness({ similarity: 0.999 })).toBe('same recording (99%) as')
})
