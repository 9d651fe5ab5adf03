import { downloadProfiles, downloads, type InputOf, library, playlists, type ReplyOf } from '@dubplate/contract'
import { XMLParser } from 'fast-xml-parser'
import { parseBuffer } from 'music-metadata'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { ApiCallError, errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { unzip } from '../../test/unzip.ts'

let pool: TestPool
let house: number
beforeAll(async () => {
  pool = await openTestPool()
  house = await aGenre(pool.ctx, 'House & Garage')
})
afterAll(() => pool.close())

type Member = Awaited<ReturnType<typeof aMember>>
type KitInput = InputOf<typeof downloads.downloadBoothKit>

const parser = new XMLParser({
  ignoreAttributes: false,
  attributeNamePrefix: '',
  isArray: (name) => name === 'TRACK' || name === 'TEMPO',
})

const saveProfile = ({ token }: Member, changes: object = {}) =>
  pool.ask(
    downloadProfiles.saveProfile,
    {
      name: 'Laptop',
      system: 'macos',
      software: 'rekordbox',
      music_folder: '/Users/dj/Music',
      folder_template: '{genre}',
      ...changes,
    },
    token,
  )

let requestCount = 0

/** Requests a kit, each time from another IP address: one address may do so twelve times a minute. */
async function requestKit({ token }: Member, input: Partial<KitInput> = {}) {
  const response = await pool.app.inject({
    method: 'POST',
    url: `/api/${downloads.downloadBoothKit.path}`,
    payload: { software: 'rekordbox', source: { crate: true }, ...input },
    headers: { authorization: `Bearer ${token}` },
    remoteAddress: `10.1.0.${++requestCount}`,
  })
  if (response.statusCode !== 200) throw new ApiCallError(response.statusCode, response.json())
  return response.json().data as ReplyOf<typeof downloads.downloadBoothKit>
}

async function fetchKit(url: string) {
  const response = await pool.app.inject({ method: 'GET', url })
  expect(response.statusCode).toBe(200)
  return { zip: response.rawPayload, files: await unzip(response.rawPayload) }
}

/** A member with a profile and these songs in their crate. */
async function aDj(profile: object = {}, titles = ['Night Bus', 'Rock & Roll?']) {
  const member = await aMember(pool.ctx)
  await saveProfile(member, profile)
  const songs = []
  for (const title of titles) {
    const song = await aSong(pool.ctx, { title, artist: 'Nova', versions: ['Intro'], min_bpm: 124, genres: [house] })
    await pool.ask(library.crateChange, { version_ids: song.versionIds }, member.token)
    songs.push(song)
  }
  return { member, songs }
}

/** A measured grid of a song's file, two of whose beats are before the first bar. */
async function withGrid({ versionIds }: { versionIds: number[] }) {
  await pool.ctx.sql`
    insert into beat_grid (file_id, bpm, first_downbeat_seconds, beat_confidence, downbeat_confidence, cues, energy)
    select file_id, 124.5, 0.25, 1, 1, ${pool.ctx.sql.json([{ bar: 0, kind: 'drop', at_seconds: 0.5 }])}, 8
    from song_version where song_version_id = ${versionIds[0]!}`
}

describe('a kit for rekordbox', () => {
  test('has files in the folders of the profile, and every path of its library file and playlist is in it', async () => {
    const { member } = await aDj()
    const kit = await requestKit(member)
    const { zip, files } = await fetchKit(kit.url)
    expect(zip).toHaveLength(kit.bytes)
    expect(kit.file_name).toMatch(/ for rekordbox\.zip$/)
    const music = [...files.keys()].filter((name) => name.endsWith('.mp3'))
    expect(music).toEqual([
      'House & Garage/Nova - Rock & Roll_ (Intro).mp3',
      'House & Garage/Nova - Night Bus (Intro).mp3',
    ])
    const { DJ_PLAYLISTS } = parser.parse(String(files.get('dubplate.xml')))
    const located = DJ_PLAYLISTS.COLLECTION.TRACK.map(({ Location, Size }: Record<string, string>) => [
      decodeURIComponent(Location!.replace('file://localhost', '')),
      Size,
    ])
    expect(located).toEqual(music.map((name) => [`/Users/dj/Music/${name}`, String(files.get(name)!.length)]))
    const [playlist, whole] = [...files.keys()].filter((name) => name.endsWith('.m3u8'))
    const pathsIn = (name: string | undefined) =>
      String(files.get(name!))
        .split('\n')
        .filter((line) => line.endsWith('.mp3'))
    expect(pathsIn(playlist)).toEqual(music)
    expect(pathsIn(whole)).toEqual(music.map((name) => `/Users/dj/Music/${name}`))
  })

  test('has beat grid, cues, energy and key as the profile wants them, in tags and library file', async () => {
    const profile = { key_notation: 'camelot', rating: 'energy', comment_template: 'Energy {energy} / {camelot}' }
    const { member, songs } = await aDj(profile, ['Gridded'])
    await withGrid(songs[0]!)
    await pool.ctx
      .sql`update song_version set song_key = 'Am', key_source = 'staff' where song_version_id = ${songs[0]!.versionIds[0]!}`
    const { files } = await fetchKit((await requestKit(member)).url)
    const [track] = parser.parse(String(files.get('dubplate.xml'))).DJ_PLAYLISTS.COLLECTION.TRACK
    expect(track).toMatchObject({ Tonality: '8A', Rating: '204', Comments: 'Energy 8 / 8A', Colour: '0xFFA500' })
    expect(track.TEMPO).toEqual([{ Inizio: '0.250', Bpm: '124.50', Metro: '4/4', Battito: '1' }])
    expect(track.POSITION_MARK).toMatchObject({ Name: 'Drop', Start: '0.500', Num: '0' })
    const { common, native } = await parseBuffer([...files.values()][0]!, { mimeType: 'audio/mpeg' })
    expect(common).toMatchObject({ key: '8A' })
    expect(common.comment?.[0]?.text).toBe('Energy 8 / 8A')
    const ids = native['ID3v2.3']!.map(({ id }) => id)
    expect(ids).toContain('TXXX:EnergyLevel')
    expect(ids).not.toContain('GEOB')
  })

  test('counts each file once, also when it is requested again, and leaves out tags that the profile does not want', async () => {
    const { member } = await aDj({ tags: ['genre'] }, ['Once'])
    const first = await requestKit(member)
    expect((await requestKit(member)).bytes).toBe(first.bytes)
    expect(Object.values((await pool.ask(downloads.customerDownloads, {}, member.token)).downloads)).toEqual([1])
    const { files } = await fetchKit(first.url)
    const { common } = await parseBuffer([...files.values()][0]!, { mimeType: 'audio/mpeg' })
    expect(common).toMatchObject({ title: 'Once (Intro)', artist: 'Nova', genre: ['House & Garage'] })
    expect([common.bpm, common.picture]).toEqual([undefined, undefined])
  })
})

test.each([
  ['traktor', 'dubplate.nml'],
  ['serato', '_Serato_/Subcrates/'],
  ['virtualdj', 'MyLists/'],
  ['engine', 'dubplate.xml'],
  ['mixxx', '(whole paths).m3u8'],
] as const)('a kit for %s has its library file', async (software, name) => {
  const { member, songs } = await aDj({}, [`For ${software}`])
  await withGrid(songs[0]!)
  const { files } = await fetchKit((await requestKit(member, { software })).url)
  expect([...files.keys()].filter((each) => each.includes(name))).toHaveLength(1)
  const { native } = await parseBuffer([...files.values()][0]!, { mimeType: 'audio/mpeg' })
  const hasSeratoTags = native['ID3v2.3']!.some(({ id }) => id === 'GEOB')
  expect(hasSeratoTags).toBe(software === 'serato' || software === 'mixxx')
})

test('a profile for decomposed names has them in the archive and in the library file', async () => {
  const { member } = await aDj({ unicode_form: 'nfd', folder_template: '' }, ['Café'])
  const { files } = await fetchKit((await requestKit(member, { software: 'traktor' })).url)
  const [name] = files.keys()
  expect(name).toBe('Nova - Café (Intro).mp3'.normalize('NFD'))
  expect(String(files.get('dubplate.nml'))).toContain(`FILE="${name}"`)
})

test('a playlist gives the preferred version of each song, in its order', async () => {
  const member = await aMember(pool.ctx)
  await saveProfile(member, { folder_template: '' })
  const songs = [
    await aSong(pool.ctx, { title: 'Second', artist: 'Nova', versions: ['Clean', 'Dirty'] }),
    await aSong(pool.ctx, { title: 'First', artist: 'Nova', versions: ['Dirty', 'Clean'] }),
  ]
  const { playlist } = await pool.ask(
    playlists.savePlaylist,
    { title: 'Friday', song_ids: songs.map(({ entity_id }) => entity_id) },
    member.token,
  )
  const kit = await requestKit(member, { source: { playlist_id: playlist.playlist_id } })
  expect(kit).toMatchObject({ file_name: 'Friday for rekordbox.zip', files: 2 })
  const { files } = await fetchKit(kit.url)
  expect([...files.keys()].filter((name) => name.endsWith('.mp3'))).toEqual([
    'Nova - Second (Clean).mp3',
    'Nova - First (Clean).mp3',
  ])
})

describe('without audio', () => {
  test('a kit has the library file and playlists of the versions downloaded before, also unpublished ones, and counts nothing', async () => {
    const { member, songs } = await aDj({ software: 'traktor' }, ['Owned', 'Owned too'])
    await fetchKit((await requestKit(member)).url)
    const later = await aSong(pool.ctx, { title: 'Not yet', artist: 'Nova', versions: ['Intro'] })
    await pool.ask(library.crateChange, { version_ids: later.versionIds }, member.token)
    await pool.ctx.sql`
      update song set status = 'unpublished', unpublished_at = now() - interval '1 year' where entity_id = ${songs[0]!.entity_id}`
    const before = await pool.ask(downloads.customerDownloads, {}, member.token)
    const ids = [...songs, later].flatMap(({ versionIds }) => versionIds)
    const input = { software: 'traktor', source: { song_version_ids: ids, title: 'Set' }, with_audio: false } as const
    const summary = await pool.ask(downloads.kitSummary, { source: input.source }, member.token)
    expect(summary).toMatchObject({ files: 2, owned: 2 })
    const kit = await requestKit(member, input)
    expect(kit).toMatchObject({ file_name: 'Set for Traktor.zip', files: 2, continue_from: null })
    expect(kit.skipped).toEqual([
      expect.objectContaining({ title: 'Nova - Not yet (Intro)', why: 'You haven’t downloaded this version yet.' }),
    ])
    const { files } = await fetchKit(kit.url)
    expect([...files.keys()]).toEqual(['dubplate.nml', 'Set.m3u8', 'Set (whole paths).m3u8'])
    expect(parser.parse(String(files.get('dubplate.nml'))).NML.COLLECTION.ENTRIES).toBe('2')
    expect(String(files.get('Set.m3u8'))).toContain('# Not included: Nova - Not yet (Intro).')
    expect(await pool.ask(downloads.customerDownloads, {}, member.token)).toEqual(before)
  })

  test('a kit of the history has what was downloaded, each version once, the last first', async () => {
    const { member, songs } = await aDj({}, ['Earlier', 'Later'])
    for (const { versionIds } of [...songs, songs[0]!])
      await requestKit(member, { source: { song_version_ids: versionIds } })
    const source = { history: { search: 'later' } }
    expect(await requestKit(member, { source, with_audio: false })).toMatchObject({ files: 1 })
    const { files } = await fetchKit((await requestKit(member, { source: { history: {} }, with_audio: false })).url)
    const titles = [...String(files.get('Downloads.m3u8')).matchAll(/EXTINF:\d+,(.*)/g)].map(([, title]) => title)
    expect(titles).toEqual(['Nova - Later (Intro)', 'Nova - Earlier (Intro)'])
  })

  test('refuses a kit of versions that the member has not downloaded', async () => {
    const { member } = await aDj({}, ['New'])
    expect(await errorOf(requestKit(member, { with_audio: false }))).toMatchObject({ code: 'nothing_to_download' })
  })
})

test('the preferred version replaces the one in the crate if the profile wants that', async () => {
  const member = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, { title: 'Both', artist: 'Nova', versions: ['Clean', 'Dirty'] })
  await pool.ask(library.crateChange, { version_ids: [song.versionIds[1]!] }, member.token)
  const musicOf = async (changes: object) => {
    const { profile } = await saveProfile(member, { folder_template: '', ...changes })
    const { files } = await fetchKit((await requestKit(member, { profile_id: profile.profile_id })).url)
    return [...files.keys()].filter((name) => name.endsWith('.mp3'))
  }
  expect(await musicOf({ name: 'As in the crate' })).toEqual(['Nova - Both (Dirty).mp3'])
  expect(await musicOf({ name: 'Preferred', preferred_versions: true })).toEqual(['Nova - Both (Clean).mp3'])
})

describe('the default profile', () => {
  test('names and tags single downloads, and a change of it leaves started ones as they are', async () => {
    const profile = { file_template: '{bpm} {title}', key_notation: 'camelot', software: 'serato' }
    const { member, songs } = await aDj(profile, ['Styled'])
    await withGrid(songs[0]!)
    const version = songs[0]!.versionIds[0]!
    await pool.ctx.sql`
      update song_version set song_key = 'Am', key_source = 'staff' where song_version_id = ${version}`
    const download = await pool.ask(downloads.downloadVersion, { version }, member.token)
    expect(download.file_name).toBe('124 Styled.mp3')
    const get = (headers = {}) => pool.app.inject({ url: download.url, headers })
    const half = await get({ range: 'bytes=0-999' })
    await saveProfile(member, { name: 'Other', file_template: '{artist}', key_notation: 'open', is_default: true })
    const whole = await get()
    expect(whole.headers['content-disposition']).toContain('124 Styled.mp3')
    expect(whole.rawPayload.subarray(0, 1000).equals(half.rawPayload)).toBe(true)
    const { common, native } = await parseBuffer(whole.rawPayload, { mimeType: 'audio/mpeg' })
    expect(common.key).toBe('8A')
    expect(native['ID3v2.3']!.map(({ id }) => id)).toContain('GEOB')
  })

  test('names and sorts the files of other zips into folders, without a library file', async () => {
    const { member } = await aDj({ file_template: '{title}' }, ['Zipped'])
    const bundle = await pool.ask(downloads.downloadCrateBundle, {}, member.token)
    const names = [...(await fetchKit(bundle.url)).files.keys()]
    expect(names).toEqual(['House & Garage/Zipped.mp3', bundle.zip.replace(/zip$/, 'm3u8')])
  })
})

test('refuses a kit without a profile, with one of someone else, and of two sources', async () => {
  const { member } = await aDj()
  const stranger = await aMember(pool.ctx)
  const { profile } = await saveProfile(stranger)
  expect(await errorOf(requestKit(member, { profile_id: profile.profile_id }))).toMatchObject({
    code: 'unknown_profile',
  })
  expect(await errorOf(requestKit(await aMember(pool.ctx)))).toMatchObject({ code: 'unknown_profile' })
  expect(await errorOf(requestKit(member, { source: { crate: true, chart_type: 'daily' } }))).toMatchObject({
    code: 'invalid_request',
  })
})
