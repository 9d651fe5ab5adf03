import { expect, test } from 'vitest'
import { computeLevels, mirror, reorder } from './bidi.ts'

/** Returns a line in display order, from left to right. The letters א to ת are read from the right. */
function displayOrder(text: string): string {
  const characters = [...text]
  const levels = computeLevels(characters)
  const parts = characters.map((character, n) => ({ character, level: levels[n] ?? 0 }))
  return reorder(parts)
    .map(({ character, level }) => (level % 2 === 1 ? mirror(character) : character))
    .join('')
}

test('keeps a line of one direction', () => {
  expect(displayOrder('Night Shift, 12')).toBe('Night Shift, 12')
  expect(displayOrder('אבג דהו')).toBe('והד גבא')
  expect(displayOrder('')).toBe('')
})

test('keeps words of the other direction in their own direction', () => {
  expect(displayOrder('DJ אבג דהו live')).toBe('DJ והד גבא live')
  expect(displayOrder('אבג DJ Set דהו')).toBe('והד DJ Set גבא')
})

test('reads numbers from the left everywhere', () => {
  expect(displayOrder('אבג 12/4, דהו 3')).toBe('3 והד ,12/4 גבא')
  expect(displayOrder('12 אבג')).toBe('גבא 12')
  expect(displayOrder('DJ אבג 12 live')).toBe('DJ 12 גבא live')
})

test('mirrors brackets with their content', () => {
  expect(displayOrder('אבג (דהו)')).toBe('(והד) גבא')
  expect(displayOrder('אבג (DJ) 123')).toBe('123 (DJ) גבא')
  expect(displayOrder('DJ (אבג) live')).toBe('DJ (גבא) live')
  expect(displayOrder('DJ אבג (דהו) live')).toBe('DJ (והד) גבא live')
  expect(displayOrder('(-: אבג')).toBe('גבא :-)')
  expect(displayOrder(') DJ (')).toBe(') DJ (')
})
