import { expect, test, vi } from 'vitest'

vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('window', {})

const { strengthText } = await import('./strength.ts')

const LONG = 'correct horse'

test('a short password hears how long it has to be', () => {
  expect(strengthText('', undefined)).toBe('Use at least 10 characters')
  expect(strengthText('123456789', { score: 4, accepted: true, advice: '' })).toBe('Use at least 10 characters')
})

test('a long one hears the server’s advice, or how good it is where there is none', () => {
  expect(strengthText(LONG, { score: 1, accepted: false, advice: 'Add another word.' })).toBe('Add another word.')
  expect(strengthText(LONG, { score: 4, accepted: true, advice: '' })).toBe('Strong password')
})

test('nothing is said where the server could not be asked', () => {
  expect(strengthText(LONG, undefined)).toBe('')
})
