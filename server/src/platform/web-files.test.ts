import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import helmet from '@fastify/helmet'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveWeb } from './web-files.ts'

let app: FastifyInstance
let extraPolicy: FastifyInstance
let built: string
const renderPage = (page: string) => page.replace('the page', 'the page of this pool')
beforeAll(async () => {
  built = mkdtempSync(path.join(tmpdir(), 'dubplate-web-'))
  mkdirSync(path.join(built, 'assets'))
  for (const name of ['index.html', 'index.html.br', 'index.html.gz']) {
    writeFileSync(path.join(built, name), '<!doctype html><script>1</script>the page')
  }
  writeFileSync(path.join(built, 'assets', 'shell-abc.js'), 'the shell')
  app = Fastify()
  await app.register(helmet, { global: false })
  app.get('/sign-in/oidc', async () => 'a route of the server')
  app.setNotFoundHandler((_request, reply) => reply.code(404).send('nothing'))
  await serveWeb(app, built, { renderPage })
  extraPolicy = Fastify()
  await extraPolicy.register(helmet, { global: false })
  extraPolicy.addHook('onRequest', (_request, reply, done) => {
    reply.headers({ 'permissions-policy': 'camera=()', 'cross-origin-opener-policy': 'same-origin' })
    done()
  })
  const widerPages = {
    pathPrefix: '/guests/in/',
    scriptOrigins: ['https://js.other.test'],
    frameOrigins: ['https://js.other.test', 'https://bank.other.test'],
    connectOrigins: ['https://api.other.test'],
    paymentOrigins: ['https://js.other.test'],
    allowsPopups: true,
  }
  await serveWeb(extraPolicy, built, { renderPage, extraPolicy: widerPages })
})
afterAll(async () => {
  await app.close()
  await extraPolicy.close()
  rmSync(built, { recursive: true })
})

test('serves the page for every path that is nothing else', async () => {
  for (const url of ['/', '/account/security', '/confirm/a-token', '/sign-in']) {
    expect((await app.inject({ url })).body).toContain('the page')
  }
  expect((await app.inject({ url: '/sign-in/oidc' })).body).toBe('a route of the server')
  for (const url of ['/api/nothing.json', '/files/x', '/exports/x/my-data.zip', '/images/x']) {
    expect((await app.inject({ url })).statusCode).toBe(404)
  }
})

test('has its policy under every name; its assets have none and are cached', async () => {
  for (const url of ['/', '/index.html', '/index.html.br', '/index.html.gz', '/assets/../index.html']) {
    const { headers, body } = await app.inject({ url, headers: { 'accept-encoding': 'br, gzip' } })
    expect(body).toContain('the page')
    expect(headers['content-security-policy']).toContain("frame-ancestors 'none'")
  }
  const { headers, body } = await app.inject({ url: '/assets/shell-abc.js' })
  expect(body).toBe('the shell')
  expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
})

test('serves assets that a later build added, and returns 404 for files that are not part of the build', async () => {
  const name = 'later-def.js'
  expect((await app.inject({ url: `/assets/${name}` })).statusCode).toBe(404)
  writeFileSync(path.join(built, 'assets', name), 'of the next build')
  expect((await app.inject({ url: `/assets/${name}` })).body).toBe('of the next build')
  writeFileSync(path.join(built, '.builds.json'), '[]')
  for (const url of ['/assets/', '/assets/..%2f.builds.json', '/assets/.%2e/.builds.json'])
    expect((await app.inject({ url })).body, url).not.toBe('[]')
})

test('its policy only allows its own scripts and forms', async () => {
  const { headers } = await app.inject({ url: '/reset-password/a@b.test/token' })
  const policy = String(headers['content-security-policy']).split(';')
  expect(policy).toEqual(
    expect.arrayContaining(["base-uri 'none'", "form-action 'self'", "frame-ancestors 'none'", "object-src 'none'"]),
  )
  expect(policy).toContain("font-src 'self'")
  expect(headers['x-frame-options']).toBeUndefined()
  const scripts = policy.find((one) => one.startsWith('script-src '))
  expect(scripts).toMatch(/^script-src 'self' 'sha256-[\w+/=]+'$/)
})

const readPolicy = async (pool: FastifyInstance, url: string) => {
  const { headers } = await pool.inject({ url })
  return {
    page: String(headers['content-security-policy'])
      .split(';')
      .map((one) => one.trim()),
    permissions: headers['permissions-policy'],
    windows: headers['cross-origin-opener-policy'],
  }
}

test('pages that need third-party content allow it, and nothing else', async () => {
  const narrow = await readPolicy(extraPolicy, '/')
  const wide = await readPolicy(extraPolicy, '/guests/in/7?a=b')
  expect((await extraPolicy.inject({ url: '/guests/in/7' })).body).toContain('the page')
  const ownStreams = narrow.page.find((one) => one.startsWith('script-src '))
  expect(wide.page.filter((one) => !narrow.page.includes(one))).toEqual([
    `${ownStreams} https://js.other.test`,
    "connect-src 'self' https://api.other.test",
    'frame-src https://js.other.test https://bank.other.test',
  ])
  expect(wide.permissions).toBe('camera=(), payment=(self "https://js.other.test")')
  expect(wide.windows).toBe('same-origin-allow-popups')
})

test('every other page keeps its policy, also in a pool with such pages', async () => {
  const usual = await readPolicy(app, '/')
  for (const url of ['/', '/guests', '/guests/in', '/guests/inside', '/guests/out/in/7', '/subscription/plans']) {
    const { page, permissions, windows } = await readPolicy(extraPolicy, url)
    expect(page).toEqual(usual.page)
    expect(permissions).toBe('camera=()')
    expect(windows).toBe('same-origin')
  }
  expect((await readPolicy(app, '/guests/in/7')).page).toEqual(usual.page)
})
