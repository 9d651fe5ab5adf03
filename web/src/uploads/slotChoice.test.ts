import type { uploads } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { kindOf, withPlacedFiles } from './slotChoice.ts'
import { emptyForm, emptySlot, type FormSlot, MAX_VERSIONS } from './songForm.ts'

const KINDS = [
  { version_id: 1, name: 'Clean', new_label: '' },
  { version_id: 2, name: 'Intro Clean', new_label: '' },
]

const makeFile = (upload_id: number, version_label: string, state: uploads.UploadAnalysis['state'] = 'done') =>
  ({ upload_id, tag: { version_label }, analysis: { state } }) as uploads.ContainerFile

function placeFiles(slots: FormSlot[], ...files: uploads.ContainerFile[]) {
  const expectedUploadIds = files.map(({ upload_id }) => upload_id)
  const known = Object.fromEntries(files.map((file) => [file.upload_id, file]))
  return withPlacedFiles({ ...emptyForm('2027-01-01'), slots, coming: expectedUploadIds }, known, KINDS)
}

test('a kind is known by its words, whatever their order and case', () => {
  expect(kindOf('clean - INTRO', KINDS)?.version_id).toBe(2)
  expect(kindOf('Clean Short', KINDS)).toBeUndefined()
  expect(kindOf('', KINDS)).toBeUndefined()
})

test('a file that names its version goes into the slot that waits for it', () => {
  const slots = [
    { ...emptySlot('a'), version_id: 1 },
    { ...emptySlot('b'), version_id: 2 },
  ]
  const placedSlots = placeFiles(slots, makeFile(7, 'Intro Clean')).slots
  expect(placedSlots).toMatchObject([{ key: 'a' }, { key: 'b', version_id: 2, song: 7 }])
  expect(placedSlots[0]?.song).toBeUndefined()
  expect(placedSlots).toHaveLength(2)
})

test('without such a slot one is made, of its kind or with its own label', () => {
  expect(placeFiles([], makeFile(7, 'Clean'), makeFile(8, 'VIP')).slots).toMatchObject([
    { version_id: 1, new_label: '', song: 7 },
    { version_id: 0, new_label: 'VIP', song: 8 },
  ])
})

test('an untouched slot is filled before a new one is made', () => {
  expect(placeFiles([emptySlot('a')], makeFile(7, 'Clean')).slots).toMatchObject([{ key: 'a', version_id: 1, song: 7 }])
})

test('a second file of one version waits for a person to say what it is', () => {
  const [, second] = placeFiles([], makeFile(7, 'Clean'), makeFile(8, 'Clean')).slots
  expect(second).toMatchObject({ song: 8, new_label: '' })
  expect(second?.version_id).toBeUndefined()
})

test('a file has a slot at once, and its version when that is known', () => {
  const first = placeFiles([], makeFile(7, '', 'running'))
  expect(first).toMatchObject({ slots: [{ song: 7 }], coming: [7] })
  expect(withPlacedFiles(first, { 7: makeFile(7, '', 'running') }, KINDS)).toBe(first)
  expect(withPlacedFiles(first, { 7: makeFile(7, 'Clean') }, KINDS)).toMatchObject({
    slots: [{ song: 7, version_id: 1 }],
    coming: [],
  })
})

test('a file that says nothing of its version leaves that to a person', () => {
  expect(placeFiles([], makeFile(7, '', 'done'))).toMatchObject({ slots: [{ song: 7 }], coming: [] })
})

test('a version that somebody chose meanwhile stays', () => {
  const slots = [{ ...emptySlot('a'), song: 7, version_id: 2 }]
  expect(placeFiles(slots, makeFile(7, 'Clean')).slots).toEqual(slots)
})

test('a file that was put into a slot by hand meanwhile is not placed again', () => {
  expect(placeFiles([{ ...emptySlot('a'), version_id: 1, song: 7 }], makeFile(7, 'Clean')).slots).toHaveLength(1)
})

test('a file for which a song has no room stays among the uploads', () => {
  const usedUploadIds = Array.from({ length: MAX_VERSIONS }, (_, n) => ({
    ...emptySlot(`slot-${n}`),
    version_id: 1,
    song: n,
  }))
  expect(placeFiles(usedUploadIds, makeFile(99, 'VIP'))).toMatchObject({ slots: usedUploadIds, coming: [] })
})
