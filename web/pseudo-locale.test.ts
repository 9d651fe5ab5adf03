import { expect, test } from 'vitest'
import { pseudoText } from './pseudo-locale.ts'
import { format } from './src/format/message.ts'

test('accents and lengthens words, and leaves values unchanged', () => {
  expect(pseudoText('Save')).toBe('[Şȧṽḗ ··]')
  expect(pseudoText('Added to {title}')).toBe('[Ȧḓḓḗḓ ŧǿ {title} ····]')
})

test('leaves plural forms and tags working', () => {
  const text = pseudoText('{count, plural, one {# song} other {# songs}} in {place}')
  expect(format<string>(text, { count: 2, place: 'Crate' })).toBe('[2 şǿƞɠş īƞ Crate ······]')
  expect(pseudoText('Sent to <b>{email}</b>')).toBe('[Şḗƞŧ ŧǿ <b>{email}</b> ···]')
})
