import { type LibraryFile, lastPathParts, readLibrary } from '@dubplate/contract/library-files'
import { describe, expect, test } from 'vitest'
import { makeKitTracks, testProfile } from '../booth/make-kit-tracks.ts'
import { oneLine } from '../booth/one-line.ts'
import { playlistFile } from '../booth/playlist-file.ts'
import { rekordboxXml } from '../booth/rekordbox-xml.ts'
import { crateFile } from '../booth/serato-crate.ts'
import { traktorNml } from '../booth/traktor-nml.ts'
import { virtualDjList } from '../booth/virtualdj-list.ts'

/** The library files of booth kits, read as a member's library. */

const windowsProfile = { ...testProfile, system: 'windows', music_folder: "C:\\Users\\d'j & co\\My Music" } as const
const macosProfile = { ...testProfile, unicode_form: 'nfd' } as const

const NOW = new Date('2026-11-27T01:02:03Z')
const fileOf = (bytes: Uint8Array): LibraryFile => ({
  size: bytes.length,
  read: async (start, end) => bytes.slice(start, end),
})

describe.each([
  ['Windows', windowsProfile],
  ['macOS', macosProfile],
  ['Linux', { ...testProfile, system: 'linux' as const, traktor_volume: '' }],
])('reads what a booth kit for %s contains', (_, profile) => {
  const tracks = makeKitTracks(60, profile)
  const playlists = [{ name: 'All', tracks: tracks.map((__, n) => n) }]
  const read = (bytes: Buffer) => readLibrary(fileOf(bytes))
  const paths = tracks.map(({ path }) => ({
    path_parts: lastPathParts(path.absolute),
    file_name: path.relative.split('/').at(-1),
  }))
  const withPath = <T>(valuesOf: (track: (typeof tracks)[number]) => T) =>
    tracks.map((track, n) => ({ ...valuesOf(track), ...paths[n] }))
  const texts = ({ artist, title, remixer, album }: (typeof tracks)[number]) => ({
    artist: oneLine(artist),
    title: oneLine(title),
    remixer: oneLine(remixer),
    album: oneLine(album),
  })

  test('rekordbox XML', async () => {
    expect(await read(rekordboxXml(tracks, playlists, '1.0.0'))).toMatchObject({
      format: 'rekordbox',
      error: null,
      entries: withPath((track) => ({
        ...texts(track),
        version: track.version_label,
        duration_seconds: Math.round(track.duration_seconds),
        bytes: track.bytes,
        bpm: track.bpm,
      })),
    })
  })

  test.each([3, 4] as const)('Traktor %i NML', async (traktor_version) => {
    expect(await read(traktorNml({ ...profile, traktor_version }, tracks, playlists, NOW))).toMatchObject({
      format: 'traktor',
      error: null,
      entries: withPath((track) => ({
        ...texts(track),
        version: track.version_label,
        duration_seconds: track.duration_seconds,
        bpm: track.bpm,
      })),
    })
  })

  test('Serato crate', async () => {
    const { entries, error } = await read(crateFile(profile, tracks))
    expect({ error, entries }).toMatchObject({ error: null, entries: paths })
  })

  test('VirtualDJ list', async () => {
    expect(await read(virtualDjList(tracks))).toMatchObject({
      format: 'virtualdj_list',
      error: null,
      entries: withPath(({ artist, title, duration_seconds, bytes }) => ({
        artist: oneLine(artist),
        title: oneLine(title),
        duration_seconds,
        bytes,
      })),
    })
  })

  test('M3U8 playlist', async () => {
    const entries = tracks.map(({ path, artist, title, duration_seconds }) => ({
      path: path.relative,
      artist,
      title,
      version_label: '',
      remixer: '',
      duration_seconds,
    }))
    const library = await read(playlistFile(entries))
    expect(library).toMatchObject({
      format: 'm3u',
      error: null,
      entries: tracks.map(({ path, duration_seconds }) => ({
        path_parts: path.relative.split('/').slice(-3),
        duration_seconds: Math.round(duration_seconds),
      })),
    })
    const names = library.entries.map(({ artist, title }) => `${artist} - ${title}`)
    expect(names).toEqual(tracks.map(({ artist, title }) => oneLine(`${artist} - ${title}`)))
  })
})
