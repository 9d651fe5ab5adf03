import { beforeEach, expect, test, vi } from 'vitest'
import { change, type Sending, useSending } from './sendings.ts'
import {
  readUnfinished,
  saveUnfinishedUploads,
  showUnfinished,
  takeMatchingUnfinished,
  takeUnfinished,
} from './unfinishedUploads.ts'

const MEMBER = 7
const FIRST = { sha256: 'aa', name: 'First (Clean).wav', bytes: 40, sent: 16 }
const SECOND = { sha256: 'bb', name: 'Second (Dirty).wav', bytes: 50, sent: 8 }

const rows = () => useSending.getState().list.map(({ id, state, sent }) => ({ id, state, sent }))
const sending = (id: string): Sending => ({
  id,
  name: id,
  bytes: 9,
  sent: 0,
  state: 'sending',
  share: 1,
  why: '',
})

beforeEach(() => {
  const storedItems = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => storedItems.get(key) ?? null,
    setItem: (key: string, text: string) => storedItems.set(key, text),
    removeItem: (key: string) => storedItems.delete(key),
  })
  useSending.setState({ list: [] })
  showUnfinished(MEMBER)
  saveUnfinishedUploads(MEMBER, [FIRST, SECOND])
})

test('shows the unfinished uploads of an earlier visit above the current ones', () => {
  useSending.setState({ list: [sending('now')] })
  showUnfinished(MEMBER)
  expect(rows()).toEqual([
    { id: 'left-aa', state: 'left', sent: 16 },
    { id: 'left-bb', state: 'left', sent: 8 },
    { id: 'now', state: 'sending', sent: 0 },
  ])
})

test('never shows the uploads of another member', () => {
  showUnfinished(MEMBER)
  showUnfinished(MEMBER + 1)
  expect(rows()).toEqual([])
})

test('continues the same file in its row, and stores it once with its progress', () => {
  showUnfinished(MEMBER)
  takeMatchingUnfinished({ ...FIRST, name: 'Renamed.wav' })
  saveUnfinishedUploads(MEMBER, [{ ...FIRST, sent: 32 }])
  expect(rows().map(({ id }) => id)).toEqual(['left-bb'])
  expect(readUnfinished(MEMBER)).toEqual([{ ...FIRST, sent: 32 }, SECOND])
})

test('does not show completed uploads again, and keeps unfinished ones until they are resumed', () => {
  showUnfinished(MEMBER)
  takeMatchingUnfinished({ ...FIRST, name: 'Renamed.wav' })
  saveUnfinishedUploads(MEMBER, [])
  expect(readUnfinished(MEMBER)).toEqual([SECOND])
})

test('shows a file without a checksum by its name, and replaces it with a file of that name and size', () => {
  const third = { sha256: '', name: 'Third (Intro).wav', bytes: 60, sent: 0 }
  saveUnfinishedUploads(MEMBER, [FIRST, third, { ...third }])
  expect(readUnfinished(MEMBER)).toEqual([FIRST, third])
  showUnfinished(MEMBER)
  expect(rows().map(({ id }) => id)).toEqual(['left-aa', 'left-60-Third (Intro).wav'])
  takeMatchingUnfinished({ sha256: '', name: 'Third (Intro).wav', bytes: 61 })
  expect(rows()).toHaveLength(2)
  takeMatchingUnfinished(third)
  saveUnfinishedUploads(MEMBER, [{ ...third, sha256: 'cc', sent: 8 }])
  expect(rows().map(({ id }) => id)).toEqual(['left-aa'])
  expect(readUnfinished(MEMBER).map(({ sha256 }) => sha256)).toEqual(['cc', 'aa'])
})

test('forgets a dismissed upload, and reports its content so that the server deletes it too', () => {
  showUnfinished(MEMBER)
  expect(takeUnfinished('now')).toBeUndefined()
  expect(takeUnfinished('left-bb')).toEqual(SECOND)
  saveUnfinishedUploads(MEMBER, [])
  expect(readUnfinished(MEMBER)).toEqual([FIRST])
})

test('keeps the form of an upload until its row has none', () => {
  saveUnfinishedUploads(MEMBER, [
    { ...FIRST, form: 'song.new' },
    { ...SECOND, form: 'song.4' },
  ])
  showUnfinished(MEMBER)
  change('left-aa', { form: undefined })
  saveUnfinishedUploads(MEMBER, [])
  expect(readUnfinished(MEMBER)).toEqual([FIRST, { ...SECOND, form: 'song.4' }])
})

test('shows nothing without storage or with invalid stored data', () => {
  vi.stubGlobal('localStorage', { getItem: () => '{"sha256":1}' })
  showUnfinished(MEMBER)
  vi.stubGlobal('localStorage', undefined)
  showUnfinished(MEMBER)
  expect(rows()).toEqual([])
})
