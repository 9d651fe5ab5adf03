import { imports } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { fakeApi } from '../../../test/fakeApi.ts'
import { signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { sendFolder, useImportSending } from './folderUpload.ts'

test('lists why a folder cannot be sent when its import has ended', async () => {
  signInAs(makeProfile({ staff_role: 'admin' }))
  const message = 'No more files can be added to this import. Start a new one.'
  fakeApi.rejectWith(imports.registerFiles, { code: 'import_finished', message })
  const file = new File(['sound'], 'Low Ceiling.wav')
  await sendFolder(1, {
    name: 'Crate',
    files: [{ path: 'Crate/Low Ceiling.wav', file }],
    covers: new Map(),
    sheets: [],
  })
  expect(useImportSending.getState().now).toMatchObject({ state: 'sent', left: [{ path: '', why: message }] })
})
