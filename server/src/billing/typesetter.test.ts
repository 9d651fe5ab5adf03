import PDFDocument from 'pdfkit'
import { expect, test } from 'vitest'
import { isRightToLeft, makeTypesetter } from './typesetter.ts'

const style = { size: 10, weight: 'regular', colour: '#000000' } as const

/** Returns lines as they are displayed, from left to right: shaping reverses runs of right-to-left scripts. */
async function displayedLines(text: string, width = 500): Promise<string[]> {
  const lines = await makeTypesetter(new PDFDocument({ font: '' })).layOut(text, style, width)
  const display = (run: string) => (isRightToLeft(run) ? [...run].reverse().join('') : run)
  return lines.map(({ runs }) => runs.map((run) => display(run.text)).join(''))
}

test('puts words, numbers and brackets of both directions in display order', async () => {
  expect(await displayedLines('אבג DJ Set דהו')).toEqual(['והד DJ Set גבא'])
  expect(await displayedLines('אבג 12/4, דהו 3')).toEqual(['3 והד ,12/4 גבא'])
  expect(await displayedLines('محمد ١٢٣')).toEqual(['١٢٣ دمحم'])
  expect(await displayedLines('אבג (DJ) 123')).toEqual(['123 (DJ) גבא'])
  expect(await displayedLines('DJ אבג (דהו) live')).toEqual(['DJ (והד) גבא live'])
})

test('puts the ring of a Thai vowel below its tone mark', async () => {
  expect(await displayedLines('น\u0e49\u0e33 ก\u0e33')).toEqual(['น\u0e4d\u0e49\u0e32 ก\u0e33'])
})

test('wraps at spaces, and a word that is too long anywhere but within a character', async () => {
  expect(await displayedLines('Night Shift Records', 60)).toEqual(['Night Shift', 'Records'])
  expect(await displayedLines('e\u0323\u0302e\u0323\u0302', 7)).toEqual(['ệ', 'ệ'])
})
