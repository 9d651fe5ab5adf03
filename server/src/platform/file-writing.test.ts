import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openForWriting } from './file-writing.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'dubplate-writing-'))
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('creates the file before its first byte, so that removing it after a failure works', async () => {
  const file = path.join(folder, 'unfinished')
  const stream = await openForWriting(file)
  expect(existsSync(file)).toBe(true)
  const broken = new Readable({ read: () => broken.destroy(new Error('the source broke')) })
  await expect(pipeline(broken, stream)).rejects.toThrow('the source broke')
})

test('the file is complete when the pipeline has ended', async () => {
  const file = path.join(folder, 'finished')
  await pipeline([Buffer.from('all '), Buffer.from('of it')], await openForWriting(file, { mode: 0o600 }))
  expect(await readFile(file, 'utf8')).toBe('all of it')
})

test('refuses to replace an existing file', async () => {
  const file = path.join(folder, 'taken')
  await pipeline([Buffer.from('first')], await openForWriting(file))
  await expect(openForWriting(file, { flags: 'wx' })).rejects.toMatchObject({ code: 'EEXIST' })
})
