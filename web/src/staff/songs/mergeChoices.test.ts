import { expect, test } from 'vitest'
import { collisionIn, type MergeVersion, placesOf } from './mergeChoices.ts'

const version = (song_version_id: number, version_label: string, more: Partial<MergeVersion> = {}): MergeVersion => ({
  ...{ song_version_id, entity_id: 1, version_label, format: 'mp3', bitrate_kbps: 320, duration_seconds: 200 },
  ...{
    uploaded_name: '',
    downloads: 0,
    is_listed: true,
    proposed_label: version_label,
    conflicts_with: null,
    is_same_audio: false,
  },
  ...more,
})
const CLEAN = version(1, 'Clean')
const TWIN = version(2, 'Clean', { entity_id: 2, conflicts_with: 1, proposed_label: 'Clean (2)' })
const ALL = [CLEAN, version(3, 'Dirty'), TWIN]

test('keeps both, the later one under the suggested name', () => {
  expect(placesOf(ALL, {})).toEqual([{ song_version_id: 2, version_label: 'Clean (2)' }])
  expect(collisionIn(ALL, {})).toBe('')
})

test('removes one of two: this one or the one it conflicts with', () => {
  expect(placesOf(ALL, { 2: { way: 'this', label: '' } })).toEqual([
    { song_version_id: 2, version_label: 'Clean', unpublish: true },
  ])
  expect(placesOf(ALL, { 2: { way: 'other', label: '' } })).toEqual([
    { song_version_id: 1, version_label: 'Clean', unpublish: true },
  ])
})

test('suggests removing a copy of identical audio', () => {
  expect(placesOf([CLEAN, { ...TWIN, is_same_audio: true }], {})).toEqual([
    { song_version_id: 2, version_label: 'Clean', unpublish: true },
  ])
})

test('reports a missing or duplicate name before sending', () => {
  expect(collisionIn(ALL, { 2: { way: 'both', label: 'dirty' } })).toBe(
    'Two versions can’t have the same name (“dirty”).',
  )
  expect(collisionIn(ALL, { 2: { way: 'both', label: ' ' } })).toBe('Enter a name for each version.')
})
