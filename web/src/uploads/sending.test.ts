import { beforeEach, expect, test, vi } from 'vitest'
import type { UploadCallbacks } from './resumable.ts'
import { testIndexedDb } from './testIndexedDb.ts'

/** The callbacks of the last started upload, to simulate the server. */
let callbacks: UploadCallbacks
const started: string[] = []

let isMeasured: boolean

vi.mock('./hashing.ts', () => ({
  computeSha256: (file: File) =>
    isMeasured ? Promise.resolve(`sha-of-${file.name.replace('Copy of ', '')}`) : new Promise(() => undefined),
}))
vi.mock('./files.ts', () => ({ refetchContainer: async () => undefined }))
vi.mock('./resumable.ts', () => ({
  deleteStoredUpload: async () => undefined,
  prepareUpload: async ({ sha256 }: { sha256: string }, of: UploadCallbacks) => {
    callbacks = of
    return { start: () => started.push(sha256), abort: async () => undefined, options: {} }
  },
}))

const MEMBER = 7
const LAST_MODIFIED = 1_700_000_000

/** The permission for a file, by its name: structured clone cannot copy functions. */
const permissions = new Map<string, PermissionState>()
const contents = new Map<string, string>()
/** Resolves when the disk replies. */
let disk: Promise<void>

const makeHandle = (name: string) => ({
  name,
  kind: 'file',
  queryPermission: async () => permissions.get(name) ?? 'granted',
  requestPermission: async () => {
    permissions.set(name, 'granted')
    return 'granted'
  },
  getFile: async () => {
    await disk
    return new File([contents.get(name) ?? 'music'], name, { lastModified: LAST_MODIFIED })
  },
})

let database: ReturnType<typeof testIndexedDb>
/** The ids of uploads locked by any tab. */
let locks: Set<string>
const stored = new Map<string, string>()

/** Loads the modules as a page does; a second call is a reload. */
async function openPage() {
  vi.resetModules()
  started.length = 0
  locks = new Set([...locks].filter((name) => name.startsWith('other:')))
  const { useSession } = await import('../platform/session.ts')
  useSession.setState({ token: 'token', profile: { customer_id: MEMBER } as never, ended: false })
  const sending = await import('./sending.ts')
  const { useSending } = await import('./sendings.ts')
  const rows = () =>
    useSending.getState().list.map(({ name, state, sent, why, reopening }) => ({ name, state, sent, why, reopening }))
  return { ...sending, rows, useSending, useSession }
}

const makeChoice = (name: string) => ({
  file: new File(['music'], name, { lastModified: LAST_MODIFIED }),
  handle: makeHandle(name) as unknown as FileSystemFileHandle,
})

/** Starts an upload that sends two of its five bytes. */
async function startUpload(name = 'First.wav') {
  const page = await openPage()
  page.sendFiles([makeChoice(name)], 'song.new')
  await vi.waitFor(() => expect(started).toEqual([`sha-of-${name}`]))
  await vi.waitFor(() => expect(database.rows.size).toBe(1))
  callbacks.onProgress(2)
  return page
}

beforeEach(() => {
  isMeasured = true
  disk = Promise.resolve()
  database = testIndexedDb(({ name }) => makeHandle(name))
  locks = new Set()
  stored.clear()
  permissions.clear()
  contents.clear()
  const storage = {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, text: string) => stored.set(key, text),
    removeItem: (key: string) => stored.delete(key),
  }
  vi.stubGlobal('localStorage', storage)
  vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => undefined, removeItem: () => undefined })
  vi.stubGlobal('indexedDB', database.factory)
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('location', { pathname: '/uploads/new', hash: '' })
  vi.stubGlobal('navigator', {
    onLine: true,
    locks: {
      request: async (name: string, _: unknown, waitForRelease: () => Promise<void>) => {
        if (locks.has(`other:${name}`)) throw new DOMException('Too long.', 'TimeoutError')
        locks.add(name)
        await waitForRelease()
        locks.delete(name)
      },
    },
  })
})

test('resumes by itself after a reload when the file can still be read', async () => {
  await startUpload()
  const page = await openPage()
  await vi.waitFor(() => expect(started).toEqual(['sha-of-First.wav']))
  expect(page.rows()).toMatchObject([{ name: 'First.wav', state: 'sending', sent: 2 }])
})

test('adds a resumed file to the slots of its form, and deletes its handle', async () => {
  await startUpload()
  await openPage()
  await vi.waitFor(() => expect(started).toHaveLength(1))
  callbacks.onUploaded(51)
  const { useArrivedUploads } = await import('./sendings.ts')
  expect(useArrivedUploads.getState()['song.new']).toEqual([51])
  await vi.waitFor(() => expect(database.rows.size).toBe(0))
  expect((await openPage()).rows()).toEqual([])
})

test('does not add a resumed file to another song after its song was saved', async () => {
  await startUpload()
  const page = await openPage()
  await vi.waitFor(() => expect(started).toHaveLength(1))
  page.detachForm('song.new')
  await openPage()
  await vi.waitFor(() => expect(started).toHaveLength(1))
  callbacks.onUploaded(51)
  const { useArrivedUploads } = await import('./sendings.ts')
  expect(useArrivedUploads.getState()['song.new'] ?? []).toEqual([])
})

test('waits for a click when the browser needs permission, then resumes every file', async () => {
  const before = await startUpload()
  before.sendFiles([makeChoice('Second.wav')], 'song.new')
  await vi.waitFor(() => expect(database.rows.size).toBe(2))
  for (const name of ['First.wav', 'Second.wav']) permissions.set(name, 'prompt')
  const page = await openPage()
  await vi.waitFor(() => expect(page.rows().map(({ reopening }) => reopening)).toEqual(['prompt', 'prompt']))
  expect(started).toEqual([])
  await page.resumeUploads()
  await vi.waitFor(() => expect(new Set(started)).toEqual(new Set(['sha-of-First.wav', 'sha-of-Second.wav'])))
})

test('says that a file has changed, and asks to choose it again', async () => {
  await startUpload()
  contents.set('First.wav', 'other music')
  const page = await openPage()
  await vi.waitFor(() =>
    expect(page.rows()).toMatchObject([
      { state: 'left', sent: 2, why: 'This file has changed since the upload started.', reopening: undefined },
    ]),
  )
  expect(started).toEqual([])
})

test('asks to choose the file again without IndexedDB', async () => {
  await startUpload()
  vi.stubGlobal('indexedDB', undefined)
  const page = await openPage()
  await vi.waitFor(() => expect(page.rows()).toMatchObject([{ state: 'left', sent: 2, why: '', reopening: undefined }]))
})

test('does not resume what another tab is uploading, and dismissing it here does not affect that tab', async () => {
  await startUpload()
  for (const id of database.rows.keys()) locks.add(`other:dubplate.upload.${id}`)
  const page = await openPage()
  await vi.waitFor(() => expect(page.rows()).toMatchObject([{ state: 'left', reopening: 'other-tab' }]))
  page.cancelUpload(page.useSending.getState().list[0]?.id ?? '')
  expect(page.rows()).toEqual([])
  expect(started).toEqual([])
  // Waits for everything queued: a deletion would have happened by then.
  await new Promise((resolve) => setTimeout(resolve))
  expect(database.rows.size).toBe(1)
})

test('does not resume an upload that is dismissed while its file is being opened', async () => {
  await startUpload()
  let answer: () => void = () => undefined
  disk = new Promise((resolve) => {
    answer = resolve
  })
  const page = await openPage()
  expect(page.rows()).toMatchObject([{ reopening: 'opening' }])
  page.cancelUpload(page.useSending.getState().list[0]?.id ?? '')
  await vi.waitFor(() => expect(database.rows.size).toBe(0))
  answer()
  // Waits for everything queued: a start would have happened by then.
  await new Promise((resolve) => setTimeout(resolve))
  expect(page.rows()).toEqual([])
  expect(started).toEqual([])
  expect([...locks]).toEqual([])
})

test('stays paused after a reload', async () => {
  const before = await startUpload()
  before.pause(before.useSending.getState().list[0]?.id ?? '')
  const page = await openPage()
  await vi.waitFor(() => expect(page.rows()).toMatchObject([{ state: 'paused', sent: 2 }]))
  expect(started).toEqual([])
})

test.each([
  ['is cancelled', ({ cancelUpload, useSending }) => cancelUpload(useSending.getState().list[0]?.id ?? '')],
  ['is rejected', () => callbacks.onRejected({ code: 'conflict', message: 'Already there.' }, 'token')],
  ['is interrupted by signing out', ({ useSession }) => useSession.setState({ token: null, profile: null })],
] satisfies [string, (page: Awaited<ReturnType<typeof openPage>>) => void][])(
  'deletes the handle when the upload %s, and releases its lock',
  async (_, end) => {
    end(await startUpload())
    await vi.waitFor(() => expect(database.rows.size).toBe(0))
    await vi.waitFor(() => expect([...locks]).toEqual([]))
  },
)

test('deletes the handle of a file that is chosen again', async () => {
  await startUpload()
  permissions.set('First.wav', 'denied')
  const page = await openPage()
  await vi.waitFor(() => expect(page.rows()[0]?.reopening).toBeUndefined())
  const [before] = database.rows.keys()
  page.sendFiles([makeChoice('First.wav')], 'song.new')
  await vi.waitFor(() => expect(started).toHaveLength(1))
  await vi.waitFor(() => expect([...database.rows.keys()]).not.toContain(before))
  expect(database.rows.size).toBe(1)
  expect(page.rows()).toMatchObject([{ name: 'First.wav', state: 'sending' }])
})

test('deletes the handle of a file that is chosen again before its checksum was computed', async () => {
  isMeasured = false
  const before = await openPage()
  before.sendFiles([makeChoice('First.wav')], 'song.new')
  await vi.waitFor(() => expect(database.rows.size).toBe(1))
  const [first] = database.rows.keys()
  permissions.set('First.wav', 'denied')
  const page = await openPage()
  await vi.waitFor(() => expect(page.rows()[0]?.reopening).toBeUndefined())
  page.sendFiles([makeChoice('First.wav')], 'song.new')
  await vi.waitFor(() => expect([...database.rows.keys()]).not.toContain(first))
  expect(page.rows()).toMatchObject([{ name: 'First.wav', state: 'checking' }])
})

test('of two identical files the second one is refused, and the sentence names the first', async () => {
  const page = await openPage()
  page.sendFiles([makeChoice('First.wav'), makeChoice('Copy of First.wav'), makeChoice('Second.wav')], 'song.new')
  await vi.waitFor(() => expect(started).toEqual(['sha-of-First.wav', 'sha-of-Second.wav']))
  expect(page.rows()).toMatchObject([
    { name: 'First.wav', state: 'sending' },
    {
      name: 'Copy of First.wav',
      state: 'refused',
      why: 'This is the same file as “First.wav”, so it isn’t uploaded again.',
    },
    { name: 'Second.wav', state: 'sending' },
  ])
})
