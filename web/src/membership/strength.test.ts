import { expect, test, vi } from 'vitest'

vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('window', {})

const { strengthText } = await import('./strength.ts')

const LONG = 'correct horse'

test('says how long a password has to be when it is too short', () => {
  expect(strengthText('', undefined)).toBe('Use at least 10 characters')
  expect(strengthText('123456789', { score: 4, accepted: true, advice: '' })).toBe('Use at least 10 characters')
})

test('shows the server’s advice for a long one, or its strength when there is none', () => {
  expect(strengthText(LONG, { score: 1, accepted: false, advice: 'Add another word.' })).toBe('Add another word.')
  expect(strengthText(LONG, { score: 4, accepted: true, advice: '' })).toBe('Strong password')
})

test('shows nothing when the server could not be reached', () => {
  expect(strengthText(LONG, undefined)).toBe('')
})
