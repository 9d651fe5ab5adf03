import { describe, expect, test } from 'vitest'
import { fc } from '../../server/test/properties.ts'
import {
  commentOf,
  DEFAULT_FILE_TEMPLATE,
  fileName,
  filePaths,
  MAX_WINDOWS_PATH,
  type NamedVersion,
  type PathProfile,
  unknownPlaceholders,
} from './file-paths.ts'

const version: NamedVersion = {
  artist: 'Nova',
  title: 'Night Bus',
  version_label: 'Intro',
  genres: ['House', 'Club'],
  label: 'Low Tide',
  year: 2026,
  bpm: 124.02,
  song_key: 'F#m',
  energy: 7,
  extension: '.mp3',
}
const profile: PathProfile = {
  system: 'macos',
  music_folder: '/Users/dj/Music',
  folder_template: '',
  file_template: DEFAULT_FILE_TEMPLATE,
  unicode_form: 'nfc',
}
const onePath = (changes: Partial<PathProfile>, other: Partial<NamedVersion> = {}) =>
  filePaths({ ...profile, ...changes }, [{ ...version, ...other }])[0]!

describe('a template', () => {
  test('is filled with the values of a version', () => {
    const template = '{bpm} {camelot} {open_key} {key} {energy} {genre} {label} {year} {artist} - {title} [{version}]'
    expect(fileName(template, version)).toBe('124 11A 4m F#m 7 House Low Tide 2026 Nova - Night Bus [Intro].mp3')
  })

  test('loses empty values with their brackets and separators', () => {
    const untitled = { ...version, version_label: '', album: '', label: '', song_key: null, bpm: null }
    expect(fileName('{artist} - {title} ({version})', untitled)).toBe('Nova - Night Bus.mp3')
    expect(fileName('{bpm} - {camelot} - {artist} - {title}', untitled)).toBe('Nova - Night Bus.mp3')
    expect(fileName('{artist} - {label} - {title} [{album}] ({key} {bpm})', untitled)).toBe('Nova - Night Bus.mp3')
    expect(fileName('{artist} - {title} - {label}', untitled)).toBe('Nova - Night Bus.mp3')
    expect(fileName('{label}', untitled)).toBe('Untitled.mp3')
  })

  test('does not repeat a version that the title has', () => {
    expect(fileName(DEFAULT_FILE_TEMPLATE, { ...version, title: 'Night Bus [intro]' })).toBe(
      'Nova - Night Bus [intro].mp3',
    )
  })

  test('names placeholders that do not exist, and keeps them as text', () => {
    expect(unknownPlaceholders('{artist} {titel} {}')).toEqual(['titel', ''])
    expect(fileName('{titel} {artist}', version)).toBe('{titel} Nova.mp3')
  })

  test('shortens the title of a long name, and neither its version nor its extension', () => {
    const long = { ...version, title: 'Ночь '.repeat(60), artist: '夜'.repeat(90) }
    expect(fileName(DEFAULT_FILE_TEMPLATE, long)).toMatch(/^夜{26} - (Ночь )+.*\(Intro\)\.mp3$/)
  })

  test('in a comment, keeps the characters that file names may not have', () => {
    expect(commentOf('{camelot} / Energy {energy} / {label}', { ...version, label: 'AC/DC: "live?"' })).toBe(
      '11A / Energy 7 / AC/DC: "live?"',
    )
  })
})

describe('the path of a version', () => {
  test('is in the music folder, with the separators of the system', () => {
    const folders = { folder_template: '{genre}/{artist}' }
    expect(onePath(folders)).toEqual({
      relative: 'House/Nova/Nova - Night Bus (Intro).mp3',
      absolute: '/Users/dj/Music/House/Nova/Nova - Night Bus (Intro).mp3',
    })
    expect(onePath({ ...folders, system: 'windows', music_folder: 'D:\\Music' }).absolute).toBe(
      'D:\\Music\\House\\Nova\\Nova - Night Bus (Intro).mp3',
    )
    expect(onePath({ system: 'windows', music_folder: 'E:\\' }).absolute).toBe('E:\\Nova - Night Bus (Intro).mp3')
    expect(onePath({ system: 'linux', music_folder: '/' }).absolute).toBe('/Nova - Night Bus (Intro).mp3')
  })

  test('never leaves the music folder, and leaves out folders without a value', () => {
    const folders = { folder_template: '../{artist}/{album}/./{label}' }
    expect(onePath(folders, { artist: '../../etc', label: '..', album: '' }).relative).toBe(
      '-..-etc/-..-etc - Night Bus (Intro).mp3',
    )
  })

  test('is composed or decomposed, as the profile says', () => {
    const accented = { artist: 'Beyonce\u0301', title: 'Ağrı' }
    expect(onePath({ unicode_form: 'nfc' }, accented).relative).toBe('Beyoncé - Ağrı (Intro).mp3'.normalize('NFC'))
    expect(onePath({ unicode_form: 'nfd' }, accented).relative).toBe('Beyoncé - Ağrı (Intro).mp3'.normalize('NFD'))
  })

  test('gets a number if another version has it, also with other case or composition', () => {
    const versions = ['Cafe\u0301', 'CAFÉ', 'café'].map((artist) => ({ ...version, artist }))
    expect(filePaths(profile, versions).map(({ relative }) => relative)).toEqual([
      'Café - Night Bus (Intro).mp3',
      'CAFÉ - Night Bus (Intro) (2).mp3',
      'café - Night Bus (Intro) (3).mp3',
    ])
  })

  test('fits on every system, whatever the version is called', { tags: 'property' }, () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 300 }),
      fc.string({ unit: 'grapheme', maxLength: 120 }),
      fc.string({ minLength: 150, maxLength: 300 }),
      fc.constantFrom('CON', '../..', 'e\u0301'.repeat(200), '한글'.repeat(60), '%%', '', '👩🏽‍🎤'.repeat(40)),
    )
    const template = fc.constantFrom('', '{genre}', '{label}/{artist}', '{genre}/{year}/{label}/{artist}')
    const systems = fc.constantFrom(
      { system: 'windows' as const, music_folder: `C:\\Users\\${'m'.repeat(108)}` },
      { system: 'macos' as const, music_folder: '/Volumes/USB' },
    )
    fc.assert(
      fc.property(text, text, text, template, systems, (artist, title, label, folder_template, system) => {
        const named = { ...version, artist, title, label, genres: [label] }
        const [first, second] = filePaths({ ...profile, ...system, folder_template }, [named, named])
        expect(second!.relative).not.toBe(first!.relative)
        for (const { relative, absolute } of [first!, second!]) {
          expect(absolute.startsWith(system.music_folder)).toBe(true)
          expect(relative).toMatch(/\.mp3$/)
          expect(relative).not.toContain('%%')
          if (system.system === 'windows') expect(absolute.length).toBeLessThanOrEqual(MAX_WINDOWS_PATH)
          for (const part of relative.split('/')) {
            // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
            expect(part).not.toMatch(/[<>:"\\|?*\u0000-\u001f]|^[ .]|[ .]$/)
            expect(Buffer.byteLength(part.normalize('NFC'))).toBeLessThanOrEqual(255)
            expect(Buffer.byteLength(part.normalize('NFD'))).toBeLessThanOrEqual(255)
          }
        }
      }),
    )
  })
})
