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
])('a password that is tried first is not taken, however it is dressed: %s', async (password) => {
  expect(await estimateStrength(password, [])).toMatchObject({
    accepted: false,
    advice: expect.stringMatching(/^[A-Z].*\.$/),
  })
})

test.each(['a good long password', 'purple-turntable-42', 'xkjw9fh2lq', 'Rød grød med fløde'])(
  'a few words or a dozen random letters are taken, without advice: %s',
  async (password) => {
    expect(await estimateStrength(password, [])).toMatchObject({ accepted: true, advice: '' })
  },
)

test('nine characters are too few, whatever they are', async () => {
  expect(await estimateStrength('xkjw9fh2l', [])).toMatchObject({
    accepted: false,
    advice: 'Use at least 10 characters.',
  })
})

test.each(['Selecta Okonkwo', 'okonkwo@pool.test', 'okonkwopool', 'okonkwo1990'])(
  'the name and the address are worth nothing in a password: %s',
  async (password) => {
    expect((await estimateStrength(password, ['Selecta Okonkwo', 'okonkwo@pool.test'])).accepted).toBe(false)
  },
)

test('a refusal says at which field, and what would help', async () => {
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

test('while passwords are looked at everything else has its turn between two of them', async () => {
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

test('who asks when too many wait is told to come back, and one place asks thirty times a minute', async () => {
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
