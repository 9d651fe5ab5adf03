import { joining } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { estimateStrength, estimatorLimiter, rejectWeakPassword } from './password-strength.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

test.each([
  'password123',
  'Password2024!',
  'P@ssw0rd1234',
  'qwertyuiop1',
  '1234567890',
  'aaaaaaaaaaaaaaaa',
  'l33t'.repeat(16),
])('refuses a common password in any disguise: %s', async (password) => {
  expect(await estimateStrength(password, [])).toMatchObject({
    accepted: false,
    advice: expect.stringMatching(/^[A-Z].*\.$/),
  })
})

test.each(['a good long password', 'purple-turntable-42', 'xkjw9fh2lq', 'Rød grød med fløde'])(
  'accepts a few words or a dozen random letters without advice: %s',
  async (password) => {
    expect(await estimateStrength(password, [])).toMatchObject({ accepted: true, advice: '' })
  },
)

test('nine characters are always too few', async () => {
  expect(await estimateStrength('xkjw9fh2l', [])).toMatchObject({
    accepted: false,
    advice: 'Use at least 10 characters.',
  })
})

test.each(['Selecta Okonkwo', 'okonkwo@pool.test', 'okonkwopool', 'okonkwo1990'])(
  'name and address add no strength to a password: %s',
  async (password) => {
    expect((await estimateStrength(password, ['Selecta Okonkwo', 'okonkwo@pool.test'])).accepted).toBe(false)
  },
)

test('a refusal names the field and gives advice', async () => {
  await expect(rejectWeakPassword('password123', [], 'password_hash')).rejects.toMatchObject({
    code: 'weak_password',
    fields: { password_hash: 'This is a commonly used password.' },
  })
})

test('returns the strength of a password as it is typed', async () => {
  const ask = (password: string) => pool.ask(joining.passwordStrength, { password, words: ['Kwame'] })
  expect(await ask('')).toMatchObject({ score: 0, accepted: false })
  expect(await ask('a good long password')).toEqual({ score: 4, accepted: true, advice: '' })
})

test('lets other work run between two estimates', async () => {
  await estimateStrength('a good long password', [])
  let turns = 0
  const turning = { on: true }
  const nextTurn = () => {
    turns++
    if (turning.on) setImmediate(nextTurn)
  }
  setImmediate(nextTurn)
  await Promise.all(Array.from({ length: 10 }, () => estimateStrength('a good long password', [])))
  turning.on = false
  expect(turns).toBeGreaterThanOrEqual(10)
})

test('refuses requests when too many are waiting, and allows thirty a minute per network', async () => {
  const ask = () =>
    pool.app.inject({
      method: 'POST',
      url: `/api/${joining.passwordStrength.path}`,
      payload: { password: 'short' },
      remoteAddress: '10.5.0.1',
    })
  let release = () => {}
  const held = new Promise<void>((done) => {
    release = done
  })
  const waitingRequests = Array.from({ length: 21 }, () => estimatorLimiter.pass(() => held))
  const rateLimited = await ask()
  expect([rateLimited.statusCode, rateLimited.json().code]).toEqual([503, 'service_unavailable'])
  release()
  await Promise.all(waitingRequests)
  for (let n = 1; n < 30; n++) expect((await ask()).statusCode).toBe(200)
  expect((await ask()).statusCode).toBe(429)
})
