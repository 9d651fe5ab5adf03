import { expect, test } from 'vitest'
import { collisionIn, type MergeVersion, placesOf } from './mergeChoices.ts'

const version = (song_version_id: number, version_label: string, more: Partial<MergeVersion> = {}): MergeVersion => ({
  ...{ song_version_id, entity_id: 1, version_label, format: 'mp3', bitrate_kbps: 320, duration_seconds: 200 },
  ...{
    uploaded_name: '',
    downloads: 0,
    is_listed: true,
    proposed_label: version_label,
    meets: null,
    same_sound: false,
  },
  ...more,
})
const CLEAN = version(1, 'Clean')
const TWIN = version(2, 'Clean', { entity_id: 2, meets: 1, proposed_label: 'Clean (2)' })
const ALL = [CLEAN, version(3, 'Dirty'), TWIN]

test('both stay, the later one under the name that is proposed', () => {
  expect(placesOf(ALL, {})).toEqual([{ song_version_id: 2, version_label: 'Clean (2)' }])
  expect(collisionIn(ALL, {})).toBe('')
})

test('one of two leaves: this one, or the one it meets', () => {
  expect(placesOf(ALL, { 2: { way: 'this', label: '' } })).toEqual([
    { song_version_id: 2, version_label: 'Clean', withdraw: true },
  ])
  expect(placesOf(ALL, { 2: { way: 'other', label: '' } })).toEqual([
    { song_version_id: 1, version_label: 'Clean', withdraw: true },
  ])
})

test('the very same sound need not be there twice', () => {
  expect(placesOf([CLEAN, { ...TWIN, same_sound: true }], {})).toEqual([
    { song_version_id: 2, version_label: 'Clean', withdraw: true },
  ])
})

test('a name that is taken, or none, is said before it is sent', () => {
  expect(collisionIn(ALL, { 2: { way: 'both', label: 'dirty' } })).toBe(
    'Two versions can’t have the same name (“dirty”).',
  )
  expect(collisionIn(ALL, { 2: { way: 'both', label: ' ' } })).toBe('Enter a name for each version.')
})
