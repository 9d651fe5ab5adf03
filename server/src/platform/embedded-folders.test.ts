import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { claimFolder } from './embedded-folders.ts'

let home = ''
beforeEach(() => {
  home = mkdtempSync(path.join(tmpdir(), 'dubplate-folders-'))
})
afterEach(() => rmSync(home, { recursive: true, force: true }))

const modeOf = (folder: string) => (statSync(folder).mode & 0o777).toString(8)

test('only the account of the database can enter its folder; others can still enter the data folder', () => {
  const folder = path.join(home, 'data', 'postgres')
  claimFolder(folder, {})
  // Another process may have created it a moment ago.
  claimFolder(folder, {})
  expect([modeOf(folder), modeOf(path.dirname(folder))]).toEqual(['700', (0o777 & ~process.umask()).toString(8)])
})
