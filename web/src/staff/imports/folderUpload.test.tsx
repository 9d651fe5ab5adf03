import { corrections, imports, type ReplyOf } from '@dubplate/contract'
import { expect, onTestFinished, test, vi } from 'vitest'
import { fakeApi } from '../../../test/fakeApi.ts'
import { fakeUploads } from '../../../test/fakeUploads.ts'
import { signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { makeImport } from '../../../test/staffSamples.ts'
import type { FolderFile } from '../../platform/folderEntries.ts'
import { makeFolder } from './folderFiles.ts'
import { isUploadingFolder, stopFolderUpload, uploadFolder, useFolderUpload } from './folderUpload.ts'

type Registered = ReplyOf<typeof imports.registerFiles>['files'][number]

const item = (path: string, content = path): FolderFile => ({
  path,
  file: new File([content], path.split('/').at(-1) ?? ''),
})

const hugeItem = (path: string, bytes: number): FolderFile => {
  const { file } = item(path)
  Object.defineProperty(file, 'size', { value: bytes })
  return { path, file }
}

/** Every file is known to the server, so that none is sent. */
function prepare(registered: Partial<Registered> = {}) {
  fakeUploads()
  onTestFinished(() => {
    stopFolderUpload()
    vi.unstubAllGlobals()
  })
  signInAs(makeProfile({ staff_role: 'admin' }))
  fakeApi.reply(imports.registerFiles, ({ files }) => ({
    files: files.map((_, n) => ({ n: n + 1, state: 'existing', cover: null, ...registered })),
  }))
  fakeApi.reply(imports.planImport, { import: makeImport() })
}

const upload = (...files: FolderFile[]) => uploadFolder(7, makeFolder('Crate', files))

const current = () => useFolderUpload.getState().current

test('lists why a folder cannot be sent when its import has ended', async () => {
  prepare()
  const message = 'No more files can be added to this import. Start a new one.'
  fakeApi.rejectWith(imports.registerFiles, { code: 'import_finished', message })
  await upload(item('Low Ceiling.wav'))
  expect(current()).toMatchObject({ state: 'finished', failures: [{ path: '', reason: message }] })
  expect(fakeApi.inputsOf(imports.planImport)).toEqual([])
})

test('registers 25 files at a time by their SHA-256, does not send known ones, and then starts the scan', async () => {
  prepare()
  await upload(...Array.from({ length: 26 }, (_, n) => item(`${n}.wav`)), item('list.csv'))
  const registered = fakeApi.inputsOf(imports.registerFiles).map(({ files }) => files)
  expect(registered.map(({ length }) => length)).toEqual([25, 1])
  expect(registered[0]?.[0]).toEqual({ path: '0.wav', bytes: 5, sha256: expect.stringMatching(/^[0-9a-f]{64}$/) })
  expect(fakeApi.inputsOf(imports.uploadSheet)).toHaveLength(1)
  expect(fakeApi.inputsOf(imports.planImport)).toEqual([{ import_run_id: 7 }])
  expect(current()).toMatchObject({ state: 'finished', hashedCount: 26, existingCount: 26, sheetCount: 1 })
})

test('sends the cover of a folder once, also when the upload continues', async () => {
  const picture = 'picture'
  const bytes = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(picture))
  const sha256 = [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  prepare({ state: 'uploaded' })
  const files = [item('1.wav'), item('2.wav'), item('cover.png', picture)]
  await upload(...files)
  expect(fakeApi.inputsOf(imports.uploadCover)).toHaveLength(1)
  prepare({ state: 'uploaded', cover: sha256 })
  await upload(...files)
  expect(fakeApi.inputsOf(imports.uploadCover)).toHaveLength(1)
  expect(current()).toMatchObject({ state: 'finished', coverCount: 0, failures: [] })
})

test('refuses large sheets and covers before sending them, and goes on without them', async () => {
  prepare({ state: 'uploaded' })
  await upload(
    item('1.wav'),
    hugeItem('list.csv', imports.MAX_SHEET_BYTES + 1),
    hugeItem('cover.png', corrections.MAX_COVER_BYTES + 1),
  )
  expect(fakeApi.inputsOf(imports.uploadSheet)).toEqual([])
  expect(fakeApi.inputsOf(imports.uploadCover)).toEqual([])
  expect(current()).toMatchObject({
    state: 'finished',
    failures: [
      { path: 'list.csv', reason: 'Sheets can be up to 5 MB.' },
      { path: 'cover.png', reason: expect.stringMatching(/^Pictures can be up to \d+ MB\.$/) },
    ],
  })
})

test('continues by itself when the connection is back', async () => {
  prepare()
  fakeApi.setOffline(true)
  const done = upload(item('1.wav'))
  await expect.poll(() => current()?.state).toBe('offline')
  expect(isUploadingFolder()).toBe(true)
  fakeApi.setOffline(false)
  await done
  expect(current()).toMatchObject({ state: 'finished', existingCount: 1, failures: [] })
})
