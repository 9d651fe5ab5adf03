import { readFileSync } from 'node:fs'
import path from 'node:path'
import Fastify from 'fastify'
import { afterEach, expect, test, vi } from 'vitest'
import type { Pool } from './db.ts'
import { serveHealth } from './health.ts'
import { createLog } from './log.ts'
import { projectRoot } from './project-root.ts'

afterEach(() => vi.useRealTimers())

const sql = (async () => []) as unknown as Pool

function checkReadiness(check: () => Promise<void>) {
  const app = Fastify()
  serveHealth(app, { sql, storage: { check, freeBytes: async () => 1e9 }, log: createLog('silent') })
  return app.inject({ url: '/readyz' })
}

const readiness = (broken: { sql?: Pool; freeBytes?: number }) => {
  const app = Fastify()
  const storage = { check: async () => {}, freeBytes: async () => broken.freeBytes ?? 1e9 }
  serveHealth(app, { sql: broken.sql ?? sql, storage, log: createLog('silent') })
  return app.inject({ url: '/readyz' })
}

test('is not ready while the database rejects connections', async () => {
  const reply = await readiness({ sql: (async () => Promise.reject(new Error('refused'))) as unknown as Pool })
  expect([reply.statusCode, reply.json()]).toEqual([503, { status: 'unavailable', database: 'unavailable' }])
  expect(reply.headers['retry-after']).toBe('5')
})

test('is not ready while the database hangs, and responds after three seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  let asked = () => {}
  const isAsked = new Promise<void>((resolve) => {
    asked = resolve
  })
  const hanging = (() => {
    asked()
    return new Promise(() => {})
  }) as unknown as Pool
  const reply = readiness({ sql: hanging })
  await isAsked
  await Promise.resolve()
  vi.advanceTimersByTime(3000)
  expect((await reply).json()).toEqual({ status: 'unavailable', database: 'unavailable' })
})

test('is not ready while the disk is full', async () => {
  const reply = await readiness({ freeBytes: 20 * 2 ** 20 })
  expect([reply.statusCode, reply.json()]).toEqual([503, { status: 'unavailable', disk: 'full' }])
})

test.each([
  ['ok', () => Promise.resolve()],
  ['away', () => Promise.reject(new Error('refused'))],
])('is ready and reports that its storage is %s', async (store, check) => {
  const reply = await checkReadiness(check)
  expect([reply.statusCode, reply.json()]).toEqual([200, { status: 'ready', store }])
})

test('reports version and commit of the process to Prometheus', async () => {
  const app = Fastify()
  serveHealth(app, { sql, storage: { check: async () => {}, freeBytes: async () => 1e9 }, log: createLog('silent') })
  const { version: of } = JSON.parse(readFileSync(path.join(projectRoot, 'package.json'), 'utf8'))
  const { body } = await app.inject({ url: '/metrics' })
  // The tests run the sources, which have no build commit.
  expect(body).toContain(`dubplate_build_info{version="${of}",commit=""} 1`)
})

test('readiness does not wait for storage that does not respond', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  let asked = () => {}
  const waiting = new Promise<void>((resolve) => {
    asked = resolve
  })
  const reply = checkReadiness(() => {
    asked()
    return new Promise(() => {})
  })
  await waiting
  // The timer starts once storage has been queried.
  await Promise.resolve()
  vi.advanceTimersByTime(2000)
  expect((await reply).json()).toEqual({ status: 'ready', store: 'away' })
})
