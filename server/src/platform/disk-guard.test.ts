import { existsSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { Pool } from './db.ts'
import { DiskGuard } from './disk-guard.ts'
import { createLog } from './log.ts'

const MB = 2 ** 20

/** A guard with as much free disk space as the test sets, over a database that only records its statements. */
function aGuard(free_mb: number) {
  const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-guard-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const reserve = path.join(folder, 'reserve')
  const disk = { free: free_mb * MB }
  const settings: string[] = []
  const sql = (async ([text = '']: TemplateStringsArray) => {
    if (text.includes('pg_settings')) return [{ setting: 'off' }]
    if (text.startsWith('alter')) settings.push(text)
    return []
  }) as unknown as Pool
  const guard = new DiskGuard(folder, createLog('silent'), () => disk.free)
  return {
    guard,
    disk,
    settings,
    look: () => guard.look(sql),
    reserve: () => existsSync(reserve) && statSync(reserve).size,
  }
}

test('with free space, the database is writable and 64 MB are reserved', async () => {
  const { look, settings, reserve } = aGuard(1000)
  await look()
  expect([settings, reserve()]).toEqual([[], 64 * MB])
})

test('on a full disk, the reserve is released and the database is read-only until there is space again', async () => {
  const { look, settings, reserve, disk } = aGuard(1000)
  await look()
  disk.free = 31 * MB
  await look()
  await look()
  expect([settings, reserve()]).toEqual([['alter system set default_transaction_read_only = on'], false])
  disk.free = 120 * MB
  await look()
  expect(settings).toHaveLength(1)
  disk.free = 128 * MB
  await look()
  expect(settings.slice(1)).toEqual(['alter system reset default_transaction_read_only'])
  expect(reserve()).toBe(64 * MB)
})

test('refuses to start on a full disk with a message, unless releasing the reserve frees enough space', () => {
  const { guard, disk } = aGuard(32)
  guard.checkRoom()
  disk.free = 3 * MB
  expect(() => guard.checkRoom()).toThrow(
    /^The disk of \S+ is full: 3 MB free\. Free up at least 128 MB and start again\.$/,
  )
})
