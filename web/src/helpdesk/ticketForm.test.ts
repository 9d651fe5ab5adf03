import { expect, test, vi } from 'vitest'

const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('localStorage', storage)
vi.stubGlobal('sessionStorage', storage)
vi.stubGlobal('location', { hash: '', pathname: '/' })
vi.stubGlobal('navigator', { onLine: true })
const { RefusalError } = await import('../platform/api.ts')
const { refusedOf } = await import('./ticketForm.ts')

test('what the server refuses of a ticket is found by the fields of its form', () => {
  const refused = new RefusalError(404, {
    fields: {
      'HelpdeskTickets.department_id': 'Please select the department',
      'HelpdeskTickets.details': 'Description cannot be blank!',
    },
  })
  expect(refusedOf(refused)).toEqual({
    department_id: 'Please select the department',
    details: 'Description cannot be blank!',
  })
  expect(refusedOf(new Error('away'))).toEqual({})
})
