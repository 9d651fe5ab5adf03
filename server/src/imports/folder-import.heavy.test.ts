import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { rolldown } from 'rolldown'
import sharp from 'sharp'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import { wasmFiles } from '../../../scripts/wasm-files.mjs'
import { makeAiff, makeMp3, makeWav } from '../../test/audio-files.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { storedFilePath } from '../../test/stored-file.ts'
import { inProcessAnalyser } from '../../test/upload-makers.ts'
import { flacOf, tone } from '../analysis/make-audio.ts'
import { planImport } from './dry-run.ts'
import { type ImportOptions, type ImportResult, importFolder } from './folder-import.ts'
import { reportImport } from './import-report.ts'

// Inside the repository, so that the bundles can resolve their packages.
const built = path.resolve('node_modules/.cache', `import-test-${process.pid}`)
const childPath = path.join(built, 'analyser-child.js')
const importProcess = path.join(built, 'import-process.js')

beforeAll(async () => {
  const bundle = await rolldown({
    input: {
      'analyser-child': path.join(import.meta.dirname, '../analysis/analyser-child.ts'),
      'import-process': path.join(import.meta.dirname, '../../test/import-process.ts'),
    },
    platform: 'node',
    plugins: [wasmFiles()],
    external: (id) => !/^[./]/.test(id) && !id.startsWith('@dubplate/'),
  })
  await bundle.write({ dir: built, format: 'esm' })
  await bundle.close()
})
afterAll(() => rmSync(built, { recursive: true, force: true }))

// The analyser processes have low priority, so they are slow on a busy machine.
vi.setConfig({ testTimeout: 120_000 })

let pool: TestPool
let folder: string
beforeEach(async () => {
  pool = await openTestPool()
  folder = mkdtempSync(path.join(tmpdir(), 'dubplate-import-'))
})
afterEach(async () => {
  await pool.close()
  rmSync(folder, { recursive: true, force: true })
})

function writeFixture(name: string, bytes: Uint8Array): string {
  const file = path.join(folder, name)
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, bytes)
  return file
}

/** Returns an ID3v2.3 tag with text frames in UTF-16 and a picture. */
function id3(frames: Record<string, string>, makePicture?: Buffer): Buffer {
  const frame = (id: string, content: Buffer) => {
    const head = Buffer.alloc(10)
    head.write(id)
    head.writeUInt32BE(content.length, 4)
    return Buffer.concat([head, content])
  }
  const texts = Object.entries(frames).map(([id, text]) =>
    frame(id, Buffer.concat([Buffer.from([1, 0xff, 0xfe]), Buffer.from(text, 'utf16le')])),
  )
  const pictures = makePicture
    ? [frame('APIC', Buffer.concat([Buffer.from('\0image/png\0\x03\0', 'latin1'), makePicture]))]
    : []
  const all = Buffer.concat([...texts, ...pictures])
  const size = [21, 14, 7, 0].map((shift) => (all.length >> shift) & 0x7f)
  return Buffer.concat([Buffer.from('ID3\x03\0\0', 'latin1'), Buffer.from(size), all])
}

const makePicture = (color: string) =>
  sharp({ create: { width: 120, height: 120, channels: 3, background: color } })
    .png()
    .toBuffer()

/** Analyses in this process: a child process for each file costs several times as much. */
const optionsFor = (overrides: Partial<ImportOptions> = {}): ImportOptions => ({
  ...{ folder, section: 1, jobs: 1, childPath, signal: new AbortController().signal, analyser: inProcessAnalyser },
  ...overrides,
})
const runImport = (overrides?: Partial<ImportOptions>) => importFolder(pool.ctx, optionsFor(overrides))

const songs = () => pool.ctx.sql<{ song: string; versions: string[]; genres: string[] }[]>`
  select artist || ' – ' || title as song,
    array(select version_label from song_version v where v.entity_id = s.entity_id order by position) as versions,
    array(select name from song_genre join genre using (genre_id) where entity_id = s.entity_id order by name) as genres
  from song s order by artist, title`

const genreCounters = () => pool.ctx.sql<{ name: string; songs: number }[]>`
  select coalesce(name, 'all') as name, songs from genre_counter left join genre using (genre_id) order by genre_id > 0, name`

/** Returns the stored files of a kind, after checking that each one matches its hash. */
function stored(kind: string): string[] {
  const place = path.join(pool.ctx.config.dataDir, 'media', kind)
  if (!existsSync(place)) return []
  const names = readdirSync(place, { recursive: true, encoding: 'utf8' }).filter((name) => /[0-9a-f]{64}/.test(name))
  for (const name of names) {
    const hash = createHash('sha256')
      .update(readFileSync(path.join(place, name)))
      .digest('hex')
    expect(path.basename(name)).toContain(hash)
  }
  return names
}

test('imports a folder as songs with versions; problem files are named and do not stop the import', async () => {
  const mp3 = await makeMp3({ tone: 300, channels: 1 })
  writeFixture('01 Nova - Sunrise (Clean).mp3', mp3)
  writeFixture('02 Nova - Sunrise (Intro - Dirty) [8A 124].mp3', await makeMp3({ tone: 310, channels: 1 }))
  writeFixture('more/Nova_-_Sunrise_(Instrumental).wav', makeWav({ tone: 320, channels: 1 }))
  writeFixture('more/x.flac', flacOf([tone({ hz: 330, seconds: 1 })]))
  writeFixture('Nova - Sunset (Vex Remix).aiff', makeAiff({ tone: 340, channels: 1 }))
  writeFixture('Wolf - Disguised.mp3', makeWav({ tone: 350, channels: 1 }))
  writeFixture('Wolf - Under another name.bin', flacOf([tone({ hz: 360, seconds: 1 })]))
  writeFixture('empty.mp3', Buffer.alloc(0))
  writeFixture('Nova - Cut Off.mp3', mp3.subarray(0, Math.floor(mp3.length * 0.6) + 7))
  writeFixture(
    'Nova - Photo.mp3',
    await sharp(await makePicture('red'))
      .jpeg()
      .toBuffer(),
  )
  writeFixture('Nova - Phone.wma', Buffer.from('0&\xb2u\x8ef\xcf\x11\xa6\xd9\0\xaa', 'latin1'))
  writeFixture('copy of sunrise.mp3', mp3)
  writeFixture('.hidden.mp3', mp3)
  writeFixture(
    'cover.jpg',
    await sharp(await makePicture('blue'))
      .jpeg()
      .toBuffer(),
  )
  writeFixture('notes.txt', Buffer.from('nothing to hear'))
  symlinkSync(folder, path.join(folder, 'more', 'round'))

  const result = await runImport()

  expect(await songs()).toEqual([
    { song: 'Nova – Sunrise', versions: ['Clean', 'Intro Dirty', 'Instrumental'], genres: [] },
    { song: 'Nova – Sunset (Vex Remix)', versions: ['Original'], genres: [] },
    { song: 'Wolf – Disguised', versions: ['Original'], genres: [] },
    { song: 'Wolf – Under another name', versions: ['Original'], genres: [] },
  ])
  const reasons = result.skipped.map((item) => [path.relative(folder, item.path), item.reason, item.detail])
  expect(reasons.sort()).toEqual([
    ['Nova - Cut Off.mp3', 'damaged', expect.stringContaining('cut off')],
    [
      'Nova - Phone.wma',
      'unsupported format',
      'WMA isn’t supported. Convert the file to MP3, M4A, OGG, Opus, WAV, FLAC or AIFF.',
    ],
    ['Nova - Photo.mp3', 'not an audio file', expect.stringContaining('JPEG')],
    ['copy of sunrise.mp3', 'duplicate in folder', expect.stringContaining('01 Nova - Sunrise (Clean).mp3')],
    ['empty.mp3', 'empty file', 'The file is empty.'],
    [
      path.join('more', 'x.flac'),
      'missing artist or title',
      'Artist or title is missing in both the tags and the file name.',
    ],
  ])
  expect([result.files, result.songs_added, result.versions_added]).toEqual([12, 4, 6])
  expect(await genreCounters()).toEqual([{ name: 'all', songs: 4 }])
  expect([stored('audio').length, stored('previews').length, stored('images').length]).toEqual([6, 6, 1])
  const [sunrise] = await pool.ctx.sql`
    select min_bpm, bpm_source, song_key, key_source, artwork_id is not null as has_cover from song where title = 'Sunrise'`
  expect(sunrise).toEqual({ min_bpm: 124, bpm_source: 'name', song_key: 'Am', key_source: 'name', has_cover: true })
  const [counted] = await pool.ctx
    .sql`select count(*) as n from analysis join peaks using (file_id) join preview using (file_id)`
  expect(counted?.n).toBe(6)
  const report = reportImport(result, { folder, isDryRun: false })
  expect(report).toMatch(/Songs added\s+4\n/)
  expect(report).toMatch(/damaged\s+1\n/)
  expect(report).toContain('Nova - Phone.wma\n      WMA isn’t supported.')
})

test('analyses files in child processes by default', async () => {
  writeFixture('Nova - Sunrise.mp3', await makeMp3({ tone: 300, channels: 1 }))
  const { files, versions_added } = await runImport({ analyser: undefined })
  expect([files, versions_added, stored('previews').length]).toEqual([1, 1, 1])
})

test('tags take precedence over the name, and fill in what another version left open', async () => {
  const cover = await makePicture('green')
  writeFixture(
    'a (Clean).mp3',
    Buffer.concat([
      id3({ TPE1: 'Mira', TIT2: 'Glass (Clean)', TCON: 'Deep House; Garage', TBPM: '0' }),
      await makeMp3({ tone: 410, channels: 1 }),
    ]),
  )
  const tags = {
    TPE1: 'Mira',
    TIT2: 'Glass (Dirty)',
    TBPM: '126',
    TKEY: '5A',
    TYER: '2019',
    TPUB: 'Dusk',
    TALB: 'Glassworks',
  }
  writeFixture(
    'wrong name - other 99bpm.mp3',
    Buffer.concat([id3(tags, cover), await makeMp3({ tone: 420, channels: 1 })]),
  )
  await runImport()
  expect(await songs()).toEqual([
    { song: 'Mira – Glass', versions: ['Clean', 'Dirty'], genres: ['Deep House', 'Garage'] },
  ])
  const [song] = await pool.ctx.sql`
    select min_bpm, bpm_source, song_key, key_position, key_source, year, label, album, artwork_id is not null as has_cover from song`
  expect(song).toEqual({
    ...{ min_bpm: 126, bpm_source: 'tag', song_key: 'Cm', key_position: 9, key_source: 'tag' },
    ...{ year: 2019, label: 'Dusk', album: 'Glassworks', has_cover: true },
  })
})

test('folders provide the artist when nothing else does', async () => {
  writeFixture('Mira/Glassworks/03 Shards.mp3', await makeMp3({ tone: 430, channels: 1 }))
  await runImport()
  const rows = await pool.ctx.sql`select artist, title, album from song`
  expect([...rows]).toEqual([{ artist: 'Mira', title: 'Shards', album: 'Glassworks' }])
})

test('numbers a different recording with the same label, and does not add the same one with other tags', async () => {
  const sound = await makeMp3({ tone: 440, channels: 1 })
  writeFixture('1/Mira - Glass (Clean).mp3', sound)
  writeFixture('2/Mira - Glass (Clean).mp3', await makeMp3({ tone: 450, channels: 1 }))
  writeFixture('3/Mira - Glass (Clean).mp3', Buffer.concat([id3({ TIT2: 'Glass (Clean)', TPE1: 'MIRA' }), sound]))
  const result = await runImport()
  expect(await songs()).toMatchObject([{ song: 'Mira – Glass', versions: ['Clean', 'Clean (2)'] }])
  expect(result.skipped).toMatchObject([
    { reason: 'already in the catalogue', detail: expect.stringContaining('The same recording with different tags') },
  ])
  expect(result.notes.map(({ note }) => note)).toEqual([expect.stringContaining('“Clean (2)”')])
})

test('a second run skips existing files and adds new ones', async () => {
  writeFixture('Mira - Glass (Clean).mp3', await makeMp3({ tone: 460, channels: 1 }))
  await runImport()
  writeFixture('Mira - Glass (Dirty).mp3', await makeMp3({ tone: 470, channels: 1 }))
  const second = await runImport()
  expect([second.songs_added, second.versions_added]).toEqual([0, 1])
  expect(second.skipped).toMatchObject([{ reason: 'already in the catalogue' }])
  expect(await songs()).toMatchObject([{ versions: ['Clean', 'Dirty'] }])
  expect(await genreCounters()).toEqual([{ name: 'all', songs: 1 }])
})

test('a second run restores a stored file that is truncated, or whose content is wrong', async () => {
  const bytes = await makeMp3({ tone: 465, channels: 1 })
  writeFixture('Mira - Glass (Clean).mp3', bytes)
  await runImport()
  const place = storedFilePath(pool.ctx, createHash('sha256').update(bytes).digest('hex'))
  for (const [damagedBytes, found] of [
    [bytes.subarray(0, 500), 500],
    [Buffer.alloc(bytes.length), bytes.length],
  ] as const) {
    writeFileSync(place, damagedBytes)
    await pool.ctx.sql`update file set missing_since = now(), found_bytes = ${found}`
    const { skipped } = await runImport()
    expect(skipped).toMatchObject([
      { reason: 'already in the catalogue', detail: expect.stringContaining('has been restored') },
    ])
    expect(readFileSync(place).equals(bytes)).toBe(true)
    expect(await pool.ctx.sql`select missing_since, found_bytes from file`).toEqual([
      { missing_since: null, found_bytes: null },
    ])
  }
  expect((await runImport()).skipped).toMatchObject([{ detail: 'The same file is already in the catalogue.' }])
})

const listSkipped = ({ skipped }: ImportResult) =>
  skipped.map(({ path: file, reason, detail }) => [path.relative(folder, file), reason, detail])

test('imports the better named of identical files, even when a worse one comes first', async () => {
  const [sound, other] = [await makeMp3({ tone: 500, channels: 1 }), await makeMp3({ tone: 510, channels: 1 })]
  writeFixture('1/track 07.mp3', sound)
  writeFixture('2/Nova - Sunrise.mp3', sound)
  writeFixture('3/Nova - Sunrise (Clean) [8A 124].mp3', sound)
  writeFixture('Nova - Sunset (Dirty) - Copy.mp3', other)
  writeFixture('Nova - Sunset (Dirty).mp3', other)
  const planned = await planImport(pool.ctx, optionsFor())
  const result = await runImport()
  expect(await songs()).toMatchObject([
    { song: 'Nova – Sunrise', versions: ['Clean'] },
    { song: 'Nova – Sunset', versions: ['Dirty'] },
  ])
  const duplicateOf = (file: string, of: string) => [
    file,
    'duplicate in folder',
    `Identical to ${path.join(folder, of)}.`,
  ]
  const best = path.join('3', 'Nova - Sunrise (Clean) [8A 124].mp3')
  expect(listSkipped(result)).toEqual([
    duplicateOf(path.join('2', 'Nova - Sunrise.mp3'), best),
    duplicateOf(path.join('1', 'track 07.mp3'), best),
    duplicateOf('Nova - Sunset (Dirty) - Copy.mp3', 'Nova - Sunset (Dirty).mp3'),
  ])
  expect(listSkipped(planned.result)).toEqual(listSkipped(result))
  expect([planned.result.songs_added, planned.result.versions_added]).toEqual([2, 2])
})

test('of identical files, the well named one is imported, not the one that says more about single values', async () => {
  const [sound, other] = [await makeMp3({ tone: 511, channels: 1 }), await makeMp3({ tone: 512, channels: 1 })]
  writeFixture('5f3a9c2e - 44921 (Dirty) [8A 124].mp3', sound)
  writeFixture('Nova - Sunrise.mp3', sound)
  const tagged = Buffer.concat([id3({ TIT2: 'Sunset', TPE1: 'Nova' }), other])
  writeFixture('1/Vex - Other Song (Dirty) [8A 124].mp3', tagged)
  writeFixture('2/Nova - Sunset (Clean).mp3', tagged)
  await runImport()
  expect(await songs()).toMatchObject([
    { song: 'Nova – Sunrise', versions: ['Original'] },
    { song: 'Nova – Sunset', versions: ['Clean'] },
  ])
})

test('a better described file names a version that an earlier import named badly, and completes it', async () => {
  const sound = await makeMp3({ tone: 513, channels: 1 })
  writeFixture('track - 07.mp3', sound)
  await runImport()
  expect(await songs()).toMatchObject([{ song: 'track – 07', versions: ['Original'] }])
  writeFixture('Nova - Sunrise (Clean) [Dusk Records] [8A 124].mp3', sound)
  const detail = expect.stringContaining('which is described better')
  expect((await planImport(pool.ctx, optionsFor())).result.skipped).toContainEqual(expect.objectContaining({ detail }))
  expect(await songs()).toMatchObject([{ song: 'track – 07' }])
  expect((await runImport()).skipped).toContainEqual(expect.objectContaining({ detail }))
  expect(await songs()).toMatchObject([{ song: 'Nova – Sunrise', versions: ['Clean'] }])
  const [song] = await pool.ctx.sql`select min_bpm, bpm_source, song_key, song_identity, label, revision from song`
  expect(song).toMatchObject({
    ...{ min_bpm: 124, bpm_source: 'name', song_key: 'Am' },
    song_identity: 'nova|sunrise|',
  })
  // The worse file does not undo it, and nothing is written again.
  expect((await runImport()).skipped.map(({ detail }) => detail)).toEqual([
    'The same file is already in the catalogue.',
    expect.stringContaining('Identical to'),
  ])
  const [again] = await pool.ctx.sql`select revision, title from song`
  expect(again).toEqual({ revision: song?.revision, title: 'Sunrise' })
})

test('a better described file changes nothing that staff wrote', async () => {
  const sound = await makeMp3({ tone: 514, channels: 1 })
  writeFixture('track - 07.mp3', sound)
  await runImport()
  await pool.ctx.sql`update song set title = 'Mine', label = '', origins = '{"title": "staff", "label": "staff"}'`
  writeFixture('Nova - Sunrise (Clean) [Dusk Records].mp3', sound)
  await runImport()
  expect(await songs()).toMatchObject([{ song: 'track – Mine', versions: ['Original'] }])
})

test('of the same recording with different tags, the better described file names the version', async () => {
  const sound = await makeMp3({ tone: 515, channels: 1 })
  writeFixture('1/Mira - Glass.mp3', sound)
  writeFixture('2/Mira - Glass.mp3', Buffer.concat([id3({ TIT2: 'Glass (Clean)', TPE1: 'Mira', TPUB: 'Dusk' }), sound]))
  const result = await runImport()
  expect(await songs()).toMatchObject([{ song: 'Mira – Glass', versions: ['Clean'] }])
  expect(result.skipped).toMatchObject([{ detail: expect.stringContaining('which is described better') }])
  expect(await pool.ctx.sql`select label from song`).toMatchObject([{ label: 'Dusk' }])
})

test('of the same recording under two names, the better one names the song, whichever comes first', async () => {
  for (const [n, order] of [
    ['a', 'b'],
    ['b', 'a'],
  ].entries()) {
    const sound = await makeMp3({ tone: 516 + n, channels: 1 })
    const tagged = Buffer.concat([id3({ TIT2: `Glass ${n}`, TPE1: 'Mira' }), sound])
    writeFixture(`${order[0]}${n}/audio - 0${n}.mp3`, sound)
    writeFixture(`${order[1]}${n}/Mira - Glass ${n}.mp3`, tagged)
  }
  const result = await runImport()
  expect(await songs()).toMatchObject([{ song: 'Mira – Glass 0' }, { song: 'Mira – Glass 1' }])
  expect(result.skipped.map(({ reason }) => reason)).toEqual(Array(2).fill('already in the catalogue'))
  const tagged = Buffer.concat([id3({ TIT2: 'Another Name', TPE1: 'Mira' }), await makeMp3({ tone: 516, channels: 1 })])
  writeFixture('c/Mira - Another Name.mp3', tagged)
  expect((await runImport()).songs_added).toBe(1)
})

test('imports the next of identical files when the best named one cannot be imported', async () => {
  writeFixture('Nova - Sunrise (Dirty).mp3', await makeMp3({ tone: 520, channels: 1 }))
  await runImport()
  await pool.ctx.sql`update song set status = 'unpublished'`
  const sound = await makeMp3({ tone: 530, channels: 1 })
  writeFixture('Nova - Sunrise (Clean) [8A 124].mp3', sound)
  writeFixture('Nova - Daybreak.mp3', sound)
  expect((await planImport(pool.ctx, optionsFor())).result.versions_added).toBe(1)
  expect((await runImport()).versions_added).toBe(1)
  expect(await songs()).toMatchObject([{ song: 'Nova – Daybreak' }, { song: 'Nova – Sunrise', versions: ['Dirty'] }])
})

test('versions with differently separated artists belong to one song', async () => {
  writeFixture('Nova & Vex - Sunrise (Clean).mp3', await makeMp3({ tone: 540, channels: 1 }))
  writeFixture('Nova feat. Vex - Sunrise (Dirty).mp3', await makeMp3({ tone: 550, channels: 1 }))
  writeFixture('Nova x Vex - Sunrise (Intro).mp3', await makeMp3({ tone: 560, channels: 1 }))
  expect((await planImport(pool.ctx, optionsFor())).result.songs_added).toBe(1)
  await runImport()
  expect(await songs()).toMatchObject([{ song: 'Nova & Vex – Sunrise', versions: ['Clean', 'Dirty', 'Intro'] }])
})

test('a sheet next to the files describes them, and its problems are reported by row', async () => {
  writeFixture('promo/01.wav', makeWav({ tone: 300, channels: 1 }))
  writeFixture('promo/02.wav', makeWav({ tone: 310, channels: 1 }))
  writeFixture('promo/Nova - Noon.wav', makeWav({ tone: 320, channels: 1 }))
  const sheet =
    'File,Artist,Title,Version,Label,ISRC,Genre,Release date\n' +
    '01.wav,Nova,Sunrise (feat. Vex),clean intro,Dusk,GBAYE2400123,House; Techno,2024-05-31\n' +
    '02.wav,"Tyler, The Creator",Sunset (Mira Remix),,Dusk,wrong,House,2024-05-31\n' +
    '03.wav,Nova,Gone,,,,,\n'
  writeFixture('promo/sheet.csv', Buffer.from(sheet))
  const { result: planned } = await planImport(pool.ctx, optionsFor())
  const result = await runImport({ genre: 'Garage' })
  expect(await songs()).toEqual([
    { song: 'Nova – Noon', versions: ['Original'], genres: ['Garage'] },
    { song: 'Nova feat. Vex – Sunrise', versions: ['Intro Clean'], genres: ['House', 'Techno'] },
    { song: 'Tyler, The Creator – Sunset (Mira Remix)', versions: ['Original'], genres: ['House'] },
  ])
  const [sunrise] = await pool.ctx.sql`select label, isrc, year, origins from song where title = 'Sunrise'`
  expect(sunrise).toMatchObject({
    label: 'Dusk',
    isrc: 'GBAYE2400123',
    year: 2024,
    origins: { artist: 'staff', genres: 'staff' },
  })
  const report = {
    path: path.join('promo', 'sheet.csv'),
    files_described: 2,
    problems: [
      { row: 3, message: '“wrong” is not a valid ISRC and was ignored. Example: GBAYE2400123.' },
      { row: 4, message: 'No file “03.wav” was found next to the sheet.' },
    ],
  }
  expect([planned.sheets, result.sheets]).toEqual([[report], [report]])
  expect(reportImport(result, { folder, isDryRun: false })).toContain(
    `Sheet ${report.path}: describes 2 files\n  Row 3: “wrong” is not a valid ISRC`,
  )
})

test('a pattern reads artist, title and label from the folders and the name', async () => {
  const tag = id3({ TPE1: 'Wrong', TIT2: 'Wrong', TALB: 'Kept' })
  writeFixture('Dusk/Nova/Sunrise_(Clean).mp3', Buffer.concat([tag, await makeMp3({ tone: 570, channels: 1 })]))
  writeFixture('Mira - Elsewhere.mp3', await makeMp3({ tone: 580, channels: 1 }))
  await runImport({ pattern: '{label}/{artist}/{title}' })
  const rows = await pool.ctx.sql`select artist, title, label, album from song order by artist`
  expect([...rows]).toEqual([
    { artist: 'Mira', title: 'Elsewhere', label: '', album: '' },
    { artist: 'Nova', title: 'Sunrise', label: 'Dusk', album: 'Kept' },
  ])
})

test('an import does not republish a song that staff unpublished', async () => {
  writeFixture('Mira - Glass (Clean).mp3', await makeMp3({ tone: 480, channels: 1 }))
  await runImport()
  await pool.ctx.sql`update song set status = 'unpublished'`
  writeFixture('Mira - Glass (Dirty).mp3', await makeMp3({ tone: 490, channels: 1 }))
  const second = await runImport()
  expect(second.skipped.map(({ reason }) => reason).sort()).toEqual(['already in the catalogue', 'unpublished'])
  expect(await songs()).toMatchObject([{ versions: ['Clean'] }])
})

test('a dry run reports what would be imported and writes nothing', async () => {
  writeFixture('Nova - Sunrise (Clean).mp3', await makeMp3({ tone: 300, channels: 1 }))
  writeFixture('Nova - Sunrise (Dirty) [124].wav', makeWav({ tone: 310, channels: 1 }))
  writeFixture('Nova - Broken.wav', makeWav({ tone: 320, channels: 1 }).subarray(0, 9000))
  const { plan, result } = await planImport(pool.ctx, optionsFor())
  expect(plan).toMatch(/Nova – Sunrise\n\s+Clean\s+MP3\s+0:01.*\n\s+Dirty\s+WAV\s+0:01\s+124 BPM \(name\)/)
  expect([result.songs_added, result.versions_added]).toEqual([1, 2])
  expect(result.skipped).toMatchObject([{ reason: 'damaged' }])
  expect(await songs()).toEqual([])
  expect(existsSync(path.join(pool.ctx.config.dataDir, 'media'))).toBe(false)
})

test('files without a genre get the genre and section of the options', async () => {
  writeFixture('Nova - Sunrise.mp3', await makeMp3({ tone: 300, channels: 1 }))
  writeFixture('Nova - Noon.mp3', Buffer.concat([id3({ TCON: 'Techno' }), await makeMp3({ tone: 310, channels: 1 })]))
  await runImport({ genre: 'House', section: 2 })
  expect((await songs()).map(({ genres }) => genres)).toEqual([['Techno'], ['House']])
  const rows = await pool.ctx.sql`select distinct song_section_id from song`
  expect([...rows]).toEqual([{ song_section_id: 2 }])
})

test('an interrupted import finishes the files in progress, and the next one continues', async () => {
  for (let n = 0; n < 8; n++) writeFixture(`Nova - Song ${n}.wav`, makeWav({ tone: 300 + n, channels: 1 }))
  const abortController = new AbortController()
  const { storage } = pool.ctx
  const storeFile: typeof storage.putFile = (...args) => {
    abortController.abort()
    return storage.putFile(...args)
  }
  const first = await importFolder(
    { ...pool.ctx, storage: { ...storage, putFile: storeFile } },
    optionsFor({ signal: abortController.signal }),
  )
  expect(first.interrupted).toBe(true)
  expect(first.versions_added).toBeGreaterThan(0)
  expect(first.versions_added).toBeLessThan(8)
  expect(stored('audio').length).toBe(first.versions_added)
  expect(reportImport(first, { folder, isDryRun: false })).toContain(
    'The import was interrupted. Run it again to continue.',
  )
  const second = await runImport()
  expect(first.versions_added + second.versions_added).toBe(8)
})

test('a full disk ends the import with an error, and what was added stays', async () => {
  for (let n = 0; n < 4; n++) writeFixture(`Nova - Song ${n}.wav`, makeWav({ tone: 300 + n, channels: 1 }))
  const { storage } = pool.ctx
  let remainingFiles = 2
  const storeFile: typeof storage.putFile = async (kind, ...args) => {
    if (kind === 'audio' && remainingFiles-- === 0)
      throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' })
    return storage.putFile(kind, ...args)
  }
  const full = importFolder({ ...pool.ctx, storage: { ...storage, putFile: storeFile } }, optionsFor())
  await expect(full).rejects.toThrow('no space left')
  expect((await runImport()).versions_added + (await songs()).length).toBeGreaterThanOrEqual(4)
  expect((await songs()).length).toBe(4)
})

test('deletes incomplete files of killed imports after a day', async () => {
  const old = await pool.ctx.storage.scratch('preview.mp3')
  const fresh = await pool.ctx.storage.scratch('preview.mp3')
  for (const file of [old, fresh]) writeFileSync(file, 'half')
  utimesSync(old, new Date(Date.now() - 25 * 3600e3), new Date(Date.now() - 25 * 3600e3))
  await runImport()
  expect([existsSync(old), existsSync(fresh)]).toEqual([false, true])
})

/** Starts an import in a process and kills it after this many files. */
function killAfterFiles(fileCount: number): Promise<void> {
  const { socketDir, database } = databaseLocation()
  const args = [importProcess, socketDir, database, pool.ctx.config.dataDir, folder]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  let lines = 0
  createInterface({ input: child.stdout }).on('line', () => {
    if (++lines === fileCount) child.kill('SIGKILL')
  })
  return new Promise((resolve, reject) => {
    child.once('exit', (_code, signal) =>
      signal === 'SIGKILL' ? resolve() : reject(new Error('The import finished before it was killed')),
    )
  })
}

function databaseLocation(): { socketDir: string; database: string } {
  const { path: socket, database } = pool.ctx.sql.options as unknown as { path: string; database: string }
  return { socketDir: path.dirname(socket), database }
}

test('killed imports lose and miscount nothing: the next one imports everything once', async () => {
  for (let n = 0; n < 12; n++) {
    const tags = id3({
      TPE1: 'Nova',
      TIT2: `Song ${n >> 1} (${n % 2 ? 'Dirty' : 'Clean'})`,
      TCON: n < 6 ? 'House' : 'Techno',
    })
    writeFixture(`${n}.mp3`, Buffer.concat([tags, await makeMp3({ tone: 300 + 10 * n, channels: 1 })]))
  }
  await killAfterFiles(3)
  await killAfterFiles(8)
  const last = await runImport()
  expect(last.skipped.every(({ reason }) => reason === 'already in the catalogue')).toBe(true)
  expect(last.versions_added + last.skipped.length).toBe(12)
  expect(last.skipped.length).toBeGreaterThanOrEqual(8)
  const all = await songs()
  expect(all.length).toBe(6)
  for (const { versions } of all) expect(versions).toEqual(['Clean', 'Dirty'])
  expect(await genreCounters()).toEqual([
    { name: 'all', songs: 6 },
    { name: 'House', songs: 3 },
    { name: 'Techno', songs: 3 },
  ])
  const [rows] = await pool.ctx.sql`
    select (select count(*) from file) as files, (select count(*) from analysis) as analyses, (select count(*) from preview) as previews,
      (select count(*) from peaks) as peaks, (select count(*) from song_search) as found, (select count(distinct version_kind_id) from song_version) as kinds`
  expect(rows).toEqual({ files: 12, analyses: 12, previews: 12, peaks: 12, found: 6, kinds: 2 })
  const tableRows = await pool.ctx.sql<
    { sha256: string }[]
  >`select encode(sha256, 'hex') as sha256 from file order by 1`
  const storedNames = stored('audio').map((name) => path.basename(name))
  expect(storedNames.sort()).toEqual(tableRows.map(({ sha256 }) => sha256))
  expect(stored('previews').length).toBe(12)
})
