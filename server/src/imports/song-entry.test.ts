import { expect, test } from 'vitest'
import { identityOf } from '../catalogue/words.ts'
import { applyAnalysis, describeSong, findFreeLabel, parseArtistFolder } from './song-entry.ts'
import { genreNames, type Tags } from './tags.ts'

const tags = (overrides: Partial<Tags> = {}): Tags => ({ genres: [], ...overrides })
const describe = (path: string, overrides?: Partial<Tags>) => describeSong(path, tags(overrides))
const identify = (path: string, overrides?: Partial<Tags>) => {
  const entry = describe(path, overrides)
  if (!entry) throw new Error(`${path} tells nothing`)
  return identityOf(entry)
}

test('tags take precedence over the name', () => {
  const entry = describe('Wrong - Name (Clean) [5A 100].mp3', {
    artist: 'Nova',
    title: 'Sunrise',
    bpm: 124,
    song_key: 'Am',
  })
  expect(entry).toMatchObject({
    artist: 'Nova',
    title: 'Sunrise',
    min_bpm: 124,
    bpm_source: 'tag',
    song_key: 'Am',
    key_source: 'tag',
  })
})

test('uses the name when a tag is missing', () => {
  expect(describe('Nova - Sunrise (Clean) [8A 124].mp3')).toMatchObject({
    ...{ artist: 'Nova', title: 'Sunrise', version_label: 'Clean' },
    ...{ min_bpm: 124, max_bpm: 124, bpm_source: 'name', song_key: 'Am', key_source: 'name' },
  })
})

test('uses the analysis when nothing else is known', () => {
  const heard = { bpm: 99.5, song_key: 'C' }
  expect(applyAnalysis(describe('A - B (124 BPM).mp3')!, heard)).toMatchObject({
    min_bpm: 124,
    bpm_source: 'name',
    song_key: 'C',
    key_source: 'analysis',
  })
  expect(applyAnalysis(describe('A - B.mp3', { song_key: 'Am' })!, heard)).toMatchObject({
    min_bpm: 99.5,
    bpm_source: 'analysis',
    song_key: 'Am',
    key_source: 'tag',
  })
  expect(applyAnalysis(describe('A - B.mp3')!, { bpm: null, song_key: null }).bpm_source).toBeUndefined()
})

test('a number at the end of a tagged title is a tempo when the tempo tag agrees', () => {
  const title = (title: string, bpm?: number) =>
    describe('x.mp3', { artist: 'Nova', title, ...(bpm ? { bpm } : {}) })?.title
  expect(title('Get Low 103')).toBe('Get Low')
  expect(title('Get Low (Clean) 103')).toBe('Get Low')
  expect(title('Summer 91', 91)).toBe('Summer')
  expect(title('Summer 91', 122)).toBe('Summer 91')
  expect(title('Summer 91')).toBe('Summer 91')
  expect(title('Lollipop 148', 74)).toBe('Lollipop')
  expect(title('Planet 103', 128)).toBe('Planet 103')
})

test('a label in square brackets after the version is the label of the song', () => {
  expect(describe('Nova - Sunrise (Original Mix) [Dusk Records].wav')).toMatchObject({
    title: 'Sunrise',
    label: 'Dusk Records',
  })
  expect(describe('x.mp3', { artist: 'Nova', title: 'Sunrise [Intro Clean 124]' })).toMatchObject({
    ...{ title: 'Sunrise', version_label: 'Intro Clean', min_bpm: 124 },
  })
})

test('removes the version from the title in the tags', () => {
  expect(describe('x.mp3', { artist: 'Nova', title: 'Sunrise (Dirty Extended Intro)' })).toMatchObject({
    title: 'Sunrise',
    version_label: 'Extended Intro Dirty',
  })
})

test.each([
  ['Clean', 'Intro Clean', 'Intro Clean'],
  ['Intro Clean', 'Clean', 'Intro Clean'],
  ['Original Mix', 'Clean', 'Clean'],
  ['Dirty', 'Clean', 'Dirty'],
])('prefers the more detailed version of “%s” in the tags and “%s” in the name', (tagged, named, label) => {
  expect(
    describe(`Nova - Sunrise (${named}).mp3`, { artist: 'Nova', title: `Sunrise (${tagged})` })?.version_label,
  ).toBe(label)
})

test('a file without a version is the original', () => {
  expect(describe('Nova - Sunrise.mp3')?.version_label).toBe('Original')
})

test('groups the versions of a song, however they are written', () => {
  const same = [
    identify('Nova - Sunrise (Clean).mp3'),
    identify('01 NOVA – sunrise [Intro - Dirty] [8A 124].mp3'),
    identify('Nova_-_Sunrise_(Instrumental).wav'),
    identify('x.mp3', { artist: 'Nova', title: 'Sunrise (Radio Edit)' }),
    identify('x.mp3', { title: 'Nova - Sunrise (Acapella)' }),
    identify('x.mp3', { artist: 'Nova', title: 'Nova - Sunrise' }),
  ]
  expect(new Set(same)).toEqual(new Set(['nova|sunrise|']))
})

test('finds guests in any field', () => {
  const same = [
    identify('Nova ft. Mira - Sunrise (Clean).mp3'),
    identify('Nova - Sunrise (feat. Mira) (Dirty).mp3'),
    identify('x.mp3', { artist: 'Nova featuring Mira', title: 'Sunrise' }),
    identify('x.mp3', { artist: 'Nova', title: 'Sunrise (ft. Mira) [Clean]' }),
    identify('x.mp3', { artist: 'Nova feat. Mira', title: 'Sunrise (feat. Mira)' }),
  ]
  expect(new Set(same).size).toBe(1)
})

test('a remix is a separate song with its own versions', () => {
  const same = [
    identify('Nova - Sunrise (Vex Remix).mp3'),
    identify('Nova - Sunrise (Vex Extended Remix).mp3'),
    identify('Nova - Sunrise (Vex Remix) (Clean).mp3', { artist: 'Nova', title: 'Sunrise' }),
    identify('x.mp3', { artist: 'Nova', title: 'Sunrise', remixer: 'Vex' }),
    identify('x.mp3', { artist: 'Nova', title: 'Sunrise (Vex Remix)', remixer: 'Vex' }),
  ]
  expect(new Set(same)).toEqual(new Set(['nova|sunrise vex remix|vex']))
  expect(same).not.toContain(identify('Nova - Sunrise.mp3'))
})

test('a transition has both its tempos, whatever the tag says', () => {
  expect(describe('Nova - Sunrise (Transition 98-128).mp3', { bpm: 98 })).toMatchObject({ min_bpm: 98, max_bpm: 128 })
})

test('returns nothing without an artist or a title in tags, name or folders', () => {
  expect(describe('track.mp3')).toBeUndefined()
  expect(describe('one folder/track.mp3')).toBeUndefined()
  expect(describe('x.mp3', { artist: 'Nova' })).toMatchObject({ artist: 'Nova', title: 'x' })
  expect(describe('Nova/Dawn/track.mp3')).toMatchObject({ artist: 'Nova', album: 'Dawn', title: 'track' })
})

test('folders of various artists provide no artist', () => {
  expect(parseArtistFolder('Various Artists/Hits/x.mp3')).toEqual({})
})

test('numbers the next free label', () => {
  expect(findFreeLabel('Clean', new Set())).toBe('Clean')
  expect(findFreeLabel('Clean', new Set(['Clean', 'Clean (2)']))).toBe('Clean (3)')
})

test('splits genres and leaves out meaningless ones', () => {
  expect(genreNames(['House; Deep House', 'Other'])).toEqual(['House', 'Deep House'])
  expect(genreNames(['Hip-Hop/Rap', 'hip-hop/rap', '(17)'])).toEqual(['Hip-Hop/Rap'])
  expect(genreNames(['Drum & Bass / Jungle'])).toEqual(['Drum & Bass', 'Jungle'])
})
