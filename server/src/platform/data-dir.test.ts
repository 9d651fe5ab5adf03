import { chmodSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { secureDataDir } from './data-dir.ts'

function aFolder(mode: number): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-data-dir-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  chmodSync(folder, mode)
  return folder
}

const readMode = (folder: string) => statSync(folder).mode & 0o777
const databaseUrl = 'postgres://database/pool'
const isRoot = process.getuid?.() === 0

test('removes the access of other accounts to DATA_DIR and its media', () => {
  const dataDir = aFolder(0o755)
  mkdirSync(path.join(dataDir, 'media'), { mode: 0o755 })
  secureDataDir({ dataDir, databaseUrl, bucket: undefined, sendfile: 'off' })
  expect([readMode(dataDir), readMode(path.join(dataDir, 'media'))]).toEqual([0o700, 0o700])
})

test('lets the embedded database of root pass through, while others cannot list the folder', () => {
  const dataDir = aFolder(0o755)
  secureDataDir({ dataDir, databaseUrl: undefined, bucket: undefined, sendfile: 'off' })
  expect(readMode(dataDir)).toBe(isRoot ? 0o711 : 0o700)
})

test('creates a missing folder, and does not add permissions that were removed', () => {
  const dataDir = path.join(aFolder(0o700), 'data')
  secureDataDir({ dataDir, databaseUrl, bucket: undefined, sendfile: 'off' })
  expect(readMode(dataDir)).toBe(0o700)
  chmodSync(dataDir, 0o500)
  secureDataDir({ dataDir, databaseUrl, bucket: undefined, sendfile: 'off' })
  expect(readMode(dataDir)).toBe(0o500)
})

test('with SENDFILE, keeps the access that the operator gave to the group', () => {
  const dataDir = aFolder(0o755)
  mkdirSync(path.join(dataDir, 'media'))
  chmodSync(path.join(dataDir, 'media'), 0o755)
  secureDataDir({ dataDir, databaseUrl, bucket: undefined, sendfile: 'nginx' })
  expect([readMode(dataDir), readMode(path.join(dataDir, 'media'))]).toEqual([0o750, 0o750])
})
