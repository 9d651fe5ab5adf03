import { expect, test } from 'vitest'
import { makeDownloadProfile } from '../../test/memberSamples.ts'
import { EXAMPLE_SONGS, exampleVersions, previewPaths } from './pathPreview.ts'

const [song] = EXAMPLE_SONGS
const version = { ...song!, artist: 'Nova', title: 'Night Bus', version_label: 'Intro', genres: ['House'] }
const profile = makeDownloadProfile()

const preview = (changes: Partial<typeof profile>, ...versions: Partial<typeof version>[]) =>
  previewPaths(
    { ...profile, ...changes },
    versions.map((each) => ({ ...version, ...each })),
  ).at(-1)!

test('shows the path on the system of the profile, without a separator at the end of the folder', () => {
  expect(preview({ folder_template: '{genre}' }, {}).absolute).toBe(
    '/Users/dj/Music/House/Nova - Night Bus (Intro).mp3',
  )
  expect(preview({ system: 'windows', music_folder: ' E:\\Music\\ ', folder_template: '{genre}' }, {}).absolute).toBe(
    'E:\\Music\\House\\Nova - Night Bus (Intro).mp3',
  )
  expect(preview({}, {})).toMatchObject({
    ...{ replaced: [], isNameShortened: false, isPathShortened: false, isNumbered: false },
  })
})

test('names the characters that were replaced, of songs and of templates, but not the separators of folders', () => {
  expect(preview({}, { artist: 'Day/Night', title: 'Why? Why?' }).replaced).toEqual(['/', '?'])
  expect(preview({ file_template: '{artist}: {title}' }, {}).replaced).toEqual([':'])
  expect(preview({ folder_template: '{genre}/{artist}' }, {}).replaced).toEqual([])
  expect(preview({}, { artist: 'Zoë\u0308 🔥', title: 'Dé\u0301jà' }).replaced).toEqual([])
  // Only what the templates contain.
  expect(preview({ file_template: '{title}' }, { artist: 'Day/Night' }).replaced).toEqual([])
})

test('notices names and paths that are too long', () => {
  expect(preview({}, { title: 'x'.repeat(200) })).toMatchObject({ isNameShortened: true, isPathShortened: false })
  const folder_template = '{title}/{title}/{title}'
  const deep = { title: 'x'.repeat(90) }
  expect(preview({ folder_template }, deep)).toMatchObject({ isNameShortened: false, isPathShortened: false })
  expect(preview({ folder_template, system: 'windows', music_folder: 'C:\\Music' }, deep)).toMatchObject({
    isPathShortened: true,
  })
})

test('notices a number that was added to the second of two equal names', () => {
  const file_template = '{genre}'
  expect(preview({ file_template }, {}).isNumbered).toBe(false)
  expect(preview({ file_template }, {}, { title: 'Other' })).toMatchObject({
    absolute: '/Users/dj/Music/House (2).mp3',
    isNumbered: true,
  })
})

test('converts only the lossless examples', () => {
  const extensionsIn = (format: 'original' | 'mp3' | 'aiff') =>
    exampleVersions(format).map(({ extension }) => extension)
  expect(extensionsIn('original')).toEqual(['.mp3', '.wav', '.mp3', '.flac'])
  expect(extensionsIn('mp3')).toEqual(['.mp3', '.mp3', '.mp3', '.mp3'])
  expect(extensionsIn('aiff')).toEqual(['.mp3', '.aiff', '.mp3', '.aiff'])
})
