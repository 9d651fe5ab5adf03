import { expect, test } from 'vitest'
import { placeOf } from './auditLinks.ts'

test('links the subject of an entry to its page, if it has one', () => {
  expect(placeOf('customer 7')).toBe('/staff/members/7')
  expect(placeOf('ticket 1001')).toBe('/staff/tickets/1001')
  for (const subject of ['merchandise', 'charge 3', 'page terms', 'constructor 1', 'customer seven']) {
    expect(placeOf(subject)).toBeUndefined()
  }
})
