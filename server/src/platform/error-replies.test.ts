import { expect, onTestFinished, test } from 'vitest'
import { setReadOnlyMeaning } from './db.ts'
import { setRetryAfter, toApiError } from './error-replies.ts'
import { createLog } from './log.ts'

test.each([
  ['a full disk', { code: 'ENOSPC' }, 507, 'insufficient_storage', 60],
  ['a database with a full disk', { code: '53100' }, 507, 'insufficient_storage', 60],
  ['a database that is read-only because of its full disk', { code: '25006' }, 507, 'insufficient_storage', 60],
  ['a statement that ran into its time limit', { code: '57014' }, 503, 'service_unavailable', 2],
  ['a transaction that was idle for too long', { code: '25P03' }, 503, 'service_unavailable', 2],
  ['a database that refuses connections', { code: 'ECONNREFUSED' }, 503, 'service_unavailable', 2],
  ['PgBouncer without a server', { code: '08P01', severity_local: 'FATAL' }, 503, 'service_unavailable', 2],
])('%s gets a readable message and a Retry-After header', (_what, error, status, code, seconds) => {
  const apiError = toApiError(Object.assign(new Error('detail of the database'), error), createLog('silent'))
  const headers = new Map<string, string>()
  setRetryAfter(apiError, { header: (name, value) => headers.set(name, value) })
  expect([apiError.status, apiError.code]).toEqual([status, code])
  expect(headers.get('retry-after')).toBe(String(seconds))
  expect(apiError.message).toMatch(
    /^The server’s disk is full|^This took too long|^This site is temporarily unavailable/,
  )
  expect(apiError.message).not.toContain('detail')
})

test('a write that reaches a standby after a failover gets 503, because DATABASE_URL is not read-only for lack of space', () => {
  setReadOnlyMeaning('standby')
  onTestFinished(() => setReadOnlyMeaning('disk full'))
  const error = Object.assign(new Error('cannot execute INSERT in a read-only transaction'), { code: '25006' })
  expect(toApiError(error, createLog('silent'))).toMatchObject({ status: 503, code: 'service_unavailable' })
})

test('an invalid message to PostgreSQL is an error of the server, although PgBouncer uses its code too', () => {
  const error = Object.assign(new Error('bind message supplies 1 parameters'), {
    code: '08P01',
    severity: 'ERROR',
    severity_local: 'FEHLER',
  })
  expect(toApiError(error, createLog('silent'))).toMatchObject({ status: 500, code: 'internal_error' })
})
