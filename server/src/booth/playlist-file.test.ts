import { expect, test } from 'vitest'
import { playlistFile } from './playlist-file.ts'

const entry = {
  artist: 'Ωmega',
  title: 'Ночь',
  version_label: 'Intro',
  path: 'Crate/Ωmega - Ночь (Intro).mp3',
  duration_seconds: 201.6,
}

test('a playlist is UTF-8 without a byte order mark, with the length, name and relative path of each track', () => {
  expect(playlistFile([entry]).toString('utf8')).toBe(
    '#EXTM3U\n#EXTINF:202,Ωmega - Ночь (Intro)\nCrate/Ωmega - Ночь (Intro).mp3\n',
  )
})

test('a line break in a title adds no line, a path with # is not a comment, and an unknown length is -1', () => {
  const odd = { ...entry, title: 'One\r\nTwo', path: '#1 hit.mp3', duration_seconds: null }
  expect(playlistFile([odd]).toString('utf8').split('\n')).toEqual([
    '#EXTM3U',
    '#EXTINF:-1,Ωmega - One Two (Intro)',
    './#1 hit.mp3',
    '',
  ])
})
