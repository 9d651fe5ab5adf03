import { expect, test } from 'vitest'
import { movementOf } from './movement.ts'

test('a song that stands higher than before has gone up', () => {
  expect(movementOf(2, 5)).toEqual({ direction: 'up', sign: '▲3', words: 'up 3 places' })
})

test('a song that stands lower has gone down', () => {
  expect(movementOf(5, 4)).toEqual({ direction: 'down', sign: '▼1', words: 'down 1 place' })
})

test('a song in its old place has not moved', () => {
  expect(movementOf(7, 7)).toMatchObject({ direction: 'same', sign: '–' })
})

test('a song that was not on the chart is new', () => {
  expect(movementOf(1, null)).toMatchObject({ direction: 'new', sign: 'NEW' })
})
