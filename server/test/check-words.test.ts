import { expect, test } from 'vitest'
// @ts-expect-error: plain JavaScript, which runs before anything is built.
import { findBannedWords } from '../../scripts/check-words.mjs'

type BannedWord = { line: number; found: string; instead: string }
const findIn = (file: string, content: string) =>
  (findBannedWords(file, content) as BannedWord[]).map(({ line, found }) => `${line}: ${found}`)

// Put together, so that this file passes the check itself.
const WISH = ['wi', 'sh'].join('')
const ANEW = ['an', 'ew'].join('')

test.each([
  ['an identifier', `const ${WISH} = 1`, `1: ${WISH}`],
  ['a part of an identifier in camel case', `load\nask${'Anew'}()`, `2: ask${'Anew'}`],
  ['a part of a constant', `const MOST_${WISH.toUpperCase()} = 1`, `1: MOST_${WISH.toUpperCase()}`],
  ['a phrase in a comment', `// Loads it ${ANEW}.`, `1: ${ANEW}`],
  ['a phrase in a text', `export const again = 'Load it ${ANEW}.'`, `1: ${ANEW}`],
  ['a type named by a generic word', `type ${'R'}ow = { id: number }`, `1: type ${'R'}ow`],
])('finds a banned word in %s', (_, code, expected) => {
  expect(findIn('web/src/site/Home.ts', code)).toEqual([expected])
})

test('says what to write instead', () => {
  expect(findBannedWords('a.ts', `const ${WISH} = 1`)[0].instead).toBe('params, input, filters, options')
})

test('accepts a longer word, an identifier word in prose, and a type named after what it describes', () => {
  const code = [
    `// A ${WISH}list is a list of songs we ${WISH} for.`,
    'type PlanRow = { id: number }',
    `const x = '${WISH}'`,
  ]
  expect(findIn('a.ts', code.join('\n'))).toEqual([])
})

test('checks documents for phrases only', () => {
  expect(findIn('docs/a.md', `Start ${ANEW}. Call \`${WISH}\`.`)).toEqual([`1: ${ANEW}`])
})

test('leaves identifiers of the back office, which is being rebuilt, but not its texts', () => {
  expect(findIn('web/src/staff/Desk.ts', `const ${WISH} = 'Load ${ANEW}.'`)).toEqual([`1: ${ANEW}`])
})
