import { expect, test } from 'vitest'
import { computeLevels, mirror, reorder } from './bidi.ts'

/** A line as it stands, from left to right. Letters of א to ת are read from the right. */
function shownCharacter(text: string): string {
  const characters = [...text]
  const levels = computeLevels(characters)
  const parts = characters.map((character, n) => ({ character, level: levels[n] ?? 0 }))
  return reorder(parts)
    .map(({ character, level }) => (level % 2 === 1 ? mirror(character) : character))
    .join('')
}

test('a line of one direction stands in it', () => {
  expect(shownCharacter('Night Shift, 12')).toBe('Night Shift, 12')
  expect(shownCharacter('אבג דהו')).toBe('והד גבא')
  expect(shownCharacter('')).toBe('')
})

test('words of the other direction stand in theirs', () => {
  expect(shownCharacter('DJ אבג דהו live')).toBe('DJ והד גבא live')
  expect(shownCharacter('אבג DJ Set דהו')).toBe('והד DJ Set גבא')
})

test('numbers are read from the left wherever they stand', () => {
  expect(shownCharacter('אבג 12/4, דהו 3')).toBe('3 והד ,12/4 גבא')
  expect(shownCharacter('12 אבג')).toBe('גבא 12')
  expect(shownCharacter('DJ אבג 12 live')).toBe('DJ 12 גבא live')
})

test('brackets turn with what they enclose', () => {
  expect(shownCharacter('אבג (דהו)')).toBe('(והד) גבא')
  expect(shownCharacter('אבג (DJ) 123')).toBe('123 (DJ) גבא')
  expect(shownCharacter('DJ (אבג) live')).toBe('DJ (גבא) live')
  expect(shownCharacter('DJ אבג (דהו) live')).toBe('DJ (והד) גבא live')
  expect(shownCharacter('(-: אבג')).toBe('גבא :-)')
  expect(shownCharacter(') DJ (')).toBe(') DJ (')
})
