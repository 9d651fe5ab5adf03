import { parseKey } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { MISREAD_NAMES, type NamedFileFixture, POOL_FILE_NAMES } from '../../test/pool-file-names.ts'
import { parseFileName } from './file-name.ts'

function parseName(name: string): NamedFileFixture {
  const { artist = '', featuring, title = '', version = '', bpm, song_key } = parseFileName(name)
  return [name, featuring ? `${artist} feat. ${featuring}` : artist, title, version, bpm, song_key]
}

const expected = ([name, artist, title, version = '', bpm, key]: NamedFileFixture): NamedFileFixture => [
  ...([name, artist, title, version, bpm] as const),
  key === undefined ? undefined : parseKey(key),
]

test('parses artist, title, version, tempo and key in realistic file names of record pools, shops and labels', () => {
  const readable = POOL_FILE_NAMES.filter(([name]) => !MISREAD_NAMES.includes(name))
  expect(readable.map(([name]) => parseName(name))).toEqual(readable.map(expected))
  expect(readable.length).toBeGreaterThanOrEqual(145 + 30)
  expect(POOL_FILE_NAMES.length).toBe(150 + 30)
})
