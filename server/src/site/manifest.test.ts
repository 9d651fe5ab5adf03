import { existsSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { projectRoot } from '../platform/project-root.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool({ settings: { poolName: 'Night Shift' } })
})
afterAll(() => pool.close())

test('the pool can be installed under its own name, with icons that exist', async () => {
  const response = await pool.app.inject('/manifest.webmanifest')
  expect(response.headers['content-type']).toContain('application/manifest+json')
  const manifest = response.json<{ name: string; display: string; icons: { src: string }[] }>()
  expect(manifest).toMatchObject({ name: 'Night Shift', display: 'standalone' })
  for (const { src } of manifest.icons) expect(existsSync(path.join(projectRoot, 'web/public', src)), src).toBe(true)
  expect(manifest.icons.length).toBeGreaterThan(2)
})
