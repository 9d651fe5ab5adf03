import { expect, test, vi } from 'vitest'

const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('localStorage', storage)
vi.stubGlobal('sessionStorage', storage)
vi.stubGlobal('location', { hash: '', pathname: '/' })
vi.stubGlobal('navigator', { onLine: true })
const { ApiError } = await import('../platform/api.ts')
const { serverFieldErrors } = await import('./ticketForm.ts')

test('maps the server’s errors for a ticket to the fields of its form', () => {
  const rejected = new ApiError(404, {
    fields: {
      'HelpdeskTickets.department_id': 'Please select the department',
      'HelpdeskTickets.details': 'Description cannot be blank!',
    },
  })
  expect(serverFieldErrors(rejected)).toEqual({
    department_id: 'Please select the department',
    details: 'Description cannot be blank!',
  })
  expect(serverFieldErrors(new Error('away'))).toEqual({})
})
