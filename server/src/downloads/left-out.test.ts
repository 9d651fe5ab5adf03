import { downloadProfiles, downloads, library } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { anEntry, importLibrary } from '../../test/library-makers.ts'
import { aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

type Member = Awaited<ReturnType<typeof aMember>>
type Song = Awaited<ReturnType<typeof aSong>>

const VERSIONS = ['Clean', 'Dirty', 'Instrumental', 'Acapella']

let songCount = 0
const aSongOfFour = () => aSong(pool.ctx, { title: `Harbour Lights ${++songCount}`, versions: VERSIONS })

const own = (member: Member, { artist, title }: Song, versions: string[]) =>
  importLibrary(
    pool,
    member,
    versions.map((version) => anEntry({ artist, title: `${title} (${version})` })),
  )

const download = ({ customer_id }: Member, versionId: number) => pool.ctx.sql`
  insert into download_grant (customer_id, song_version_id, used, allowed, opened_at)
  values (${customer_id}, ${versionId}, 1, 2, '2026-11-03T12:00:00Z')`

/** A member who has a song’s Dirty in their library, has downloaded its Instrumental, and both for its Acapella. */
async function aCollector(song: Song) {
  const member = await aMember(pool.ctx)
  await own(member, song, ['Dirty', 'Acapella'])
  for (const versionId of song.versionIds.slice(2)) await download(member, versionId)
  return member
}

const COMBINATIONS = [
  { skip_downloaded: false, skip_in_library: false },
  { skip_downloaded: true, skip_in_library: false },
  { skip_downloaded: false, skip_in_library: true },
  { skip_downloaded: true, skip_in_library: true },
]

test('a summary tells exactly how many files each combination leaves out', async () => {
  const song = await aSongOfFour()
  const { entity_id } = song
  for (const leftOut of COMBINATIONS) {
    const { token } = await aCollector(song)
    const summary = await pool.ask(downloads.songSummary, { entity_id }, token)
    expect(summary).toMatchObject({ downloadable: 4, repeated: 2, in_library: 1 })
    const skipped = (leftOut.skip_downloaded ? 2 : 0) + (leftOut.skip_in_library ? 1 : 0)
    const { files } = await pool.ask(downloads.downloadSongBundle, { entity_id, ...leftOut }, token)
    expect(files, JSON.stringify(leftOut)).toBe(4 - skipped)
  }
})

test('leaves out files in the DJ library from zips of the crate and of lists, and from kits', async () => {
  const song = await aSongOfFour()
  const { token } = await aCollector(song)
  await pool.ask(library.crateChange, { version_ids: song.versionIds }, token)
  const profile = { name: 'Laptop', system: 'macos', software: 'rekordbox', music_folder: '/Music' } as const
  await pool.ask(downloadProfiles.saveProfile, profile, token)
  const source = { crate: true } as const
  for (const summary of [
    await pool.ask(downloads.crateSummary, {}, token),
    await pool.ask(downloads.collectionSummary, { versions: song.versionIds }, token),
    await pool.ask(downloads.kitSummary, { source }, token),
  ])
    expect(summary).toMatchObject({ downloadable: 4, in_library: 1 })
  const leftOut = { skip_in_library: true }
  const collection = { title: 'Peak time', versions: song.versionIds, ...leftOut }
  for (const bundle of [
    await pool.ask(downloads.downloadCrateBundle, leftOut, token),
    await pool.ask(downloads.downloadCollectionBundle, collection, token),
    await pool.ask(downloads.downloadBoothKit, { software: 'rekordbox', source, ...leftOut }, token),
  ])
    expect(bundle).toMatchObject({ files: 3 })
})

test('the libraries of other members, and files of unknown versions, count for nothing', async () => {
  const song = await aSongOfFour()
  await own(await aMember(pool.ctx), song, VERSIONS)
  const member = await aMember(pool.ctx)
  await importLibrary(pool, member, [anEntry(song)])
  const { entity_id } = song
  expect(await pool.ask(downloads.songSummary, { entity_id }, member.token)).toMatchObject({ in_library: 0 })
  const input = { entity_id, skip_in_library: true }
  expect(await pool.ask(downloads.downloadSongBundle, input, member.token)).toMatchObject({ files: 4 })
})

test('refuses a zip of which everything is left out', async () => {
  const song = await aSongOfFour()
  const { entity_id } = song
  const member = await aMember(pool.ctx)
  await own(member, song, VERSIONS)
  const errorWith = async (leftOut: object) =>
    errorOf(pool.ask(downloads.downloadSongBundle, { entity_id, ...leftOut }, member.token))
  expect(await errorWith({ skip_in_library: true })).toMatchObject({
    code: 'nothing_to_download',
    message: 'All of these files are in your DJ library.',
  })
  await download(member, song.versionIds[0]!)
  expect(await errorWith({ skip_downloaded: true, skip_in_library: true })).toMatchObject({
    code: 'nothing_to_download',
    message: 'You’ve already downloaded all of these files or have them in your DJ library.',
  })
})
