import { expect, test, vi } from 'vitest'
import { reopenFile } from './reopen.ts'

const NAME = 'First (Clean).wav'
const LAST_MODIFIED = 1_700_000_000

const makeTestFile = (bytes = 'music', lastModified = LAST_MODIFIED) => new File([bytes], NAME, { lastModified })

const makeStoredFile = (permission: PermissionState, getFile = async () => makeTestFile()) => {
  const handle = {
    queryPermission: vi.fn(async () => permission),
    requestPermission: vi.fn(async (): Promise<PermissionState> => 'granted'),
    getFile: vi.fn(getFile),
  }
  return { bytes: 5, lastModified: LAST_MODIFIED, handle }
}

const throwing = (name: string) => async () => {
  throw new DOMException('As browsers say it.', name)
}

test('opens a file that can be read without asking', async () => {
  const stored = makeStoredFile('granted')
  const reopened = await reopenFile(stored, false)
  expect(reopened).toMatchObject({ state: 'ready', opened: { name: NAME, size: 5 } })
  expect(stored.handle.requestPermission).not.toHaveBeenCalled()
})

test('does not open a file that needs permission until a click', async () => {
  const stored = makeStoredFile('prompt')
  expect(await reopenFile(stored, false)).toEqual({ state: 'prompt' })
  expect(stored.handle.requestPermission).not.toHaveBeenCalled()
  expect(stored.handle.getFile).not.toHaveBeenCalled()
  expect(await reopenFile(stored, true)).toMatchObject({ state: 'ready' })
})

test('asks for permission first within a click, as browsers require', () => {
  const stored = makeStoredFile('prompt')
  void reopenFile(stored, true)
  expect(stored.handle.requestPermission).toHaveBeenCalledWith({ mode: 'read' })
})

test('can ask again when the prompt was closed, or the click was too long ago', async () => {
  const stored = makeStoredFile('prompt')
  stored.handle.requestPermission.mockResolvedValueOnce('prompt')
  expect(await reopenFile(stored, true)).toEqual({ state: 'prompt' })
  stored.handle.requestPermission.mockImplementationOnce(throwing('SecurityError'))
  expect(await reopenFile(stored, true)).toEqual({ state: 'prompt' })
})

test.each([
  [
    'permission is denied',
    makeStoredFile('denied'),
    'Your browser couldn’t get permission to read this file. Choose it again.',
  ],
  [
    'it has another size',
    makeStoredFile('granted', async () => makeTestFile('longer')),
    'This file has changed since the upload started.',
  ],
  [
    'it has another date',
    makeStoredFile('granted', async () => makeTestFile('music', LAST_MODIFIED + 1)),
    'This file has changed since the upload started.',
  ],
  ['it was deleted', makeStoredFile('granted', throwing('NotFoundError')), 'This file was moved or deleted.'],
  ['it cannot be read', makeStoredFile('granted', throwing('NotReadableError')), 'Couldn’t open this file.'],
])('says why the file has to be chosen again when %s', async (_, stored, why) => {
  expect(await reopenFile(stored, false)).toEqual({ state: 'unavailable', why })
})

test('requires the file to be chosen again without a reason when the browser does not report permission', async () => {
  const { handle, ...rest } = makeStoredFile('granted')
  const withoutPermissionApi = { ...rest, handle: { getFile: handle.getFile } }
  expect(await reopenFile(withoutPermissionApi as Parameters<typeof reopenFile>[0], false)).toEqual({
    state: 'unavailable',
    why: '',
  })
})
