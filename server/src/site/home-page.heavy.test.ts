import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { catalogue, site, spotlights } from '@dubplate/contract'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { makeApp } from '../app.ts'
import type { AppContext } from '../app-context.ts'
import { writeGroup } from '../platform/settings.ts'

const PAGE = '<head><title>Dubplate</title></head><body></body>'
const TITLE = 'Low </script><b>Ceiling'

let pool: TestPool
let builtWeb: string
beforeAll(async () => {
  builtWeb = mkdtempSync(path.join(tmpdir(), 'dubplate-web-'))
  writeFileSync(path.join(builtWeb, 'index.html'), PAGE)
  pool = await openTestPool()
  await aSong(pool.ctx, { title: TITLE, versions: ['Original'] })
})
afterAll(async () => {
  await pool.close()
  rmSync(builtWeb, { recursive: true })
})

/** Longer than any reply takes on a busy machine. */
const LONG_WAIT_MS = 60_000

/** Each test has an app of its own, with an empty cache. */
async function openApp(ctx: AppContext = pool.ctx, homePageWait_ms = LONG_WAIT_MS) {
  const app = await makeApp(ctx, { builtWeb, homePageWait_ms })
  onTestFinished(() => app.close())
  return app
}

type Block = { time: number; replies: [[path: string, input: object], { data: unknown }][] }

const readBlock = (page: string): Block | undefined => {
  const json = /<script type="application\/json" id="replies">([^<]*)<\/script>\s*<\/body>/.exec(page)?.[1]
  return json === undefined ? undefined : JSON.parse(json)
}
const pathsIn = (page: string) => readBlock(page)?.replies.map(([[path]]) => path)

test('the home page contains the replies of its calls, with the time of the server', async () => {
  const app = await openApp()
  const before = Date.now()
  const { body } = await app.inject({ url: '/?utm_source=mail' })
  const { time, replies } = readBlock(body)!
  expect(replies).toEqual([
    [[catalogue.homePageGenres.path, {}], { data: await pool.ask(catalogue.homePageGenres, {}) }],
    [[spotlights.getSpotlights.path, {}], { data: await pool.ask(spotlights.getSpotlights, {}) }],
    [
      [catalogue.getNewRelease.path, { pageName: 'mp3_home' }],
      { data: await pool.ask(catalogue.getNewRelease, { pageName: 'mp3_home' }) },
    ],
    [[site.getProducts.path, {}], { data: await pool.ask(site.getProducts, {}) }],
  ])
  expect(JSON.stringify(replies)).toContain(JSON.stringify(TITLE))
  expect(time).toBeGreaterThanOrEqual(before)
  expect(time).toBeLessThanOrEqual(Date.now())
})

test('other pages contain no replies', async () => {
  const app = await openApp()
  for (const url of ['/index.html', '/charts', '/newRelease'])
    expect((await app.inject({ url })).body, url).not.toContain('replies')
})

test('the home page is revalidated, with an ETag of its whole content', async () => {
  const app = await openApp()
  const { headers, body } = await app.inject({ url: '/' })
  expect(headers).toMatchObject({ 'cache-control': 'no-cache', 'content-type': 'text/html; charset=utf-8' })
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  const cached = await app.inject({ url: '/', headers: { 'if-none-match': String(headers.etag) } })
  const again = await app.inject({ url: '/' })
  expect([cached.statusCode, again.headers.etag === headers.etag]).toEqual(
    again.body === body ? [304, true] : [200, false],
  )
})

test('a member’s token changes nothing in the page', async () => {
  const app = await openApp()
  const { body } = await app.inject({ url: '/' })
  const signedIn = await app.inject({ url: '/', headers: { authorization: 'Bearer unknown' } })
  expect(readBlock(signedIn.body)?.replies).toEqual(readBlock(body)?.replies)
})

test('a catalogue for members only stays out of the page', async () => {
  const closed = await openTestPool({ settings: { publicBrowsing: false } })
  onTestFinished(() => closed.close())
  const app = await openApp(closed.ctx)
  expect(pathsIn((await app.inject({ url: '/' })).body)).toEqual([site.getProducts.path])
})

test('a hidden section stays out of the page', async () => {
  const { sql, settings } = pool.ctx
  const { customer_id: staff_id } = await aMember(pool.ctx, { staff_role: 'admin' })
  await writeGroup(sql, { group: 'sections', version: 0, values: { hidden: ['new_releases'] }, staff_id })
  await settings.renew()
  onTestFinished(async () => {
    await sql`delete from setting`
    await settings.renew()
  })
  const app = await openApp()
  const paths = pathsIn((await app.inject({ url: '/' })).body)
  expect(paths).toContain(catalogue.homePageGenres.path)
  expect(paths).not.toContain(catalogue.getNewRelease.path)
})

test('leaves out what takes too long', async () => {
  const app = await openApp(pool.ctx, 1000)
  const body = await pool.ctx.sql.begin(async (sql) => {
    await sql`lock table song in access exclusive mode`
    return (await app.inject({ url: '/' })).body
  })
  expect(pathsIn(body) ?? []).not.toContain(catalogue.getNewRelease.path)
})

test('leaves out what fails', async () => {
  const app = await openApp()
  const { sql } = pool.ctx
  await sql`alter table song rename to song_away`
  const { body, statusCode } = await app.inject({ url: '/' })
  await sql`alter table song_away rename to song`
  expect(statusCode).toBe(200)
  expect(pathsIn(body)).toContain(site.getProducts.path)
  expect(pathsIn(body)).not.toContain(catalogue.getNewRelease.path)
})
