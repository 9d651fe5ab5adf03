import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aMember, aSignUp } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { hashingLimiter } from './password.ts'
import { openSession, signOut, sweepSessions } from './session.ts'
import { signIn } from './sign-in.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

const password = 'a good long password'

describe('many sign-in attempts', () => {
  const addFailures = (email: string, ips: string[]) => pool.ctx.sql`
    insert into sign_in_attempt (email, ip) select ${email}, unnest(${ips}::inet[])`
  const ips = (net: string, count: number) => Array.from({ length: count }, (_, n) => `${net}.${n + 1}`)
  const from = (remoteAddress: string, email: string, submitted = password) =>
    pool.app.inject({
      method: 'POST',
      url: '/api/customer/sign-in.json',
      remoteAddress,
      payload: { email, password: submitted },
    })
  const countFailures = async (email: string) => {
    const [counted] = await pool.ctx.sql<{ n: number }[]>`
      select count(*)::int as n from sign_in_attempt where email = ${email}`
    return counted?.n
  }

  test('at the same time are limited like consecutive ones', async () => {
    const { email } = await aMember(pool.ctx, { password })
    const all = await Promise.allSettled(
      Array.from({ length: 13 }, () =>
        signIn(pool.ctx, { email, password: 'wrong' }, { ip: '10.2.0.1', userAgent: '' }),
      ),
    )
    const codes = all.map((one) => (one.status === 'rejected' ? one.reason.code : 'in'))
    expect(codes.filter((code) => code === 'invalid_credentials')).toHaveLength(10)
    expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(3)
  })

  test('a hundred failures over all accounts block an IP address', async () => {
    const { email } = await aMember(pool.ctx, { password })
    for (let n = 0; n < 100; n++) await addFailures(`a${n}@example.test`, ['10.3.0.1'])
    const blocked = await from('10.3.0.1', email)
    expect([blocked.statusCode, blocked.json().code]).toEqual([429, 'rate_limited'])
    const wait = Number(blocked.headers['retry-after'])
    expect(wait).toBeGreaterThan(14 * 60)
    expect(wait).toBeLessThanOrEqual(15 * 60)
    expect((await from('10.3.0.2', email)).statusCode).toBe(200)
  })

  test('after fifty from everywhere, only networks the member was signed in from before are accepted', async () => {
    const member = await aMember(pool.ctx, { password })
    const session = (ip: string, purpose: 'member' | 'applicant') =>
      openSession(pool.ctx.sql, member.customer_id, purpose, { ip, userAgent: '' })
    await session('10.5.0.1', 'member')
    await session('10.5.0.2', 'member')
    await session('10.5.0.3', 'applicant')
    await pool.ctx.sql`
      update session set created_at = now() - interval '91 days' where customer_id = ${member.customer_id} and ip = '10.5.0.2'`
    await addFailures(member.email, ips('10.4.0', 49))
    expect((await from('10.5.0.9', member.email, 'wrong')).statusCode).toBe(401)
    expect((await from('10.5.0.9', member.email)).statusCode).toBe(429)
    expect((await from('10.5.0.2', member.email)).statusCode).toBe(429)
    expect((await from('10.5.0.3', member.email)).statusCode).toBe(429)
    expect((await from('10.5.0.1', member.email)).statusCode).toBe(200)
  })

  test('a known network stays known after signing out and after the session expired', async () => {
    const member = await aMember(pool.ctx, { password })
    await openSession(pool.ctx.sql, member.customer_id, 'member', { ip: '10.6.0.1', userAgent: '' })
    const sessions = await pool.ctx.sql<{ session_id: number }[]>`
      select session_id from session where customer_id = ${member.customer_id}`
    for (const { session_id } of sessions) await signOut(pool.ctx.sql, session_id)
    await sweepSessions(pool.ctx.sql, 12)
    await addFailures(member.email, ips('10.4.1', 60))
    expect((await from('10.6.0.1', member.email)).statusCode).toBe(200)
  })

  test('all addresses of a household count as one, for blocking and as known', async () => {
    const member = await aMember(pool.ctx, { password })
    await openSession(pool.ctx.sql, member.customer_id, 'member', { ip: '2001:db8:6:1::77', userAgent: '' })
    for (let n = 1; n <= 10; n++) {
      expect((await from(`2001:db8:5:1::${n}`, member.email, 'wrong')).statusCode).toBe(401)
    }
    expect((await from('2001:db8:5:1:aa:bb:cc:dd', member.email)).statusCode).toBe(429)
    await addFailures(member.email, ips('10.4.2', 60))
    expect((await from('2001:db8:5:2::1', member.email)).statusCode).toBe(429)
    expect((await from('2001:db8:6:1:aa:bb:cc:dd', member.email)).statusCode).toBe(200)
  })

  test('an IPv4 address written as IPv6 is the same address', async () => {
    const { email } = await aMember(pool.ctx, { password })
    await addFailures(
      email,
      Array.from({ length: 10 }, () => '10.7.0.3'),
    )
    expect((await from('::ffff:10.7.0.3', email)).statusCode).toBe(429)
    const { statusCode } = await from('::ffff:10.7.0.4', email)
    expect(statusCode).toBe(200)
    const sessions = await pool.ctx.sql`
      select host(ip) as ip from session join customer using (customer_id) where email = ${email} order by session_id desc`
    expect(sessions[0]).toEqual({ ip: '10.7.0.4' })
  })

  test('failures are deleted after 15 minutes, and after the right password from there', async () => {
    const { email } = await aMember(pool.ctx, { password })
    await addFailures(
      email,
      Array.from({ length: 10 }, () => '10.7.0.1'),
    )
    expect((await from('10.7.0.1', email)).statusCode).toBe(429)
    await pool.ctx.sql`update sign_in_attempt set at = at - interval '16 minutes' where email = ${email}`
    expect((await from('10.7.0.1', email)).statusCode).toBe(200)
    expect(await countFailures(email)).toBe(0)
  })

  test('too many simultaneous sign-ins are refused temporarily and do not count as failures', async () => {
    const { email } = await aMember(pool.ctx, { password })
    let release = () => {}
    const held = new Promise<void>((done) => {
      release = done
    })
    const waitingRequests = Array.from({ length: 300 }, () => hashingLimiter.pass(() => held).catch(() => {}))
    const response = await from('10.8.0.1', email)
    release()
    await Promise.all(waitingRequests)
    expect([response.statusCode, response.json().code]).toEqual([503, 'service_unavailable'])
    expect(response.headers['retry-after']).toBe('2')
    expect(await countFailures(email)).toBe(0)
    expect((await from('10.8.0.1', email)).statusCode).toBe(200)
  })

  test('signing up with a member’s address does not reset the count of wrong passwords', async () => {
    const { email } = await aMember(pool.ctx, { password: 'what the owner chose' })
    await aSignUp(pool.ctx, { email, password })
    await addFailures(
      email,
      Array.from({ length: 9 }, () => '10.7.0.2'),
    )
    expect((await from('10.7.0.2', email)).json().code).toBe('dj_application_missing')
    expect((await from('10.7.0.2', email, 'wrong')).json().code).toBe('invalid_credentials')
    expect((await from('10.7.0.2', email)).statusCode).toBe(429)
  })
})
