import { membership, type ReplyOf } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { CLIENT, startIdentityProvider, type TestIdentityProvider } from '../../test/identity-provider.ts'
import { aMember } from '../../test/makers.ts'
import { openTestPool, RefusedError, refusalOf, type TestPool } from '../../test/pool.ts'

const publicUrl = 'http://pool.test:3000'
const BINDING = 'dubplate_elsewhere_code'

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
  opened.world.now = () => clock
  return opened
}

let places = 0
/** What the browser that came back with a code keeps beside it. */
const kept = new Map<string, string>()

/** A browser at the pool: it begins, signs in elsewhere, and comes back with its cookie. */
async function begin(of = pool) {
  const remoteAddress = `10.1.0.${++places}`
  const began = await of.app.inject({ url: '/sign-in/oidc', remoteAddress })
  const cookie = String(began.headers['set-cookie']).split(';')[0] ?? ''
  const comeBack = async (url: string, headers: Record<string, string> = { cookie }) => {
    const returned = await of.app.inject({ url, headers, remoteAddress })
    expect(returned.statusCode).toBe(303)
    const location = String(returned.headers.location)
    const [binding] = [returned.headers['set-cookie']].flat().filter((one) => one?.startsWith(`${BINDING}=`))
    kept.set(codeIn(location), binding ?? '')
    return location
  }
  return { began, cookie, comeBack, location: String(began.headers.location) }
}

const pathOf = ({ pathname, search }: URL): string => `${pathname}${search}`

async function signInElsewhere(login: string, of = pool): Promise<string> {
  const { location, comeBack } = await begin(of)
  return comeBack(pathOf(await provider.signInAt(location, login)))
}

const codeIn = (location: string): string => /^\/\?dialog=sign-in#elsewhere=([\w-]{43})$/.exec(location)?.[1] ?? ''
/** What a browser does with the code it came back with. */
async function change(
  code: string,
  { of = pool, cookie = kept.get(code)?.split(';')[0] ?? '' } = {},
): Promise<ReplyOf<typeof membership.signInElsewhere>> {
  const url = `/api/${membership.signInElsewhere.path}`
  const response = await of.app.inject({ method: 'POST', url, payload: { code }, headers: { cookie } })
  if (response.statusCode !== 200) throw new RefusedError(response.statusCode, response.json())
  return response.json().data
}

test('somebody new is let in to apply: without a password, with the address the provider has confirmed', async () => {
  provider.accounts.ada = { email: 'Ada@Example.test', email_verified: true, nickname: 'DJ Ada' }
  const code = codeIn(await signInElsewhere('ada'))
  const error = await change(code).catch((refused) => refused)
  if (!(error instanceof RefusedError)) throw new Error('This was expected to be refused.')
  expect([error.status, error.reply.code]).toEqual([401, 'dj_application_missing'])
  expect(error.reply.data).toMatchObject({ token: expect.any(String) })
  const rows = await pool.world.sql`select email, dj_name, password_hash from customer where email = 'ada@example.test'`
  expect(rows).toEqual([{ email: 'ada@example.test', dj_name: 'DJ Ada', password_hash: '!' }])
  const wrong = pool.ask(membership.signIn, { email: 'ada@example.test', password: '!' })
  expect(await refusalOf(wrong)).toMatchObject({ code: 'invalid_credentials' })
})

test('a member with the confirmed address is signed in, and known from then on whatever the address becomes', async () => {
  const member = await aMember(pool.world)
  provider.accounts.bob = { email: member.email.toUpperCase(), email_verified: true }
  const first = await change(codeIn(await signInElsewhere('bob')))
  expect(first.profile).toMatchObject({ customer_id: member.customer_id })
  provider.accounts.bob = { email: 'bob@elsewhere.test', email_verified: true }
  const again = await change(codeIn(await signInElsewhere('bob')))
  expect(again.profile.customer_id).toBe(member.customer_id)
  expect((await pool.ask(membership.getProfile, {}, again.token)).profile.email).toBe(member.email)
})

test('an address the provider has not confirmed opens nothing and makes nothing', async () => {
  const member = await aMember(pool.world)
  for (const [login, email_verified] of [
    ['eve', false],
    ['eva', undefined],
  ] as const) {
    provider.accounts[login] = { email: member.email, ...(email_verified === undefined ? {} : { email_verified }) }
    expect(await signInElsewhere(login)).toBe('/?dialog=sign-in#elsewhere-trouble=email_not_verified')
  }
  provider.accounts.nobody = {}
  expect(await signInElsewhere('nobody')).toBe('/?dialog=sign-in#elsewhere-trouble=email_not_verified')
  expect(await pool.world.sql`select 1 from outside_identity where customer_id = ${member.customer_id}`).toHaveLength(0)
})

test('two tabs of somebody new make one member', async () => {
  provider.accounts.twin = { email: 'twin@example.test', email_verified: true }
  const places = await Promise.all(['twin', 'twin', 'twin'].map((login) => signInElsewhere(login)))
  for (const place of places) expect(codeIn(place)).not.toBe('')
  expect(await pool.world.sql`select 1 from customer where email = 'twin@example.test'`).toHaveLength(1)
})

describe('what the account needs', () => {
  test.each([
    ['suspended', { status: 'suspended' }, 'account_suspended'],
    ['declined', { application: 'declined' }, 'dj_application_declined'],
  ] as const)('a member who is %s stays out here as well', async (login, wish, code) => {
    const member = await aMember(pool.world, wish)
    provider.accounts[login] = { email: member.email, email_verified: true }
    expect(await refusalOf(change(codeIn(await signInElsewhere(login))))).toMatchObject({ status: 401, code })
  })

  test('a member with two steps takes the second one here as well', async () => {
    const member = await aMember(pool.world)
    await pool.world.sql`
      insert into totp (customer_id, secret, confirmed_at) values (${member.customer_id}, 'x', now())`
    provider.accounts.two = { email: member.email, email_verified: true }
    expect(await refusalOf(change(codeIn(await signInElsewhere('two'))))).toMatchObject({ code: 'two_factor_required' })
  })
})

test('the code that comes back is good once, for a minute', async () => {
  const { email } = await aMember(pool.world)
  provider.accounts.once = { email, email_verified: true }
  const code = codeIn(await signInElsewhere('once'))
  expect((await change(code)).token).toMatch(/^[\w-]{43}$/)
  expect(await refusalOf(change(code))).toMatchObject({ status: 410, code: 'link_expired' })
  const late = codeIn(await signInElsewhere('once'))
  const [link] = await pool.world.sql<{ seconds: number }[]>`
    select extract(epoch from expires_at - created_at)::int as seconds from mailed_link
    where purpose = 'sign_in_elsewhere' and used_at is null order by created_at desc limit 1`
  expect(link?.seconds).toBe(60)
  await pool.world.sql`update mailed_link set expires_at = now() where used_at is null`
  expect(await refusalOf(change(late))).toMatchObject({ code: 'link_expired' })
})

test('a code is good in the browser that came back with it alone, and used up in no other', async () => {
  const [member, thief] = [await aMember(pool.world), await aMember(pool.world)]
  provider.accounts.mine = { email: member.email, email_verified: true }
  provider.accounts.thief = { email: thief.email, email_verified: true }
  const mine = codeIn(await signInElsewhere('mine'))
  const theirs = codeIn(await signInElsewhere('thief'))
  for (const cookie of ['', kept.get(mine)?.split(';')[0], `${BINDING}=${theirs}`]) {
    const refused = await refusalOf(change(theirs, { cookie }))
    expect(refused).toMatchObject({ status: 410, code: 'link_expired' })
  }
  expect(kept.get(theirs)).toMatch(
    /; Path=\/api\/customer\/sign-in-elsewhere\.json; Max-Age=60; HttpOnly; SameSite=Lax$/,
  )
  expect((await change(theirs)).profile.customer_id).toBe(thief.customer_id)
})

test('who is written into the provider with a member’s address is not let in beside the member', async () => {
  const member = await aMember(pool.world)
  provider.accounts.owner = { email: member.email, email_verified: true }
  await change(codeIn(await signInElsewhere('owner')))
  provider.accounts.second = { email: member.email, email_verified: true }
  expect(await signInElsewhere('second')).toBe('/?dialog=sign-in#elsewhere-trouble=address_in_use')
  expect((await change(codeIn(await signInElsewhere('owner')))).profile.customer_id).toBe(member.customer_id)
})

test('of two at the provider with one address who come at once, one becomes the member', async () => {
  const { customer_id, email } = await aMember(pool.world)
  provider.accounts.left = { email, email_verified: true }
  provider.accounts.right = { email, email_verified: true }
  const places = await Promise.all(['left', 'right'].map((login) => signInElsewhere(login)))
  expect(places.filter((place) => codeIn(place) !== '')).toHaveLength(1)
  expect(await pool.world.sql`select 1 from outside_identity where customer_id = ${customer_id}`).toHaveLength(1)
})

describe('coming back', () => {
  const NOT_FINISHED = '/?dialog=sign-in#elsewhere-trouble=not_finished'

  test('needs the browser that began, within ten minutes, and nothing changed', async () => {
    const { email } = await aMember(pool.world)
    provider.accounts.back = { email, email_verified: true }
    const one = await begin()
    const another = await begin()
    const returned = await provider.signInAt(one.location, 'back')
    expect(await one.comeBack(pathOf(returned), {})).toBe(NOT_FINISHED)
    expect(await one.comeBack(pathOf(returned), { cookie: another.cookie })).toBe(NOT_FINISHED)
    const changed = one.cookie.replace(/(?<==)./, (letter) => (letter === 'A' ? 'B' : 'A'))
    expect(await one.comeBack(pathOf(returned), { cookie: changed })).toBe(NOT_FINISHED)
    const forged = new URL(returned)
    forged.searchParams.set('state', 'another')
    expect(await one.comeBack(pathOf(forged))).toBe(NOT_FINISHED)
    clock = new Date(Date.now() + 10 * 60_000 + 1000)
    expect(await one.comeBack(pathOf(returned))).toBe(NOT_FINISHED)
    clock = new Date()
    expect(codeIn(await one.comeBack(pathOf(returned)))).not.toBe('')
    expect(await one.comeBack(pathOf(returned))).toBe(NOT_FINISHED)
  })

  test('says so when the provider let nobody in', async () => {
    const { location, comeBack } = await begin()
    const state = new URL(location).searchParams.get('state') ?? ''
    const query = new URLSearchParams({ error: 'access_denied', state, iss: provider.issuer })
    expect(await comeBack(`/sign-in/oidc/return?${query}`)).toBe('/?dialog=sign-in#elsewhere-trouble=refused')
  })

  test('keeps what it began in a cookie that no script and no other site reads', async () => {
    const { began, location, cookie } = await begin()
    expect(began.headers['set-cookie']).toMatch(/; Path=\/sign-in\/oidc; Max-Age=600; HttpOnly; SameSite=Lax$/)
    expect(began.headers['cache-control']).toBe('no-store')
    const asked = new URL(location).searchParams
    expect(asked.get('code_challenge_method')).toBe('S256')
    for (const name of ['state', 'nonce', 'code_challenge']) {
      expect(asked.get(name)).toMatch(/^[\w-]{43}$/)
      expect(cookie).not.toContain(asked.get(name))
    }
  })
})

test('a provider that is away is said, keeps nobody from starting, and is asked again', async () => {
  const away = await startIdentityProvider(`${publicUrl}/sign-in/oidc/return`)
  await away.close()
  const waiting = await openPool(away.issuer)
  const { location } = await begin(waiting)
  expect(location).toBe('/?dialog=sign-in#elsewhere-trouble=provider_unavailable')
  const back = await startIdentityProvider(`${publicUrl}/sign-in/oidc/return`, {
    port: Number(new URL(away.issuer).port),
  })
  expect((await begin(waiting)).location).toContain(`${away.issuer}/auth?`)
  await back.close()
  await waiting.close()
})

test('a provider that tells who somebody is at its userinfo address alone is asked there', async () => {
  const quiet = await startIdentityProvider(`${publicUrl}/sign-in/oidc/return`, { tellsInToken: false })
  const other = await openPool(quiet.issuer)
  const { email } = await aMember(other.world)
  quiet.accounts.ann = { email, email_verified: true }
  const { location, comeBack } = await begin(other)
  const code = codeIn(await comeBack(pathOf(await quiet.signInAt(location, 'ann'))))
  expect((await change(code, { of: other })).profile.email).toBe(email)
  await other.close()
  await quiet.close()
})

test('without a provider there is no such address', async () => {
  const plain = await openTestPool()
  const { statusCode, headers } = await plain.app.inject({ url: '/sign-in/oidc' })
  expect(statusCode === 404 || headers['content-type']?.toString().startsWith('text/html')).toBe(true)
  expect(headers.location).toBeUndefined()
  await plain.close()
})
