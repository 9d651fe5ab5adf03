import { describe, expect, test } from 'vitest'
import { encoder, entryWith, read } from './make-library-files.ts'
import { entryOfFile, readLibrary } from './read-library.ts'

const rekordbox = (tracks: string) => `<?xml version="1.0" encoding="UTF-8"?>
<DJ_PLAYLISTS Version="1.0.0"><COLLECTION Entries="1">${tracks}</COLLECTION></DJ_PLAYLISTS>`

describe('format', () => {
  const contents: [string, string][] = [
    ['rekordbox', rekordbox('')],
    ['rekordbox', `\ufeff<?xml version="1.0"?>\n<!-- converted -->\n${rekordbox('')}`],
    ['traktor', '<?xml version="1.0"?><NML VERSION="19"><PLAYLISTS/></NML>'],
    ['virtualdj', '<VirtualDJ_Database Version="2024"></VirtualDJ_Database>'],
    ['virtualdj_list', '<VirtualFolder></VirtualFolder>'],
    ['m3u', '#EXTM3U\n'],
    ['m3u', '\ufeff#EXTM3U\r\n'],
    ['serato', 'vrsn\0\0\0\0'],
  ]
  test.each(contents)('recognises %s by its content', async (format, content) => {
    expect(await read(content)).toEqual({ format, entries: [], error: null })
  })

  test.each(['', 'ID3', '<?xml version="1.0"?><plist></plist>', 'PK\u0003\u0004', '# a text about <NMLX>'])(
    'rejects other files: %j',
    async (content) => {
      await expect(read(content)).rejects.toMatchObject({
        code: 'unknown_format',
        message: expect.stringMatching(/^This file isn't a library of a DJ program\. Choose .*\.$/),
      })
    },
  )
})

describe('rekordbox', () => {
  const titlesOf = async (tracks: string) => (await read(rekordbox(tracks))).entries.map(({ title }) => title)

  test('reads all values of a track', async () => {
    const { entries } = await read(
      rekordbox(
        `<TRACK TrackID="1" Name="Rock &amp; Roll &quot;x&quot; &#233;&#xE9; &unknown;" Artist='O"Neil' Album="Alb" Size="7001234" TotalTime="215"
          AverageBpm="124.00" Location="file://localhost/C:/Music/My%20House/a%20%26%20%C3%A9.mp3" Remixer="Bob" Mix="Clean"/>`,
      ),
    )
    expect(entries).toEqual([
      entryWith({
        artist: 'O"Neil',
        title: 'Rock & Roll "x" éé &unknown;',
        version: 'Clean',
        remixer: 'Bob',
        album: 'Alb',
        duration_seconds: 215,
        bpm: 124,
        bytes: 7_001_234,
        file_name: 'a & é.mp3',
        path_parts: ['Music', 'My House', 'a & é.mp3'],
      }),
    ])
  })

  test('skips the songs of playlists, which have a key instead of a location', async () => {
    expect(await titlesOf('<TRACK Name="A" Location="file://localhost/a.mp3"/><TRACK Key="1"/>')).toEqual(['A'])
  })

  test.each([
    ['file://localhost/Music/100%.mp3', '100%.mp3'],
    ['file://localhost/Music/100%%20zz%2.mp3', '100% zz%2.mp3'],
    ['file://localhost/Music/%FF%20.mp3', '%FF%20.mp3'],
    ['file:///Music/%E6%9D%B1.mp3', '東.mp3'],
  ])('keeps a percent sign that escapes nothing: %s', async (location, name) => {
    const { entries } = await read(rekordbox(`<TRACK Location="${location}"/>`))
    expect(entries.map(({ file_name }) => file_name)).toEqual([name])
  })

  test.each(['file://localhosttidal:tracks:1', 'file://localhost/soundcloud:tracks:1', 'https://host/a.mp3', ''])(
    'skips a stream: %s',
    async (location) => {
      expect(await titlesOf(`<TRACK Name="A" Location="${location}"/>`)).toEqual([])
    },
  )

  test('reads zero and unknown numbers as unknown', async () => {
    const [entry] = (await read(rekordbox('<TRACK Location="/a.mp3" TotalTime="0" AverageBpm="x" Size="-1"/>'))).entries
    expect(entry).toMatchObject({ duration_seconds: null, bpm: null, bytes: null })
  })
})

describe('XML', () => {
  const track = (title: string) => `<TRACK Name="${title}" Location="/a.mp3"/>`
  const titlesOf = async (content: string) => (await read(content)).entries.map(({ title }) => title)

  test('ignores comments, CDATA sections and signs in quoted texts', async () => {
    const tracks = `<!-- ${track('No')} > --><![CDATA[${track('No')}]]>${track('a > b / c')}<TRACKS Name="No" Location="/b"/>`
    expect(await titlesOf(rekordbox(tracks))).toEqual(['a > b / c'])
  })

  test('reads tags and letters that two parts of the file share', async () => {
    const content = rekordbox(track('東京 &amp; é'))
    const at = encoder.encode(content.slice(0, content.indexOf('<TRACK'))).length
    const length = encoder.encode(track('東京 &amp; é')).length
    for (let cut = 0; cut <= length; cut++) {
      const padding = `<!--${' '.repeat(256 * 1024 - at - cut - '<!---->'.length)}-->`
      expect(await titlesOf(content.replace('<TRACK', `${padding}<TRACK`)), `cut after ${cut} bytes`).toEqual([
        '東京 & é',
      ])
    }
  })

  test('keeps the entries before the end of an incomplete file', async () => {
    const { entries, error } = await read(rekordbox(`${track('A')}${track('B')}`).replace(/"B"[\s\S]*/, '"B'))
    expect(entries.map(({ title }) => title)).toEqual(['A'])
    expect(error).toMatchObject({ code: 'incomplete', message: 'This file is incomplete. Export or copy it again.' })
  })

  test('keeps the entries before a quotation mark that is missing', async () => {
    const { entries, error } = await read(rekordbox(`${track('A')}<TRACK Name="${track('B')}${' '.repeat(3_000_000)}`))
    expect(entries.map(({ title }) => title)).toEqual(['A'])
    expect(error).toMatchObject({ code: 'damaged' })
  })

  test('reports errors of the device', async () => {
    const content = encoder.encode(rekordbox(track('A')).padEnd(300_000))
    const failing = async (start: number, end: number) => {
      if (end > 4096) throw new Error('The stick was removed')
      return content.slice(start, end)
    }
    await expect(readLibrary({ size: content.length, read: failing })).rejects.toThrow('The stick was removed')
  })
})

describe('Traktor', () => {
  const nml = (entries: string, rest = '<PLAYLISTS/>') => `<?xml version="1.0" encoding="UTF-8" standalone="no" ?>
<NML VERSION="19"><HEAD COMPANY="x"/><COLLECTION ENTRIES="1">${entries}</COLLECTION>${rest}</NML>`
  const location = '<LOCATION DIR="/:Users/:dj/:Music/:" FILE="a.mp3" VOLUME="Macintosh HD" VOLUMEID="x"/>'

  test('reads all values of an entry', async () => {
    const entry = `<ENTRY TITLE="T &amp; U" ARTIST="A">${location}<ALBUM TRACK="1" TITLE="Alb"/>
      <INFO BITRATE="320000" MIX="Dirty" REMIXER="Bob" PLAYTIME="215" PLAYTIME_FLOAT="214.877" FILESIZE="8000"/><TEMPO BPM="124.5"/></ENTRY>`
    expect((await read(nml(entry))).entries).toEqual([
      entryWith({
        artist: 'A',
        title: 'T & U',
        version: 'Dirty',
        remixer: 'Bob',
        album: 'Alb',
        duration_seconds: 214.877,
        bpm: 124.5,
        file_name: 'a.mp3',
        path_parts: ['dj', 'Music', 'a.mp3'],
      }),
    ])
  })

  test('ignores everything after the collection', async () => {
    const playlists = `<PLAYLISTS><NODE><ENTRY><PRIMARYKEY TYPE="TRACK" KEY="x"/>${location}</ENTRY></NODE>`
    const { entries, error } = await read(nml(`<ENTRY TITLE="A">${location}</ENTRY>`, playlists).replace('</NML>', ''))
    expect({ titles: entries.map(({ title }) => title), error }).toEqual({ titles: ['A'], error: null })
  })

  test('reads a file without playlists, and skips entries without a file', async () => {
    const entries = `<ENTRY TITLE="A">${location}</ENTRY><ENTRY TITLE="B"></ENTRY><ENTRY TITLE="S"><LOCATION DIR="" FILE="beatport:1" VOLUME=""/></ENTRY><ENTRY TITLE="C">${location}</ENTRY>`
    expect((await read(nml(entries, ''))).entries.map(({ title }) => title)).toEqual(['A', 'C'])
  })

  test('reads the drive of Windows and the name of a stick', async () => {
    const at = (volume: string) => `<ENTRY><LOCATION DIR="/:Music/:" FILE="a.mp3" VOLUME="${volume}"/></ENTRY>`
    const { entries } = await read(nml(`${at('C:')}${at('STICK')}`))
    expect(entries.map(({ path_parts }) => path_parts)).toEqual([
      ['Music', 'a.mp3'],
      ['STICK', 'Music', 'a.mp3'],
    ])
  })
})

describe('VirtualDJ', () => {
  const database = (songs: string) => `<VirtualDJ_Database Version="2024">${songs}</VirtualDJ_Database>`

  test('reads all values of a song; the tempo is the measured one, in beats per minute', async () => {
    const song = `<Song FilePath="D:\\Music\\House\\a.mp3" FileSize="123456">
      <Tags Author="A" Title="T" Remix="Intro" Remixer="Bob" Album="Alb" Bpm="0.6" /><Infos SongLength="214.5" /><Scan Bpm="0.5" /><Poi Bpm="1"/></Song>`
    expect((await read(database(song))).entries).toEqual([
      entryWith({
        artist: 'A',
        title: 'T',
        version: 'Intro',
        remixer: 'Bob',
        album: 'Alb',
        duration_seconds: 214.5,
        bpm: 120,
        bytes: 123_456,
        file_name: 'a.mp3',
        path_parts: ['Music', 'House', 'a.mp3'],
      }),
    ])
  })

  test('uses the tempo of the tags when it measured none, in any order', async () => {
    const songs = `<Song FilePath="/a.mp3"><Scan Bpm="0.5"/><Tags Bpm="0.6"/></Song><Song FilePath="/b.mp3"><Tags Bpm="0.6"/></Song><Song FilePath="netsearch://x"/>`
    expect((await read(database(songs))).entries.map(({ bpm }) => bpm)).toEqual([120, 100])
  })

  test('reads a list, whose tempo is in beats per minute', async () => {
    const song = '<song path="/x/a.mp3" size="5" artist="A" title="T" remix="R" songlength="61.5" bpm="120" idx="0"/>'
    const { format, entries } = await read(`<VirtualFolder noDuplicates="no">${song}</VirtualFolder>`)
    expect(format).toBe('virtualdj_list')
    expect(entries).toEqual([
      entryWith({
        artist: 'A',
        title: 'T',
        version: 'R',
        duration_seconds: 61.5,
        bpm: 120,
        bytes: 5,
        file_name: 'a.mp3',
        path_parts: ['x', 'a.mp3'],
      }),
    ])
  })
})

test('describes a file without a library', () => {
  expect(entryOfFile('New/House/A - B.mp3', 5)).toEqual(
    entryWith({ bytes: 5, file_name: 'A - B.mp3', path_parts: ['New', 'House', 'A - B.mp3'] }),
  )
})
