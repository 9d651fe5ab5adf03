import path from 'node:path'
import { expect, test } from 'vitest'
import { extractPathTags, PatternError, parsePath, parsePattern } from './path-pattern.ts'

const read = (pattern: string, file: string) => parsePath(parsePattern(pattern), file)

test('reads values from the folders and the name of a file', () => {
  expect(read('{label}/{artist} - {title}', path.join('promos', 'Dusk', 'Nova - Sunrise (Clean).mp3'))).toEqual({
    ...{ label: 'Dusk', artist: 'Nova', title: 'Sunrise (Clean)' },
  })
  expect(read('{genre}/{artist}/{title} [{bpm}]', 'House/Nova/Sunrise [124].wav')).toEqual({
    ...{ genre: 'House', artist: 'Nova', title: 'Sunrise', bpm: '124' },
  })
  expect(read('{title} by {artist}', 'Sunrise_by_Nova.mp3')).toEqual({ title: 'Sunrise', artist: 'Nova' })
  expect(read('{ignore} - {artist} - {title}', '03 – Nova – Sun - Rise.mp3')).toEqual({
    artist: 'Nova',
    title: 'Sun - Rise',
  })
  expect(read('{artist}/{year} {album}/{ignore} {title}', 'Nova/2019 Glassworks/01 Sunrise.flac')).toEqual({
    ...{ artist: 'Nova', year: '2019', album: 'Glassworks', title: 'Sunrise' },
  })
})

test('returns nothing for a path that does not match', () => {
  expect(read('{label}/{artist} - {title}', 'Nova - Sunrise.mp3')).toBeUndefined()
  expect(read('{label}/{artist} - {title}', 'Dusk/Sunrise.mp3')).toBeUndefined()
  expect(read('{title} ({version})', 'Sunrise (Clean) x.mp3')).toBeUndefined()
})

test('normalises values like tags and leaves out invalid ones', () => {
  const pattern = parsePattern('{genre} {year} {bpm} {key} {version} - {title}')
  expect(extractPathTags(pattern, 'House;Techno 2019 124 8A Clean - Sunrise.mp3')).toEqual({
    tags: { title: 'Sunrise', genres: ['House', 'Techno'], year: 2019, bpm: 124, song_key: 'Am' },
    version: 'Clean',
  })
  expect(extractPathTags(pattern, 'House 19 x y Clean - Sunrise.mp3')).toEqual({
    tags: { title: 'Sunrise', genres: ['House'] },
    version: 'Clean',
  })
})

test.each([
  ['no fields', /has no field\. Use \{artist\}/],
  ['{artst} - {title}', /no field \{artst\}/],
  ['{artist}{title}', /between two fields/],
  ['{artist} - {artist}', /contains \{artist\} twice/],
  ['{artist - {title}', /isn’t closed/],
  ['{label}//{title}', /part of the pattern is empty/],
  [`{title}${'x'.repeat(200)}`, /at most 200/],
])('refuses the pattern %s', (pattern, why) => {
  expect(() => parsePattern(pattern)).toThrow(PatternError)
  expect(() => parsePattern(pattern)).toThrow(why)
})
