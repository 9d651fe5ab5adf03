import { joining } from '@dubplate/contract'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { aMember } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { recordStatements } from '../../test/statement-recorder.ts'
import { makeApp } from '../app.ts'

let pool: TestPool
let app: FastifyInstance
/** The statements of a request, in order, without their values. */
const statements: string[] = []

beforeAll(async () => {
  pool = await openTestPool({ config: { smtpUrl: 'smtp://mail.invalid' } })
  app = await makeApp({ ...pool.ctx, sql: recordStatements(pool.ctx.sql, statements) })
})
beforeEach(() => void statements.splice(0))
afterAll(async () => {
  await app.close()
  await pool.close()
})

let ip = 0
async function request(path: string, payload: object) {
  statements.splice(0)
  const remoteAddress = `10.0.0.${++ip}`
  const response = await app.inject({ method: 'POST', url: `/api/${path}`, payload, remoteAddress })
  const { date: _, 'x-ratelimit-reset': __, ...headers } = response.headers
  const body = response.body.replace(/"token":"[\w-]{43}"/, '"token":"…"')
  return { status: response.statusCode, headers, body, statements: [...statements] }
}

const password = 'a good long password'

describe.each([
  ['signing up', joining.signUp.path, (email: string) => ({ dj_name: 'DJ', email, password_hash: password })],
  ['asking for a new password', joining.forgetPassword.path, (email: string) => ({ email })],
])('%s', (_what, path, makePayload) => {
  test('responds the same, with the same statements, for every address', async () => {
    const { email } = await aMember(pool.ctx, { email: 'aa11@example.test', password })
    await aMember(pool.ctx, { email: 'cc33@example.test', status: 'suspended' })
    const unknown = await request(path, makePayload('bb22@example.test'))
    expect(unknown.status).toBe(200)
    expect(await request(path, makePayload(email))).toEqual(unknown)
    expect(await request(path, makePayload('cc33@example.test'))).toEqual(unknown)
    expect(unknown.statements.length).toBeGreaterThan(0)
    await pool.ctx.sql`delete from customer where email in ('aa11@example.test', 'cc33@example.test')`
  })

  test('does not look up accounts', async () => {
    const { statements } = await request(path, makePayload('aa11@example.test'))
    expect(statements.join('\n')).not.toMatch(/customer(?!_id)|outgoing_mail|mailed_link/)
  })
})

test('limits an IP address to ten requests a minute', async () => {
  for (const [path, payload] of [
    [joining.signUp.path, {}],
    [joining.forgetPassword.path, {}],
  ] as const) {
    const from = () => app.inject({ method: 'POST', url: `/api/${path}`, payload, remoteAddress: '10.7.7.7' })
    for (let n = 0; n < 10; n++) expect((await from()).statusCode).toBe(400)
    expect((await from()).statusCode).toBe(429)
  }
})
