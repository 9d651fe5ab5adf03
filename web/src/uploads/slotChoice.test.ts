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

test('recognises a version type by its words in any order and case', () => {
  expect(kindOf('clean - INTRO', KINDS)?.version_id).toBe(2)
  expect(kindOf('Clean Short', KINDS)).toBeUndefined()
  expect(kindOf('', KINDS)).toBeUndefined()
})

test('puts a file that names its version into the matching slot', () => {
  const slots = [
    { ...emptySlot('a'), version_id: 1 },
    { ...emptySlot('b'), version_id: 2 },
  ]
  const placedSlots = placeFiles(slots, makeFile(7, 'Intro Clean')).slots
  expect(placedSlots).toMatchObject([{ key: 'a' }, { key: 'b', version_id: 2, song: 7 }])
  expect(placedSlots[0]?.song).toBeUndefined()
  expect(placedSlots).toHaveLength(2)
})

test('creates a slot if there is none, with a version type or a custom label', () => {
  expect(placeFiles([], makeFile(7, 'Clean'), makeFile(8, 'VIP')).slots).toMatchObject([
    { version_id: 1, new_label: '', song: 7 },
    { version_id: 0, new_label: 'VIP', song: 8 },
  ])
})

test('fills an untouched slot before creating a new one', () => {
  expect(placeFiles([emptySlot('a')], makeFile(7, 'Clean')).slots).toMatchObject([{ key: 'a', version_id: 1, song: 7 }])
})

test('does not name the slot of a second file of the same version', () => {
  const [, second] = placeFiles([], makeFile(7, 'Clean'), makeFile(8, 'Clean')).slots
  expect(second).toMatchObject({ song: 8, new_label: '' })
  expect(second?.version_id).toBeUndefined()
})

test('gives a file a slot at once, and its version once that is known', () => {
  const first = placeFiles([], makeFile(7, '', 'running'))
  expect(first).toMatchObject({ slots: [{ song: 7 }], coming: [7] })
  expect(withPlacedFiles(first, { 7: makeFile(7, '', 'running') }, KINDS)).toBe(first)
  expect(withPlacedFiles(first, { 7: makeFile(7, 'Clean') }, KINDS)).toMatchObject({
    slots: [{ song: 7, version_id: 1 }],
    coming: [],
  })
})

test('does not choose a version for a file that does not name it', () => {
  expect(placeFiles([], makeFile(7, '', 'done'))).toMatchObject({ slots: [{ song: 7 }], coming: [] })
})

test('keeps a version that was chosen in the meantime', () => {
  const slots = [{ ...emptySlot('a'), song: 7, version_id: 2 }]
  expect(placeFiles(slots, makeFile(7, 'Clean')).slots).toEqual(slots)
})

test('does not place a file again that was put into a slot by hand', () => {
  expect(placeFiles([{ ...emptySlot('a'), version_id: 1, song: 7 }], makeFile(7, 'Clean')).slots).toHaveLength(1)
})

test('leaves a file among the uploads when a song has no free slot', () => {
  const fullSlots = Array.from({ length: MAX_VERSIONS }, (_, n) => ({
    ...emptySlot(`slot-${n}`),
    version_id: 1,
    song: n,
  }))
  expect(placeFiles(fullSlots, makeFile(99, 'VIP'))).toMatchObject({ slots: fullSlots, coming: [] })
})
