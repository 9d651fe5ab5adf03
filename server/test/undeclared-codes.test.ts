import { type ErrorCode, endpoint, nothing } from '@dubplate/contract'
import Fastify from 'fastify'
import { expect, test } from 'vitest'
import { ApiError } from '../src/platform/api-error.ts'
import { reject } from '../src/platform/error-replies.ts'
import { callsFor, serveCalls } from '../src/platform/serve.ts'
import { SharedReplies } from '../src/platform/shared-replies.ts'
import { collectUndeclaredCodes } from './undeclared-codes.ts'

/** An endpoint that declares one error code, in an application that checks codes, and fails with the given one. */
async function failWith(code: ErrorCode) {
  const call = endpoint({
    path: 'test/fail.json',
    access: 'public',
    summary: 'Fails.',
    input: nothing,
    reply: nothing,
    errors: ['unknown_song'],
  })
  const undeclared = collectUndeclaredCodes()
  const app = Fastify()
  app.setErrorHandler((error, request, reply) => reject(error, request, reply))
  const failing = callsFor<undefined, { sql: undefined }>()(call, async () => {
    throw new ApiError(code, 'This failed.')
  })
  serveCalls(app, [failing], {
    ctx: { sql: undefined },
    findCaller: async () => undefined,
    authorize: () => {},
    isPublic: () => true,
    handle: (call, request) => call.handle({ sql: undefined }, request),
    shared: new SharedReplies(),
    edition: () => 1,
    onUndeclaredCode: undeclared.report,
  })
  const response = await app.inject({ method: 'POST', url: '/api/test/fail.json', payload: {} })
  await app.close()
  return { status: response.statusCode, code: response.json().code, check: undeclared.check }
}

test('returns a code that the endpoint declares, or that every endpoint may return', async () => {
  for (const code of ['unknown_song', 'invalid_request'] as const) {
    const reply = await failWith(code)
    expect(reply.code).toBe(code)
    expect(reply.check).not.toThrow()
  }
})

test('fails with 500 for a code that the endpoint does not declare, and again when the pool is closed', async () => {
  const reply = await failWith('unknown_genre')
  expect(reply).toMatchObject({ status: 500, code: 'internal_error' })
  expect(reply.check).toThrow('unknown_genre of test/fail.json')
})
