import { expect, test } from 'vitest'
import { positionAfter } from './gridKeys.ts'

const press = (key: string, more: object = {}) => ({ key, ctrlKey: false, metaKey: false, shiftKey: false, ...more })
const size = { rows: 50, cols: 12 }

test.each([
  ['ArrowDown', {}, { row: 4, col: 5 }],
  ['ArrowUp', {}, { row: 2, col: 5 }],
  ['ArrowLeft', {}, { row: 3, col: 4 }],
  ['ArrowRight', { ctrlKey: true }, { row: 3, col: 11 }],
  ['Home', {}, { row: 3, col: 0 }],
  ['End', { ctrlKey: true }, { row: 49, col: 11 }],
  ['PageDown', {}, { row: 13, col: 5 }],
])('moves on %s as in a spreadsheet', (key, more, place) => {
  expect(positionAfter({ row: 3, col: 5 }, press(key, more), size)).toEqual(place)
})

test('stops at the edges and ignores other keys', () => {
  expect(positionAfter({ row: 0, col: 0 }, press('ArrowUp'), size)).toEqual({ row: 0, col: 0 })
  expect(positionAfter({ row: 49, col: 11 }, press('ArrowRight'), size)).toEqual({ row: 49, col: 11 })
  expect(positionAfter({ row: 0, col: 0 }, press('x'), size)).toBeUndefined()
})
