import { KEYS, libraryFileName } from '@dubplate/contract'
import { XMLParser } from 'fast-xml-parser'
import { describe, expect, test } from 'vitest'
import type { KitPlaylist, KitTrack } from './kit-track.ts'
import { makeKitTracks, testProfile } from './make-kit-tracks.ts'
import { rekordboxXml } from './rekordbox-xml.ts'
import { crateFile, seratoPath } from './serato-crate.ts'
import { traktorNml, traktorPath } from './traktor-nml.ts'
import { virtualDjList } from './virtualdj-list.ts'

/** Library files, read by another project's parser and compared with what was written. */

const LISTS = ['TRACK', 'TEMPO', 'POSITION_MARK', 'ENTRY', 'CUE_V2', 'NODE', 'song']
const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  parseAttributeValue: false,
  trimValues: false,
  isArray: (name) => LISTS.includes(name),
})
// biome-ignore lint/suspicious/noExplicitAny: the parser's own type
const parse = (file: Buffer): any => parser.parse(file.toString('utf8'))

const tracks = makeKitTracks(60)
const all = tracks.map((_, n) => n)
const playlists: KitPlaylist[] = [
  { name: 'Crate & <"Ä🔥"> %#', tracks: all },
  { name: 'Twice', tracks: [3, 1, 3] },
]
const NOW = new Date('2026-11-27T01:02:03Z')

/** What a reader shows of a text: on one line, without what XML cannot contain. */
const shown = (text: string) =>
  Buffer.from(text)
    .toString()
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is replaced
    .replace(/[\u0000-\u001f]+/g, ' ')
    .replace(/ {2,}/g, ' ')
    .trim()

/** Milliseconds that Traktor counts later. */
const laterMs = ({ timing_case, sample_rate }: KitTrack) =>
  timing_case === 'B' || timing_case === 'C' ? (1152 / sample_rate) * 1000 : 0

describe('rekordbox XML', () => {
  const document = parse(rekordboxXml(tracks, playlists, '1.2.3')).DJ_PLAYLISTS

  test('has every field of every track', () => {
    expect(document.COLLECTION.Entries).toBe('60')
    expect(document.COLLECTION.TRACK).toHaveLength(60)
    document.COLLECTION.TRACK.forEach((read: Record<string, string>, n: number) => {
      const track = tracks[n]!
      expect(read).toMatchObject({
        TrackID: String(n + 1),
        Name: shown(track.title),
        Artist: shown(track.artist),
        Album: track.album,
        Genre: track.genre,
        Kind: track.format === 'mp3' ? 'MP3 File' : 'FLAC File',
        Size: String(track.bytes),
        TotalTime: String(Math.round(track.duration_seconds)),
        Year: String(track.year ?? 0),
        AverageBpm: track.bpm!.toFixed(2),
        DateAdded: '2026-11-20',
        BitRate: String(Math.round(track.bit_rate / 1000)),
        SampleRate: String(track.sample_rate),
        Comments: track.comment,
        Rating: String([0, 51, 102, 153, 204, 255][track.rating]),
        Remixer: track.remixer,
        Tonality: track.song_key,
        Label: track.label,
        Mix: track.version_label,
      })
      expect(read.Colour).toBe(track.colour ? `0x${track.colour.slice(1)}` : undefined)
    })
  })

  test('locates each file by a URL without a query, whose path is the file’s', () => {
    document.COLLECTION.TRACK.forEach(({ Location }: { Location: string }, n: number) => {
      const url = new URL(Location)
      expect([url.protocol, url.search, url.hash]).toEqual(['file:', '', ''])
      expect(decodeURIComponent(Location.replace('file://localhost', ''))).toBe(tracks[n]!.path.absolute)
    })
  })

  test('keeps the drive of a Windows path', () => {
    const windows = makeKitTracks(1, { ...testProfile, system: 'windows', music_folder: 'C:\\My Music' })
    const [read] = parse(rekordboxXml(windows, [], '1')).DJ_PLAYLISTS.COLLECTION.TRACK
    expect(read.Location).toMatch(/^file:\/\/localhost\/C:\/My%20Music\/House\/A%20%27B%27/)
  })

  test('has grid and cues in seconds, not moved for any timing case', () => {
    document.COLLECTION.TRACK.forEach((read: Record<string, Record<string, string>[]>, n: number) => {
      const { grid, cues } = tracks[n]!
      expect(read.TEMPO).toEqual(
        grid.map(({ seconds, bpm, beat }) => ({
          Inizio: seconds.toFixed(3),
          Bpm: bpm.toFixed(2),
          Metro: '4/4',
          Battito: String(beat),
        })),
      )
      expect(read.POSITION_MARK!.map(({ Name, Start, Num, Type }) => [Name, Start, Num, Type])).toEqual(
        cues.map(({ name, seconds, number }) => [name, seconds.toFixed(3), String(number), '0']),
      )
      expect(read.POSITION_MARK![1]).toMatchObject({ Red: '204', Green: '136', Blue: '0' })
    })
  })

  test('has playlists in their order, also with a track twice', () => {
    const [root] = document.PLAYLISTS.NODE
    expect([root.Name, root.Count]).toEqual(['ROOT', '2'])
    expect(root.NODE.map(({ Name, Entries }: Record<string, string>) => [Name, Entries])).toEqual([
      ['Crate & <"Ä🔥"> %#', '60'],
      ['Twice', '3'],
    ])
    expect(root.NODE[1].TRACK.map(({ Key }: { Key: string }) => Key)).toEqual(['4', '2', '4'])
  })
})

describe('Traktor NML', () => {
  const document = parse(traktorNml(testProfile, tracks, playlists, NOW)).NML

  test('has every field of every track', () => {
    expect(document.COLLECTION.ENTRIES).toBe('60')
    document.COLLECTION.ENTRY.forEach((read: Record<string, Record<string, string>>, n: number) => {
      const track = tracks[n]!
      expect(read).toMatchObject({ TITLE: shown(track.title), ARTIST: shown(track.artist) })
      expect(read.INFO).toMatchObject({
        GENRE: track.genre,
        COMMENT: track.comment,
        KEY: track.song_key,
        RANKING: String(track.rating * 51),
        BITRATE: String(track.bit_rate),
        PLAYTIME: String(Math.round(track.duration_seconds)),
        IMPORT_DATE: '2026/11/20',
        MIX: track.version_label,
      })
      expect(Number(read.TEMPO![0 as never]?.['BPM' as never])).toBeCloseTo(track.bpm!, 6)
      expect(read.MUSICAL_KEY).toEqual({ VALUE: String(KEYS.indexOf(track.song_key!)) })
    })
  })

  test('has the elements that its schema requires, in that order and also when they are empty', () => {
    const { VERSION, '#text': lineBreaks, ...elements } = document
    expect([VERSION, lineBreaks.trim()]).toEqual(['19', ''])
    expect(Object.keys(elements)).toEqual(['HEAD', 'MUSICFOLDERS', 'COLLECTION', 'SETS', 'PLAYLISTS', 'INDEXING'])
  })

  test('locates files by volume and folders, byte for byte as the playlists do', () => {
    const keys = document.COLLECTION.ENTRY.map(
      ({ LOCATION: { VOLUME, DIR, FILE } }: { LOCATION: Record<string, string> }) => `${VOLUME}${DIR}${FILE}`,
    )
    expect(keys.map((key: string) => key.replace('Macintosh HD', '').replaceAll('/:', '/'))).toEqual(
      tracks.map(({ path }) => path.absolute),
    )
    const [first, second] = document.PLAYLISTS.NODE[0].SUBNODES.NODE
    const keysIn = (node: { PLAYLIST: { ENTRY: { PRIMARYKEY: { KEY: string } }[] } }) =>
      node.PLAYLIST.ENTRY.map(({ PRIMARYKEY }) => PRIMARYKEY.KEY)
    expect(keysIn(first)).toEqual(keys)
    expect(keysIn(second)).toEqual([keys[3], keys[1], keys[3]])
  })

  test('has the first downbeat and cues in milliseconds, one frame later in cases B and C', () => {
    document.COLLECTION.ENTRY.forEach((read: Record<string, Record<string, string>[]>, n: number) => {
      const track = tracks[n]!
      const [{ seconds, bpm, beat }] = track.grid as [KitTrack['grid'][number]]
      const [grid, ...cues] = read.CUE_V2!
      expect(grid).toMatchObject({ TYPE: '4', HOTCUE: '-1' })
      const downbeatMs = (seconds + ([0, 3, 2, 1][beat - 1]! * 60) / bpm) * 1000
      expect(Number(grid!.START)).toBeCloseTo(downbeatMs + laterMs(track), 4)
      expect(cues.map(({ NAME, HOTCUE }) => [NAME, HOTCUE])).toEqual(
        track.cues.map(({ name, number }) => [name, String(number)]),
      )
      cues.forEach(({ START }, k) => {
        expect(Number(START)).toBeCloseTo(track.cues[k]!.seconds * 1000 + laterMs(track), 4)
      })
    })
  })

  test('has the tempo inside the grid marker only for Traktor 4', () => {
    const four = traktorNml({ ...testProfile, traktor_version: 4 }, tracks, playlists, NOW).toString()
    expect(four.match(/<GRID BPM="/g)).toHaveLength(60)
    expect(traktorNml(testProfile, tracks, playlists, NOW).toString()).not.toContain('<GRID')
  })

  test('has the same bytes whenever it is written', () => {
    expect(traktorNml(testProfile, tracks, playlists, NOW)).toEqual(traktorNml(testProfile, tracks, playlists, NOW))
  })
})

test.each([
  ['windows', 'D:\\Music\\a.mp3', 'D:', '/:Music/:'],
  ['windows', 'E:\\a.mp3', 'E:', '/:'],
  ['macos', '/Users/dj/a.mp3', 'Macintosh HD', '/:Users/:dj/:'],
  ['macos', '/Volumes/USB STICK/Music/a.mp3', 'USB STICK', '/:Music/:'],
  ['linux', '/home/dj/a.mp3', 'Macintosh HD', '/:home/:dj/:'],
] as const)('Traktor on %s finds %s in volume %s', (system, absolute, volume, folder) => {
  expect(traktorPath({ system, traktor_volume: 'Macintosh HD' }, absolute)).toEqual({ volume, folder, file: 'a.mp3' })
})

/** Reads a crate without the writer's code: fields of a tag, a length and data. */
function* readFields(data: Buffer): Generator<[tag: string, data: Buffer]> {
  for (let at = 0; at < data.length; ) {
    const length = data.readUInt32BE(at + 4)
    yield [data.toString('latin1', at, at + 4), data.subarray(at + 8, at + 8 + length)]
    at += 8 + length
  }
}
const utf16 = new TextDecoder('utf-16be', { fatal: true })

describe('a Serato crate', () => {
  test('has the version that Serato requires, and every path relative to the drive', () => {
    const fields = [...readFields(crateFile(testProfile, tracks))]
    expect(fields[0]![0]).toBe('vrsn')
    expect(utf16.decode(fields[0]![1])).toBe('1.0/Serato ScratchLive Crate')
    const paths = fields
      .filter(([tag]) => tag === 'otrk')
      .map(([, data]) => [...readFields(data)].map(([tag, path]) => `${tag}=${utf16.decode(path)}`))
    expect(paths).toEqual(tracks.map(({ path }) => [`ptrk=${path.absolute.slice(1)}`]))
  })

  test('is named after its playlist, never as a crate within another', () => {
    expect(libraryFileName('serato', 'Friday %% "late"')).toBe("_Serato_/Subcrates/Friday % 'late'.crate")
  })

  test.each([
    ['windows', '/', 'D:\\Music\\a.mp3', 'Music/a.mp3'],
    ['macos', '/', '/Users/dj/a.mp3', 'Users/dj/a.mp3'],
    ['macos', '/Volumes/USB', '/Volumes/USB/Music/a.mp3', 'Music/a.mp3'],
    ['macos', '/Volumes/USB', '/Volumes/USB 2/a.mp3', 'Volumes/USB 2/a.mp3'],
  ] as const)('on %s with the drive %s has %s as %s', (system, serato_root, absolute, path) => {
    expect(seratoPath({ system, serato_root }, absolute)).toBe(path)
  })
})

test('a VirtualDJ list has absolute paths in the order of the playlist', () => {
  const songs = parse(virtualDjList(tracks)).VirtualFolder.song
  expect(songs.map(({ path, idx, size }: Record<string, string>) => [path, idx, size])).toEqual(
    tracks.map(({ path, bytes }, n) => [path.absolute, String(n), String(bytes)]),
  )
  expect(songs[0]).toMatchObject({ artist: tracks[0]!.artist, title: tracks[0]!.title, key: 'C' })
})
