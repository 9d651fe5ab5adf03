import { expect, test } from 'vitest'
import { movementOf } from './movement.ts'

test('reports a song at a better rank than before as up', () => {
  expect(movementOf(2, 5)).toEqual({ direction: 'up', sign: '▲3', words: 'up 3 places' })
})

test('reports a song at a worse rank as down', () => {
  expect(movementOf(5, 4)).toEqual({ direction: 'down', sign: '▼1', words: 'down 1 place' })
})

test('reports a song at the same rank as unchanged', () => {
  expect(movementOf(7, 7)).toMatchObject({ direction: 'same', sign: '–' })
})

test('reports a song that was not on the chart as new', () => {
  expect(movementOf(1, null)).toMatchObject({ direction: 'new', sign: 'NEW' })
})
