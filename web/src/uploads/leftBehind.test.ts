import { beforeEach, expect, test, vi } from 'vitest'
import { change, type Sending, useSending } from './sendings.ts'
import { readUnfinished } from './unfinished.ts'
import { saveUnfinishedUploads, showUnfinished, takeMatchingUnfinished, takeUnfinished } from './unfinishedUploads.ts'

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
  const editedFields = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => editedFields.get(key) ?? null,
    setItem: (key: string, text: string) => editedFields.set(key, text),
    removeItem: (key: string) => editedFields.delete(key),
  })
  useSending.setState({ list: [] })
  showUnfinished(MEMBER)
  saveUnfinishedUploads(MEMBER, [FIRST, SECOND])
})

test('what one visit had begun the next one shows, above what it sends itself', () => {
  useSending.setState({ list: [sending('now')] })
  showUnfinished(MEMBER)
  expect(rows()).toEqual([
    { id: 'left-aa', state: 'left', sent: 16 },
    { id: 'left-bb', state: 'left', sent: 8 },
    { id: 'now', state: 'sending', sent: 0 },
  ])
})

test('nobody is shown what another member had begun', () => {
  showUnfinished(MEMBER)
  showUnfinished(MEMBER + 1)
  expect(rows()).toEqual([])
})

test('the same file goes on in its place, and is written down once, as far as it is', () => {
  showUnfinished(MEMBER)
  takeMatchingUnfinished({ ...FIRST, name: 'Renamed.wav' })
  saveUnfinishedUploads(MEMBER, [{ ...FIRST, sent: 32 }])
  expect(rows().map(({ id }) => id)).toEqual(['left-bb'])
  expect(readUnfinished(MEMBER)).toEqual([{ ...FIRST, sent: 32 }, SECOND])
})

test('what has arrived is not shown again, and what was left is kept until somebody goes on with it', () => {
  showUnfinished(MEMBER)
  takeMatchingUnfinished({ ...FIRST, name: 'Renamed.wav' })
  saveUnfinishedUploads(MEMBER, [])
  expect(readUnfinished(MEMBER)).toEqual([SECOND])
})

test('a file that was still being measured is shown by its name, and replaced by the file of that name and size', () => {
  const analysedText = { sha256: '', name: 'Third (Intro).wav', bytes: 60, sent: 0 }
  saveUnfinishedUploads(MEMBER, [FIRST, analysedText, { ...analysedText }])
  expect(readUnfinished(MEMBER)).toEqual([FIRST, analysedText])
  showUnfinished(MEMBER)
  expect(rows().map(({ id }) => id)).toEqual(['left-aa', 'left-60-Third (Intro).wav'])
  takeMatchingUnfinished({ sha256: '', name: 'Third (Intro).wav', bytes: 61 })
  expect(rows()).toHaveLength(2)
  takeMatchingUnfinished(analysedText)
  saveUnfinishedUploads(MEMBER, [{ ...analysedText, sha256: 'cc', sent: 8 }])
  expect(rows().map(({ id }) => id)).toEqual(['left-aa'])
  expect(readUnfinished(MEMBER).map(({ sha256 }) => sha256)).toEqual(['cc', 'aa'])
})

test('what is dismissed is forgotten, and known by its content, so that the server forgets it too', () => {
  showUnfinished(MEMBER)
  expect(takeUnfinished('now')).toBeUndefined()
  expect(takeUnfinished('left-bb')).toEqual(SECOND)
  saveUnfinishedUploads(MEMBER, [])
  expect(readUnfinished(MEMBER)).toEqual([FIRST])
})

test('what was for a form stays for it, until its row is for none', () => {
  saveUnfinishedUploads(MEMBER, [
    { ...FIRST, form: 'song.new' },
    { ...SECOND, form: 'song.4' },
  ])
  showUnfinished(MEMBER)
  change('left-aa', { form: undefined })
  saveUnfinishedUploads(MEMBER, [])
  expect(readUnfinished(MEMBER)).toEqual([FIRST, { ...SECOND, form: 'song.4' }])
})

test('a browser that keeps nothing, or something else, shows nothing', () => {
  vi.stubGlobal('localStorage', { getItem: () => '{"sha256":1}' })
  showUnfinished(MEMBER)
  vi.stubGlobal('localStorage', undefined)
  showUnfinished(MEMBER)
  expect(rows()).toEqual([])
})
