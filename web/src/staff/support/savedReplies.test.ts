import { expect, test } from 'vitest'
import { findAnswers } from './savedReplies.ts'

const answers = [
  { title: 'A download broke off', words: 'Go to your history and resume it.' },
  { title: 'Résumé of a refund', words: 'The money is on its way.' },
  { title: 'Welcome', words: 'Hello {dj_name}' },
]
const found = (text: string) => findAnswers(answers, text).map(({ title }) => title)

test('requires every word, ignoring case and accents', () => {
  expect(found('RESUME')).toEqual(['Résumé of a refund', 'A download broke off'])
  expect(found('download history')).toEqual(['A download broke off'])
  expect(found('download money')).toEqual([])
  expect(found('  ')).toHaveLength(3)
})
