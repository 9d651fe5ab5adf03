import { gunzipSync } from 'node:zlib'
import { account, catalogue, newsletter, playlists } from '@dubplate/contract'
import { nothing } from '@dubplate/contract/schemas/endpoint'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGenre, aMember } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { waitForBlocked } from '../../test/wait-until.ts'
import { allRoutes } from '../app.ts'
import { formatVersion } from './version.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

test('returns an error for an unknown endpoint like any other', async () => {
  const response = await pool.app.inject({ method: 'POST', url: '/api/song/nothing.json', payload: {} })
  expect(response.statusCode).toBe(404)
  expect(response.json()).toEqual({
    data: null,
    code: 'unknown_endpoint',
    message: 'Unknown API endpoint.',
    errors: ['Unknown API endpoint.'],
  })
})

test.each([
  [
    'a body that is not JSON',
    { payload: '{"page":', headers: { 'content-type': 'application/json' } },
    400,
    'invalid_request',
  ],
  [
    'a body of another type',
    { payload: '<page/>', headers: { 'content-type': 'text/xml' } },
    415,
    'unsupported_media_type',
  ],
  [
    'a body that is too large',
    { payload: JSON.stringify({ x: 'y'.repeat(300_000) }), headers: { 'content-type': 'application/json' } },
    413,
    'too_large',
  ],
])('%s gets a readable message', async (_what, options, status, code) => {
  const response = await pool.app.inject({ method: 'POST', url: '/api/song/get-new-release.json', ...options })
  expect(response.statusCode).toBe(status)
  expect(response.json()).toMatchObject({ data: null, code, errors: [expect.stringMatching(/\.$/)] })
})

test('names a missing or wrong-typed field in words', async () => {
  const fieldsOf = async (query: object) => (await pool.request(catalogue.suggestSearch, query)).json().fields
  expect(await fieldsOf({})).toEqual({ text: 'Text is required.' })
  expect(await fieldsOf({ text: 5, song_section_id: 7 })).toEqual({
    text: 'Text must be text.',
    song_section_id: 'song_section_id must be 0 (all), 1 (songs) or 2 (kuts).',
  })
})

test('an internal error is a 500 with a reference number and no details', async () => {
  const { sql } = pool.ctx
  await sql`alter table genre rename to genre_away`
  const response = await pool.request(catalogue.getSongGenres, {})
  await sql`alter table genre_away rename to genre`
  expect(response.statusCode).toBe(500)
  expect(response.json().message).toMatch(/contact support and quote [0-9a-f]{8}\.$/)
  expect(response.body).not.toMatch(/genre|relation|select/)
})

test('an unavailable database is a 503 with Retry-After, and the connection recovers by itself', async () => {
  const { sql } = pool.ctx
  const [name] = await sql<{ name: string }[]>`select current_database() as name`
  const cut = () =>
    sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = ${name?.name ?? ''} and pid <> pg_backend_pid()`
  await cut().catch(() => {})
  const statuses: number[] = []
  for (let n = 0; n < 20; n++) {
    const response = await pool.request(catalogue.getSong, { entity_id: 1 })
    statuses.push(response.statusCode)
    if (response.statusCode === 503) expect(response.headers['retry-after']).toBe('2')
  }
  expect(statuses.every((status) => status === 503 || status === 404)).toBe(true)
  expect(statuses.at(-1)).toBe(404)
})

test('every endpoint of the contract responds and is described in the API document', async () => {
  const document = (await pool.app.inject({ url: '/api/openapi.json' })).json()
  expect(document.info.version).toBe(formatVersion())
  const paths = allRoutes.map((call) => `/api/${call.endpoint.path}`)
  expect(Object.keys(document.paths).sort()).toEqual([...paths].sort())
  expect(
    document.paths['/api/song/get-new-release.json'].post.responses[200].content['application/json'].schema.properties
      .data.required,
  ).toContain('songs')
})

test('a reply that is kept for good has no input and is the same for everyone', () => {
  const constant = allRoutes.map(({ endpoint }) => endpoint).filter((endpoint) => endpoint.constant)
  expect(constant.map(({ path }) => path)).toEqual([account.getCountries.path])
  for (const endpoint of constant) {
    expect(endpoint.input).toBe(nothing)
    expect(endpoint.shared).toBe(true)
    expect(endpoint).not.toHaveProperty('isPersonal')
  }
})

test('the API document lists the error codes of an endpoint by status', async () => {
  const document = (await pool.app.inject({ url: '/api/openapi.json' })).json()
  const { responses } = document.paths['/api/staff/end-coupon.json'].post
  const codesOf = (status: number) => responses[status].content['application/json'].schema.properties.code.enum
  expect(codesOf(404)).toEqual(['coupon_not_found', 'unknown_store', 'file_unavailable', 'unknown_endpoint'])
  expect(codesOf(403)).toContain('insufficient_role')
  expect(responses[402]).toBeUndefined()
  expect(document.components.schemas.Error.required).toEqual(['data', 'code', 'message', 'errors'])
})

test('a value no database can store is a client error, not an internal one', async () => {
  const { token } = await aMember(pool.ctx)
  const nul = await pool.request(playlists.savePlaylist, { title: 'a\u0000b' }, token)
  expect([nul.statusCode, nul.json().code]).toEqual([400, 'invalid_request'])
  const half = await pool.request(playlists.savePlaylist, { title: 'half an emoji \ud83d' }, token)
  expect(half.statusCode).toBe(400)
  expect(half.json().fields).toEqual({
    title: 'This text contains a character that can’t be saved. Delete it and try again.',
  })
  const large = await pool.request(catalogue.genreSongs, { genre_id: 3_000_000_000 })
  expect([large.statusCode, large.json().code]).toEqual([400, 'invalid_request'])
})

test('a row deleted while it is being referenced gets a readable message, not an internal error', async () => {
  const { sql } = pool.ctx
  const [{ token }, genre_id] = [await aMember(pool.ctx), await aGenre(pool.ctx, 'Halftime')]
  const under = await sql.begin(async (removing) => {
    await removing`delete from genre where genre_id = ${genre_id}`
    const following = pool.request(newsletter.followGenre, { genre_id, follow: true }, token)
    await waitForBlocked(sql, 1)
    return { following }
  })
  const refused = await under.following
  expect([refused.statusCode, refused.json().code]).toEqual([409, 'conflict'])
  expect(refused.body).not.toMatch(/genre|constraint|key/)
})

test.each([
  ['the API document', '/api/openapi.json'],
  ['a reply to everyone', `/api/${account.getCountries.path}`],
])('compresses %s', async (_what, url) => {
  const plain = await pool.app.inject({ url })
  const compressed = await pool.app.inject({ url, headers: { 'accept-encoding': 'gzip' } })
  expect(compressed.headers).toMatchObject({ 'content-encoding': 'gzip', vary: 'accept-encoding' })
  expect(gunzipSync(compressed.rawPayload).toString()).toBe(plain.body)
})

test('ignores query parameters of a POST request', async () => {
  const url = '/api/customer/sign-in.json?email=a@b.test&password=secret'
  const response = await pool.app.inject({ method: 'POST', url, payload: {} })
  expect(response.json().fields).toHaveProperty('email')
})

test('an endpoint also responds at its older path', async () => {
  const response = await pool.app.inject({ method: 'POST', url: '/api/song/search', payload: { searchTerm: 'ab' } })
  expect([response.statusCode, response.json().code]).toEqual([422, 'query_too_short'])
})

test('health, readiness and metrics', async () => {
  expect((await pool.app.inject({ url: '/healthz' })).json()).toEqual({ status: 'ok' })
  expect((await pool.app.inject({ url: '/readyz' })).json()).toEqual({ status: 'ready', store: 'ok' })
  expect((await pool.app.inject({ url: '/metrics' })).body).toContain('dubplate_request_seconds')
})
