import { expect, test, vi } from 'vitest'
import { reopenFile } from './reopen.ts'

const NAME = 'First (Clean).wav'
const LAST_MODIFIED = 1_700_000_000

const theFile = (bytes = 'music', lastModified = LAST_MODIFIED) => new File([bytes], NAME, { lastModified })

const storedWith = (permission: PermissionState, getFile = async () => theFile()) => {
  const handle = {
    queryPermission: vi.fn(async () => permission),
    requestPermission: vi.fn(async (): Promise<PermissionState> => 'granted'),
    getFile: vi.fn(getFile),
  }
  return { bytes: 5, lastModified: LAST_MODIFIED, handle }
}

const failing = (name: string) => async () => {
  throw new DOMException('As browsers say it.', name)
}

test('opens a file that may still be read, without asking', async () => {
  const stored = storedWith('granted')
  const reopened = await reopenFile(stored, false)
  expect(reopened).toMatchObject({ state: 'ready', opened: { name: NAME, size: 5 } })
  expect(stored.handle.requestPermission).not.toHaveBeenCalled()
})

test('leaves a file closed that needs permission until a click', async () => {
  const stored = storedWith('prompt')
  expect(await reopenFile(stored, false)).toEqual({ state: 'prompt' })
  expect(stored.handle.requestPermission).not.toHaveBeenCalled()
  expect(stored.handle.getFile).not.toHaveBeenCalled()
  expect(await reopenFile(stored, true)).toMatchObject({ state: 'ready' })
})

test('asks before anything else within a click: permission is only asked for at once', () => {
  const stored = storedWith('prompt')
  void reopenFile(stored, true)
  expect(stored.handle.requestPermission).toHaveBeenCalledWith({ mode: 'read' })
})

test('can ask again when the question was closed, or the click was too long ago', async () => {
  const stored = storedWith('prompt')
  stored.handle.requestPermission.mockResolvedValueOnce('prompt')
  expect(await reopenFile(stored, true)).toEqual({ state: 'prompt' })
  stored.handle.requestPermission.mockImplementationOnce(failing('SecurityError'))
  expect(await reopenFile(stored, true)).toEqual({ state: 'prompt' })
})

test.each([
  ['permission is denied', storedWith('denied'), 'Your browser was not allowed to read this file.'],
  [
    'it has another size',
    storedWith('granted', async () => theFile('longer')),
    'This file has changed since the upload started.',
  ],
  [
    'it has another date',
    storedWith('granted', async () => theFile('music', LAST_MODIFIED + 1)),
    'This file has changed since the upload started.',
  ],
  ['it is gone', storedWith('granted', failing('NotFoundError')), 'This file was moved or deleted.'],
  ['it cannot be read', storedWith('granted', failing('NotReadableError')), 'This file could not be opened.'],
])('says why the file has to be chosen again when %s', async (_, stored, why) => {
  expect(await reopenFile(stored, false)).toEqual({ state: 'unavailable', why })
})

test('has the file chosen again without a reason where the browser tells nothing of permission', async () => {
  const { handle, ...rest } = storedWith('granted')
  const bare = { ...rest, handle: { getFile: handle.getFile } }
  expect(await reopenFile(bare as Parameters<typeof reopenFile>[0], false)).toEqual({ state: 'unavailable', why: '' })
})
