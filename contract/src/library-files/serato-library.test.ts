import { describe, expect, test } from 'vitest'
import { encoder, entryWith, read } from './make-library-files.ts'

describe('Serato', () => {
  const utf16 = (text: string) =>
    Array.from({ length: text.length }, (_, n) => text.charCodeAt(n)).flatMap((unit) => [unit >> 8, unit & 0xff])
  const field = (tag: string, data: number[]): number[] => [
    ...encoder.encode(tag),
    ...[24, 16, 8, 0].map((shift) => (data.length >>> shift) & 0xff),
    ...data,
  ]
  const song = (values: Record<string, string>) =>
    field(
      'otrk',
      Object.entries(values).flatMap(([tag, text]) => field(tag, utf16(text))),
    )
  const version = field('vrsn', utf16('2.0/Serato Scratch LIVE Database'))
  const readSongs = (...songs: number[][]) => read(Uint8Array.from([version, ...songs].flat()))

  test('reads all values of a song', async () => {
    const { format, entries, error } = await readSongs(
      song({
        ttyp: 'mp3',
        pfil: 'Users/dj/Music/Ä 東 😀.mp3',
        tsng: 'Títle 😀',
        tart: 'Ärtist',
        talb: 'Alb',
        trmx: 'Bob',
        tlen: '03:25.31',
        tbpm: '124.50',
      }),
      field('otrk', [...field('bmis', [0]), ...field('pfil', utf16('a.mp3'))]),
    )
    expect({ format, error }).toEqual({ format: 'serato', error: null })
    expect(entries).toEqual([
      entryWith({
        artist: 'Ärtist',
        title: 'Títle 😀',
        remixer: 'Bob',
        album: 'Alb',
        duration_seconds: 205.31,
        bpm: 124.5,
        file_name: 'Ä 東 😀.mp3',
        path_parts: ['dj', 'Music', 'Ä 東 😀.mp3'],
      }),
      entryWith({ file_name: 'a.mp3', path_parts: ['a.mp3'] }),
    ])
  })

  test.each([
    ['205', 205],
    ['1:02:03', 3723],
    ['', null],
    ['unknown', null],
  ])('reads the length %j', async (tlen, seconds) => {
    expect((await readSongs(song({ pfil: 'a.mp3', tlen }))).entries[0]?.duration_seconds).toBe(seconds)
  })

  test('reads the paths of a crate', async () => {
    expect((await readSongs(song({ ptrk: 'Music/a.mp3' }))).entries[0]?.path_parts).toEqual(['Music', 'a.mp3'])
  })

  test('reads a database of several parts', async () => {
    const songs = Array.from({ length: 3000 }, (_, n) =>
      song({ pfil: `Music/${n}.mp3`, tsng: `Song ${n} ${'x'.repeat(n % 90)}` }),
    )
    const { entries } = await readSongs(...songs)
    expect(entries.map(({ file_name }) => file_name)).toEqual(songs.map((_, n) => `${n}.mp3`))
  })

  test('keeps the songs before the damage', async () => {
    const [first, second] = [song({ pfil: 'a.mp3' }), song({ pfil: 'b.mp3' })]
    expect(await readSongs(first, second.slice(0, -1))).toMatchObject({
      entries: [{ file_name: 'a.mp3' }],
      error: { code: 'incomplete' },
    })
    expect(await readSongs(first, field('xxxx', []).fill(0xff, 4), second)).toMatchObject({
      entries: [{ file_name: 'a.mp3' }],
      error: { code: 'damaged' },
    })
    expect(await readSongs(first, field('otrk', [1, 2, 3]), second)).toMatchObject({
      entries: [{ file_name: 'a.mp3' }],
      error: { code: 'damaged' },
    })
  })
})
