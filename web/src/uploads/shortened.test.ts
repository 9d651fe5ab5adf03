import { expect, test } from 'vitest'
import { truncate } from './truncate.ts'

const REASON =
  'The first eight bars of the intro have no beat to mix on. Please upload a version that starts with drums.'

test('a text that is hardly too long stays whole', () => {
  expect(truncate(REASON)).toBe(REASON)
})

test('a long text ends with a whole word, and none of what separates words', () => {
  expect(truncate(`${REASON} Then we listen to it again, as soon as we can.`)).toBe(
    'The first eight bars of the intro have no beat to mix on. Please upload a version that…',
  )
  expect(truncate(`${'Clean: it is silent. '.repeat(8)}`)).toMatch(/it is silent…$/)
})

test('a single word without end is cut where the row ends', () => {
  expect(truncate('x'.repeat(300))).toBe(`${'x'.repeat(90)}…`)
})
