import { expect, test } from 'vitest'
import { archivePlaylist } from './archive-playlist.ts'

const entry = { artist: 'Ωmega', title: 'Ночь', version_label: 'Intro', duration_seconds: 201.6 }

test('the playlist of an archive uses the names of the files in the archive', () => {
  const modified = new Date('2024-05-17T13:37:42Z')
  const { name, length, segments } = archivePlaylist(
    'playlist.m3u8',
    [entry, entry],
    [{ name: 'Same?.mp3' }, { name: 'same?.mp3' }],
    { modified, skipped: [{ title: 'One\n- Two', why: 'The file is missing.' }] },
  )
  const text = String(segments[0])
  expect(text.split('\n').filter((line) => line.endsWith('.mp3'))).toEqual(['Same_.mp3', 'same_ (2).mp3'])
  expect(text.split('\n')[1]).toBe('# Not included: One - Two. The file is missing.')
  expect([name, length]).toEqual(['playlist.m3u8', Buffer.byteLength(text)])
})
