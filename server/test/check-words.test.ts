import { expect, test } from 'vitest'
// @ts-expect-error: plain JavaScript, which runs before anything is built.
import { findBannedWords } from '../../scripts/check-words.mjs'

type BannedWord = { line: number; found: string; instead: string }
const findIn = (file: string, content: string) =>
  (findBannedWords(file, content) as BannedWord[]).map(({ line, found }) => `${line}: ${found}`)

// Put together, so that this file passes the check itself.
const BANNED_NAME = ['wi', 'sh'].join('')
const BANNED_PHRASE = ['an', 'ew'].join('')
const BANNED_PART = ['An', 'ew'].join('')

test.each([
  ['an identifier', `const ${BANNED_NAME} = 1`, `1: ${BANNED_NAME}`],
  ['a part of an identifier in camel case', `load\nask${BANNED_PART}()`, `2: ask${BANNED_PART}`],
  ['a part of a constant', `const MOST_${BANNED_NAME.toUpperCase()} = 1`, `1: MOST_${BANNED_NAME.toUpperCase()}`],
  ['a phrase in a comment', `// Loads it ${BANNED_PHRASE}.`, `1: ${BANNED_PHRASE}`],
  ['a phrase in a text', `export const again = 'Load it ${BANNED_PHRASE}.'`, `1: ${BANNED_PHRASE}`],
  ['a type named by a generic word', `type ${'R'}ow = { id: number }`, `1: type ${'R'}ow`],
])('finds a banned word in %s', (_, code, expected) => {
  expect(findIn('web/src/site/Home.ts', code)).toEqual([expected])
})

test('says what to write instead', () => {
  expect(findBannedWords('a.ts', `const ${BANNED_NAME} = 1`)[0].instead).toBe('params, input, filters, options')
})

test('accepts a longer word, an identifier word in prose, and a type named after what it describes', () => {
  const code = [
    `// A ${BANNED_NAME}list is a list of songs we ${BANNED_NAME} for.`,
    'type PlanRow = { id: number }',
    `const x = '${BANNED_NAME}'`,
  ]
  expect(findIn('a.ts', code.join('\n'))).toEqual([])
})

test('checks documents for phrases only', () => {
  expect(findIn('docs/a.md', `Start ${BANNED_PHRASE}. Call \`${BANNED_NAME}\`.`)).toEqual([`1: ${BANNED_PHRASE}`])
})
