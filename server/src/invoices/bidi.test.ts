import { expect, test } from 'vitest'
import { levelsOf, mirror, reorder } from './bidi.ts'

/** A line as it stands, from left to right. Letters of א to ת are read from the right. */
function shown(text: string): string {
  const characters = [...text]
  const levels = levelsOf(characters)
  const parts = characters.map((character, n) => ({ character, level: levels[n] ?? 0 }))
  return reorder(parts)
    .map(({ character, level }) => (level % 2 === 1 ? mirror(character) : character))
    .join('')
}

test('a line of one direction stands in it', () => {
  expect(shown('Night Shift, 12')).toBe('Night Shift, 12')
  expect(shown('אבג דהו')).toBe('והד גבא')
  expect(shown('')).toBe('')
})

test('words of the other direction stand in theirs', () => {
  expect(shown('DJ אבג דהו live')).toBe('DJ והד גבא live')
  expect(shown('אבג DJ Set דהו')).toBe('והד DJ Set גבא')
})

test('numbers are read from the left wherever they stand', () => {
  expect(shown('אבג 12/4, דהו 3')).toBe('3 והד ,12/4 גבא')
  expect(shown('12 אבג')).toBe('גבא 12')
  expect(shown('DJ אבג 12 live')).toBe('DJ 12 גבא live')
})

test('brackets turn with what they enclose', () => {
  expect(shown('אבג (דהו)')).toBe('(והד) גבא')
  expect(shown('אבג (DJ) 123')).toBe('123 (DJ) גבא')
  expect(shown('DJ (אבג) live')).toBe('DJ (גבא) live')
  expect(shown('DJ אבג (דהו) live')).toBe('DJ (והד) גבא live')
  expect(shown('(-: אבג')).toBe('גבא :-)')
  expect(shown(') DJ (')).toBe(') DJ (')
})
