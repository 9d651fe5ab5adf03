import { mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import sharp from 'sharp'
import { afterAll, expect, test } from 'vitest'
import type { Storage } from '../platform/storage.ts'
import { createCoverReader } from './cover.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'covers-'))
afterAll(() => rmSync(folder, { recursive: true }))

const storedPictures: Buffer[] = []
const storage = {
  putBytes: async (_kind: string, bytes: Buffer) => {
    storedPictures.push(bytes)
    return { sha256: 'kept' }
  },
} as unknown as Storage

test('the cover is the picture in the folder; a link counts only if its target is in the folder too', async () => {
  const album = path.join(folder, 'Album')
  mkdirSync(album)
  const privateFile = path.join(folder, 'private.png')
  await sharp({ create: { width: 64, height: 64, channels: 3, background: 'teal' } })
    .png()
    .toFile(privateFile)
  const storeCover = () => createCoverReader(storage).keep(path.join(album, 'Halo - Midnight Sun.mp3'), undefined)

  symlinkSync(privateFile, path.join(album, 'cover.png'))
  expect(await storeCover()).toBeUndefined()
  expect(storedPictures).toHaveLength(0)

  renameSync(privateFile, path.join(album, 'scan.png'))
  rmSync(path.join(album, 'cover.png'))
  symlinkSync('scan.png', path.join(album, 'cover.png'))
  expect(await storeCover()).toMatchObject({ sha256: 'kept', width: 64, height: 64 })
})

test('the picture in the tags takes precedence over the one of the folder, whatever its source', async () => {
  const folderCover = { sha256: 'of the folder', width: 500, height: 500 }
  const embedded = await sharp({ create: { width: 48, height: 48, channels: 3, background: 'plum' } })
    .png()
    .toBuffer()
  const covers = createCoverReader(storage, async () => folderCover)
  expect(await covers.keep('Album/Halo - Midnight Sun.mp3', undefined)).toEqual(folderCover)
  expect(await covers.keep('Album/Halo - Midnight Sun.mp3', embedded)).toMatchObject({ sha256: 'kept', width: 48 })
})
