import { expect, test } from 'vitest'
import { type AttachmentUpload, fileError, uploadBlocker } from './attachmentUpload.ts'

const sending = (validationError?: string): AttachmentUpload => ({
  key: 1,
  file: { name: 'a.png', size: 10 } as File,
  share: 0,
  ...(validationError === undefined ? {} : { complaint: validationError }),
})

test('rejects a file that is empty or larger than an attachment may be', () => {
  expect(fileError({ size: 0 })).toBe('This file is empty. Choose another file.')
  expect(fileError({ size: 10 * 1024 * 1024 })).toBe('')
  expect(fileError({ size: 10 * 1024 * 1024 + 1 })).toBe('This file is too large (10 MB). The limit is 10 MB.')
})

test('blocks a message while files are uploading or after one failed', () => {
  expect(uploadBlocker([])).toBe('')
  expect(uploadBlocker([sending()])).toMatch(/^Wait for the uploads to finish/)
  expect(uploadBlocker([sending(), sending('You are offline.')])).toMatch(/^Some files couldn’t be attached/)
})
