import { membership, type ReplyOf } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CLIENT, startIdentityProvider, type TestIdentityProvider } from '../../test/identity-provider.ts'
import { aMember } from '../../test/makers.ts'
import { ApiCallError, errorOf, openTestPool, type TestPool } from '../../test/pool.ts'

const publicUrl = 'http://pool.test:3000'
const CODE_COOKIE_NAME = 'dubplate_elsewhere_code'

let provider: TestIdentityProvider
let pool: TestPool
let clock = new Date()
beforeAll(async () => {
  provider = await startIdentityProvider(`${publicUrl}/sign-in/oidc/return`)
  pool = await openPool(provider.issuer)
})
afterAll(async () => {
  await pool.close()
  await provider.close()
})
beforeEach(() => {
  clock = new Date()
})

async function openPool(issuer: string): Promise<TestPool> {
  const { client_id: clientId, client_secret: clientSecret } = CLIENT
  const opened = await openTestPool({
    config: { publicUrl, oidc: { issuer, clientId, clientSecret, name: 'Night Shift' } },
  })
  opened.ctx.now = () => clock
  return opened
}

let places = 0
/** The cookies of the browsers that returned with a code, by code. */
const cookies = new Map<string, string>()

/** Simulates a browser that starts at the pool, signs in at the provider and returns with its cookie. */
async function startSignIn(of = pool) {
  const remoteAddress = `10.1.0.${++places}`
  const startResponse = await of.app.inject({ url: '/sign-in/oidc', remoteAddress })
  const cookie = String(startResponse.headers['set-cookie']).split(';')[0] ?? ''
  const comeBack = async (url: string, headers: Record<string, string> = { cookie }) => {
    const response = await of.app.inject({ url, headers, remoteAddress })
    expect(response.statusCode).toBe(303)
    const location = String(response.headers.location)
    const [binding] = [response.headers['set-cookie']].flat().filter((one) => one?.startsWith(`${CODE_COOKIE_NAME}=`))
    cookies.set(extractCode(location), binding ?? '')
    return location
  }
  return {
    startResponse,
    cookie,
    comeBack,
    location: String(startResponse.headers.location),
  }
}

const pathAndQuery = ({ pathname, search }: URL): string => `${pathname}${search}`

async function signInExternally(login: string, of = pool): Promise<string> {
  const { location, comeBack } = await startSignIn(of)
  return comeBack(pathAndQuery(await provider.createSignInUrl(location, login)))
}

const extractCode = (location: string): string => /^\/\?dialog=sign-in#elsewhere=([\w-]{43})$/.exec(location)?.[1] ?? ''
/** Exchanges the code that the browser returned with. */
async function exchangeCode(
  code: string,
  { of = pool, cookie = cookies.get(code)?.split(';')[0] ?? '' } = {},
): Promise<ReplyOf<typeof membership.signInElsewhere>> {
  const url = `/api/${membership.signInElsewhere.path}`
  const response = await of.app.inject({ method: 'POST', url, payload: { code }, headers: { cookie } })
  if (response.statusCode !== 200) throw new ApiCallError(response.statusCode, response.json())
  return response.json().data
}

test('someone new can apply, without a password and with the address the provider has confirmed', async () => {
  provider.accounts.ada = { email: 'Ada@Example.test', email_verified: true, nickname: 'DJ Ada' }
  const code = extractCode(await signInExternally('ada'))
  const error = await exchangeCode(code).catch((rejected) => rejected)
  if (!(error instanceof ApiCallError)) throw new Error('This was expected to be refused.')
  expect([error.status, error.reply.code]).toEqual([401, 'dj_application_missing'])
  expect(error.reply.data).toMatchObject({ token: expect.any(String) })
  const rows = await pool.ctx.sql`select email, dj_name, password_hash from customer where email = 'ada@example.test'`
  expect(rows).toEqual([{ email: 'ada@example.test', dj_name: 'DJ Ada', password_hash: '!' }])
  const passwordSignIn = pool.ask(membership.signIn, { email: 'ada@example.test', password: '!' })
  expect(await errorOf(passwordSignIn)).toMatchObject({ code: 'invalid_credentials' })
})

test('signs in a member with the confirmed address, and recognises them later under another address', async () => {
  const member = await aMember(pool.ctx)
  provider.accounts.bob = { email: member.email.toUpperCase(), email_verified: true }
  const first = await exchangeCode(extractCode(await signInExternally('bob')))
  expect(first.profile).toMatchObject({ customer_id: member.customer_id })
  provider.accounts.bob = { email: 'bob@elsewhere.test', email_verified: true }
  const again = await exchangeCode(extractCode(await signInExternally('bob')))
  expect(again.profile.customer_id).toBe(member.customer_id)
  expect((await pool.ask(membership.getProfile, {}, again.token)).profile.email).toBe(member.email)
})

test('an address the provider has not confirmed gives no access and creates nothing', async () => {
  const member = await aMember(pool.ctx)
  for (const [login, email_verified] of [
    ['eve', false],
    ['eva', undefined],
  ] as const) {
    provider.accounts[login] = { email: member.email, ...(email_verified === undefined ? {} : { email_verified }) }
    expect(await signInExternally(login)).toBe('/?dialog=sign-in#sign-in-error=email_not_verified')
  }
  provider.accounts.nobody = {}
  expect(await signInExternally('nobody')).toBe('/?dialog=sign-in#sign-in-error=email_not_verified')
  expect(await pool.ctx.sql`select 1 from external_identity where customer_id = ${member.customer_id}`).toHaveLength(0)
})

test('two tabs of someone new create one member', async () => {
  provider.accounts.twin = { email: 'twin@example.test', email_verified: true }
  const places = await Promise.all(['twin', 'twin', 'twin'].map((login) => signInExternally(login)))
  for (const place of places) expect(extractCode(place)).not.toBe('')
  expect(await pool.ctx.sql`select 1 from customer where email = 'twin@example.test'`).toHaveLength(1)
})

describe('an account that cannot sign in', () => {
  test.each([
    ['suspended', { status: 'suspended' }, 'account_suspended'],
    ['declined', { application: 'declined' }, 'dj_application_declined'],
  ] as const)('refuses a %s member here too', async (login, overrides, code) => {
    const member = await aMember(pool.ctx, overrides)
    provider.accounts[login] = { email: member.email, email_verified: true }
    expect(await errorOf(exchangeCode(extractCode(await signInExternally(login))))).toMatchObject({ status: 401, code })
  })

  test('also requires the second step of a member with two-factor authentication', async () => {
    const member = await aMember(pool.ctx)
    await pool.ctx.sql`
      insert into totp (customer_id, secret, confirmed_at) values (${member.customer_id}, 'x', now())`
    provider.accounts.two = { email: member.email, email_verified: true }
    expect(await errorOf(exchangeCode(extractCode(await signInExternally('two'))))).toMatchObject({
      code: 'two_factor_required',
    })
  })
})

test('the returned code can be used once, within a minute', async () => {
  const { email } = await aMember(pool.ctx)
  provider.accounts.once = { email, email_verified: true }
  const code = extractCode(await signInExternally('once'))
  expect((await exchangeCode(code)).token).toMatch(/^[\w-]{43}$/)
  expect(await errorOf(exchangeCode(code))).toMatchObject({ status: 410, code: 'link_expired' })
  const late = extractCode(await signInExternally('once'))
  const [link] = await pool.ctx.sql<{ seconds: number }[]>`
    select extract(epoch from expires_at - created_at)::int as seconds from mailed_link
    where purpose = 'sign_in_elsewhere' and used_at is null order by created_at desc limit 1`
  expect(link?.seconds).toBe(60)
  await pool.ctx.sql`update mailed_link set expires_at = now() where used_at is null`
  expect(await errorOf(exchangeCode(late))).toMatchObject({ code: 'link_expired' })
})

test('a code only works in the browser that returned with it, and other browsers cannot use it up', async () => {
  const [member, thief] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  provider.accounts.mine = { email: member.email, email_verified: true }
  provider.accounts.thief = { email: thief.email, email_verified: true }
  const mine = extractCode(await signInExternally('mine'))
  const thiefCode = extractCode(await signInExternally('thief'))
  for (const cookie of ['', cookies.get(mine)?.split(';')[0], `${CODE_COOKIE_NAME}=${thiefCode}`]) {
    const rejected = await errorOf(exchangeCode(thiefCode, { cookie }))
    expect(rejected).toMatchObject({ status: 410, code: 'link_expired' })
  }
  expect(cookies.get(thiefCode)).toMatch(
    /; Path=\/api\/customer\/sign-in-elsewhere\.json; Max-Age=60; HttpOnly; SameSite=Lax$/,
  )
  expect((await exchangeCode(thiefCode)).profile.customer_id).toBe(thief.customer_id)
})

test('a second identity with a member’s address does not get access to the account', async () => {
  const member = await aMember(pool.ctx)
  provider.accounts.owner = { email: member.email, email_verified: true }
  await exchangeCode(extractCode(await signInExternally('owner')))
  provider.accounts.second = { email: member.email, email_verified: true }
  expect(await signInExternally('second')).toBe('/?dialog=sign-in#sign-in-error=address_in_use')
  expect((await exchangeCode(extractCode(await signInExternally('owner')))).profile.customer_id).toBe(
    member.customer_id,
  )
})

test('of two identities with one address that sign in at the same time, only one becomes the member', async () => {
  const { customer_id, email } = await aMember(pool.ctx)
  provider.accounts.left = { email, email_verified: true }
  provider.accounts.right = { email, email_verified: true }
  const places = await Promise.all(['left', 'right'].map((login) => signInExternally(login)))
  expect(places.filter((place) => extractCode(place) !== '')).toHaveLength(1)
  expect(await pool.ctx.sql`select 1 from external_identity where customer_id = ${customer_id}`).toHaveLength(1)
})

describe('returning', () => {
  const NOT_FINISHED_URL = '/?dialog=sign-in#sign-in-error=not_finished'

  test('needs the browser that started, within ten minutes, and unchanged parameters', async () => {
    const { email } = await aMember(pool.ctx)
    provider.accounts.back = { email, email_verified: true }
    const one = await startSignIn()
    const another = await startSignIn()
    const returnUrl = await provider.createSignInUrl(one.location, 'back')
    expect(await one.comeBack(pathAndQuery(returnUrl), {})).toBe(NOT_FINISHED_URL)
    expect(await one.comeBack(pathAndQuery(returnUrl), { cookie: another.cookie })).toBe(NOT_FINISHED_URL)
    const changed = one.cookie.replace(/(?<==)./, (character) => (character === 'A' ? 'B' : 'A'))
    expect(await one.comeBack(pathAndQuery(returnUrl), { cookie: changed })).toBe(NOT_FINISHED_URL)
    const forged = new URL(returnUrl)
    forged.searchParams.set('state', 'another')
    expect(await one.comeBack(pathAndQuery(forged))).toBe(NOT_FINISHED_URL)
    clock = new Date(Date.now() + 10 * 60_000 + 1000)
    expect(await one.comeBack(pathAndQuery(returnUrl))).toBe(NOT_FINISHED_URL)
    clock = new Date()
    expect(extractCode(await one.comeBack(pathAndQuery(returnUrl)))).not.toBe('')
    expect(await one.comeBack(pathAndQuery(returnUrl))).toBe(NOT_FINISHED_URL)
  })

  test('explains when the provider refused the sign-in', async () => {
    const { location, comeBack } = await startSignIn()
    const state = new URL(location).searchParams.get('state') ?? ''
    const query = new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer })
    expect(await comeBack(`/sign-in/oidc/return?${query}`)).toBe('/?dialog=sign-in#sign-in-error=refused')
  })

  test('stores the pending sign-in in a cookie that no script and no other site can read', async () => {
    const { startResponse, location, cookie } = await startSignIn()
    expect(startResponse.headers['set-cookie']).toMatch(/; Path=\/sign-in\/oidc; Max-Age=600; HttpOnly; SameSite=Lax$/)
    expect(startResponse.headers['cache-control']).toBe('no-store')
    const asked = new URL(location).searchParams
    expect(asked.get('code_challenge_method')).toBe('S256')
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(asked.get(name)).toMatch(/^[\w-]{43}$/)
      expect(cookie).not.toContain(asked.get(name))
    }
  })
})

test('reports an unavailable provider, which does not prevent starting, and tries again', async () => {
  const unavailableProvider = await startIdentityProvider(`${publicUrl}/sign-in/oidc/return`)
  await unavailableProvider.close()
  const waiting = await openPool(unavailableProvider.issuer)
  const { location } = await startSignIn(waiting)
  expect(location).toBe('/?dialog=sign-in#sign-in-error=provider_unavailable')
  const recoveredProvider = await startIdentityProvider(`${publicUrl}/sign-in/oidc/return`, {
    port: Number(new URL(unavailableProvider.issuer).port),
  })
  expect((await startSignIn(waiting)).location).toContain(`${unavailableProvider.issuer}/auth?`)
  await recoveredProvider.close()
  await waiting.close()
})

test('fetches the user info when the provider only returns the identity there', async () => {
  const silentProvider = await startIdentityProvider(`${publicUrl}/sign-in/oidc/return`, { hasClaimsInToken: false })
  const other = await openPool(silentProvider.issuer)
  const { email } = await aMember(other.ctx)
  silentProvider.accounts.ann = { email, email_verified: true }
  const { location, comeBack } = await startSignIn(other)
  const code = extractCode(await comeBack(pathAndQuery(await silentProvider.createSignInUrl(location, 'ann'))))
  expect((await exchangeCode(code, { of: other })).profile.email).toBe(email)
  await other.close()
  await silentProvider.close()
})

test('does not exist without a provider', async () => {
  const plain = await openTestPool()
  const { statusCode, headers } = await plain.app.inject({ url: '/sign-in/oidc' })
  expect(statusCode === 404 || headers['content-type']?.toString().startsWith('text/html')).toBe(true)
  expect(headers.location).toBeUndefined()
  await plain.close()
})
