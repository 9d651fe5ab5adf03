import { MAX_NAME_BYTES, safeName, uniquePaths } from '@dubplate/contract'
import contentDispositionPackage from 'content-disposition'
import { describe, expect, test } from 'vitest'
import { measureCpu } from '../../test/cpu.ts'
import { fc } from '../../test/properties.ts'
import { contentDisposition, downloadName, trackName } from './file-names.ts'

const track = { artist: 'Nova', title: 'Night Bus', version_label: 'Intro', format: 'mp3' } as const
const anyText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.string({ unit: 'grapheme', maxLength: 100 }),
  fc.constantFrom('CON', 'nul.tar', '..', '../../etc/passwd', 'C:\\Windows', '\ud800', 'e\u0301'.repeat(200), '.', ''),
)

function expectLegal(name: string) {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(name).not.toMatch(/[<>:"/\\|?*\u0000-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/)
  expect(name).not.toMatch(/^[ .]|[ .]$/)
  expect(name).not.toMatch(/^(con|prn|aux|nul|com\d|lpt\d)\s*(\.|$)/i)
  expect(name.normalize('NFC')).toBe(name)
  expect(Buffer.from(name, 'utf8').toString('utf8')).toBe(name)
  expect(Buffer.byteLength(name)).toBeLessThanOrEqual(MAX_NAME_BYTES)
  expect(name).not.toBe('')
}

describe('downloadName', () => {
  test('is Artist - Title (Version) with the extension of the format', () => {
    expect(downloadName(track)).toBe('Nova - Night Bus (Intro).mp3')
    expect(downloadName({ ...track, format: 'aiff' })).toBe('Nova - Night Bus (Intro).aiff')
  })

  test('adds neither a version that the title already has nor an empty one', () => {
    expect(downloadName({ ...track, title: 'Night Bus (intro)' })).toBe('Nova - Night Bus (intro).mp3')
    expect(downloadName({ ...track, title: 'Night Bus [INTRO]' })).toBe('Nova - Night Bus [INTRO].mp3')
    expect(downloadName({ ...track, title: 'Night Bus - Intro' })).toBe('Nova - Night Bus - Intro.mp3')
    expect(downloadName({ ...track, title: 'Night Bus Intro' })).toBe('Nova - Night Bus Intro (Intro).mp3')
    expect(trackName({ ...track, version_label: '' })).toBe('Nova - Night Bus')
  })

  test('keeps every alphabet and replaces what file systems do not allow', () => {
    expect(downloadName({ ...track, artist: 'AC/DC', title: '夜: ночь? 🎧' })).toBe('AC-DC - 夜- ночь_ 🎧 (Intro).mp3')
  })

  test('keeps the extension of a name that is only dots', () => {
    expect(downloadName({ artist: '.', title: '', version_label: '', format: 'flac' })).toBe('Untitled.flac')
  })

  test('shortens the end of a long title, not the version or the extension, and splits no character', () => {
    const name = downloadName({ ...track, title: '👩🏽‍🎤'.repeat(60) })
    expect(name).toMatch(/^Nova - (👩🏽‍🎤)+ \(Intro\)\.mp3$/u)
    expect(Buffer.byteLength(name)).toBeGreaterThan(MAX_NAME_BYTES - 20)
    expectLegal(name)
  })

  test('leaves space for the title after a long list of artists', () => {
    expect(downloadName({ ...track, artist: 'Nova & Friends '.repeat(20) })).toContain(' - Night Bus (Intro).mp3')
  })

  test('is valid for any artist, title and version', { tags: 'property' }, () => {
    fc.assert(
      fc.property(anyText, anyText, anyText, (artist, title, version_label) => {
        const name = downloadName({ artist, title, version_label, format: 'flac' })
        expectLegal(name)
        expect(name.endsWith('.flac')).toBe(true)
      }),
    )
  })
})

describe('names in an archive', () => {
  test('change device names of Windows', () => {
    expect([safeName('CON.mp3'), safeName('lpt1'), safeName('Console.mp3')]).toEqual([
      'CON_.mp3',
      'lpt1_',
      'Console.mp3',
    ])
  })

  test('never leave the folder they are extracted to', () => {
    expect(uniquePaths(['../../etc/passwd', '/abs/./x.mp3', '..\\up.mp3', 'C:/y', ' / '])).toEqual([
      'etc/passwd',
      'abs/x.mp3',
      '-up.mp3',
      'C-/y',
      'Untitled',
    ])
  })

  test('get a number when they differ only by case or Unicode composition', () => {
    expect(uniquePaths(['A.mp3', 'a.MP3', 'A.mp3', 'Café.mp3', 'Cafe\u0301.mp3', 'A (2).mp3'])).toEqual([
      'A.mp3',
      'a (2).MP3',
      'A (3).mp3',
      'Café.mp3',
      'Café (2).mp3',
      'A (2) (2).mp3',
    ])
  })

  test('are valid and unique for any input, and unchanged when applied again', { tags: 'property' }, () => {
    fc.assert(
      fc.property(fc.array(anyText, { maxLength: 12 }), (names) => {
        const paths = uniquePaths(names)
        for (const path of paths) path.split('/').forEach(expectLegal)
        expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(names.length)
        expect(uniquePaths(paths)).toEqual(paths)
      }),
    )
  })

  test('take few steps for a thousand files with one name', async () => {
    const naming = (names: string[]) => measureCpu(() => expect(new Set(uniquePaths(names)).size).toBe(20_000))
    const different = await naming(Array.from({ length: 20_000 }, (_, n) => `${n}.mp3`))
    expect((await naming(Array(20_000).fill('same.mp3'))) / different).toBeLessThan(20)
  })
})

test('the header has the name in UTF-8 and a readable one for old clients', () => {
  expect(contentDisposition('Café – Ночь "x".mp3')).toBe(
    `attachment; filename="Cafe _ _ \\"x\\".mp3"; filename*=UTF-8''Caf%C3%A9%20%E2%80%93%20%D0%9D%D0%BE%D1%87%D1%8C%20%22x%22.mp3`,
  )
  expect(contentDisposition('Nova - Night Bus (Intro).mp3')).toBe(
    contentDispositionPackage('Nova - Night Bus (Intro).mp3'),
  )
})
