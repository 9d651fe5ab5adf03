import { describe, expect, test } from 'vitest'
import { encoder, entryWith, read } from './make-library-files.ts'

describe('M3U', () => {
  test('reads artist, title and length of the line before a path', async () => {
    const content = `#EXTM3U\r\n#PLAYLIST:Night\r\n#EXTINF:215,A - B - C\r\nMusic\\House\\a.mp3\r\n\r\n#EXTINF:-1,Only a title\r\n./#b.mp3\r\nc.mp3\r\nhttp://host/d.mp3\r\n#EXTINF:9\r\nfile:///e%20f.mp3`
    const { entries } = await read(content)
    expect(entries).toEqual([
      entryWith({
        artist: 'A',
        title: 'B - C',
        duration_seconds: 215,
        file_name: 'a.mp3',
        path_parts: ['Music', 'House', 'a.mp3'],
      }),
      entryWith({ title: 'Only a title', file_name: '#b.mp3', path_parts: ['#b.mp3'] }),
      entryWith({ file_name: 'c.mp3', path_parts: ['c.mp3'] }),
      entryWith({ duration_seconds: 9, file_name: 'e f.mp3', path_parts: ['e f.mp3'] }),
    ])
  })

  test('reads a file that is not UTF-8 as Windows-1252', async () => {
    const bytes = Uint8Array.from([...encoder.encode('#EXTM3U\n#EXTINF:1,Caf'), 0xe9, 0x20, 0x2d, 0x20, 0x93, 0x94])
    const lines = Uint8Array.from([...bytes, ...encoder.encode('\na.mp3\n')])
    expect((await read(lines)).entries).toMatchObject([{ artist: 'Café', title: '“”' }])
  })
})
