import { openings } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { NEW_OPENING, type OpeningEntry, wrongOpening } from './openingEntry.ts'

const good: OpeningEntry = { ...NEW_OPENING, title: 'Curator', markdown: 'Listen to everything.' }

test.each<[string, OpeningEntry]>([
  ['a whole one', good],
  ['one without a title', { ...good, title: ' ' }],
  ['one without a text', { ...good, markdown: '\n' }],
  ['one with a mail address', { ...good, apply_at: ' jobs@pool.example ' }],
  ['one with a web address', { ...good, apply_at: 'https://pool.example/jobs' }],
  ['one with neither', { ...good, apply_at: 'come by' }],
  ['one that runs', { ...good, apply_at: 'javascript:alert(1)' }],
])('reports the same error for %s as the API', (_, entry) => {
  const said = openings.saveOpening.input.safeParse(entry)
  const fields = said.success
    ? {}
    : Object.fromEntries(said.error.issues.map((issue) => [issue.path[0], issue.message]))
  expect(wrongOpening(entry)).toEqual(fields)
})
