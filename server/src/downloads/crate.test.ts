import { downloads, library } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

const addToCrate = (token: string, version_ids: number[]) => pool.ask(library.crateChange, { version_ids }, token)
const summaryOf = (token: string, genre_id?: number) => pool.ask(downloads.crateSummary, { genre_id }, token)

/** Records downloads of a version that completed long ago. */
const useDownloads = (customerId: number, versionId: number, used: number) => pool.ctx.sql`
  insert into download_grant (customer_id, song_version_id, used, allowed, opened_at)
  values (${customerId}, ${versionId}, ${used}, 2, '2026-11-03T12:00:00Z')`

/** A crate with a new file, one downloaded before, one used up, one in progress, and a missing one. */
async function aMixedCrate(member: { customer_id: number; token: string }) {
  const genre = await aGenre(pool.ctx, `Afro House ${member.customer_id}`)
  const song = await aSong(pool.ctx, { versions: ['Original', 'Clean', 'Dirty'], genres: [genre] })
  const other = await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] })
  const [fresh = 0, repeated = 0, usedUp = 0] = song.versionIds
  const [inProgress = 0, missing = 0] = other.versionIds
  await addToCrate(member.token, [...song.versionIds, ...other.versionIds])
  await useDownloads(member.customer_id, repeated, 1)
  await useDownloads(member.customer_id, usedUp, 2)
  await pool.ctx.sql`
    insert into download_grant (customer_id, song_version_id, used, allowed, open_download_id, opened_at)
    values (${member.customer_id}, ${inProgress}, 2, 2, nextval('download_id'), now())`
  await pool.ctx.storage.remove('audio', other.files[1]!.sha256)
  await pool.ctx.sql`update file set missing_since = now()
    where file_id = (select file_id from song_version where song_version_id = ${missing})`
  const bytes = [...song.files, ...other.files].reduce((sum, file) => sum + file.bytes.length, 0)
  return { genre, bytes, versions: { fresh, repeated, usedUp, inProgress, missing } }
}

test('summarises the files of the crate and the downloads they use', async () => {
  const member = await aMember(pool.ctx)
  const { genre, bytes } = await aMixedCrate(member)
  expect(await summaryOf(member.token)).toEqual({
    ...{ songs: 2, files: 5, bytes, downloadable: 3 },
    ...{ uses: 2, last: 1, repeated: 1, in_library: 0, used_up: 1, unavailable: 1, too_early: 0 },
    ...{ limit: 2, month: null, has_bundle: true, conversions: [] },
  })
  expect(await summaryOf(member.token, genre)).toMatchObject({ songs: 1, files: 3, downloadable: 2, uses: 2 })
})

test('an unpublished song is not in the summary, and an empty crate has no files', async () => {
  const { token } = await aMember(pool.ctx)
  expect(await summaryOf(token)).toMatchObject({ songs: 0, files: 0, bytes: 0, downloadable: 0, uses: 0 })
  const song = await aSong(pool.ctx)
  await addToCrate(token, song.versionIds)
  await pool.ctx.sql`update song set status = 'unpublished' where entity_id = ${song.entity_id}`
  expect(await summaryOf(token)).toMatchObject({ songs: 0, files: 0 })
})

test('the crate of a staff member uses no downloads', async () => {
  const member = await aMember(pool.ctx, { staff_role: 'admin' })
  await aMixedCrate(member)
  expect(await summaryOf(member.token)).toMatchObject({ downloadable: 4, uses: 0, last: 0, repeated: 0, limit: null })
})

test('leaves out what was downloaded before on request, but not an unfinished download', async () => {
  const member = await aMember(pool.ctx)
  const { versions } = await aMixedCrate(member)
  const { files } = await pool.ask(downloads.downloadCrateBundle, { skip_downloaded: true }, member.token)
  expect(files).toBe(2)
  const { downloads: used } = await pool.ask(downloads.customerDownloads, {}, member.token)
  expect(used).toEqual({
    ...{ [versions.fresh]: 1, [versions.repeated]: 1, [versions.usedUp]: 2, [versions.inProgress]: 2 },
  })
})

test('refuses a crate of which everything is left out', async () => {
  const { customer_id, token } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx)
  await addToCrate(token, song.versionIds)
  await useDownloads(customer_id, song.versionIds[0]!, 1)
  const request = pool.ask(downloads.downloadCrateBundle, { skip_downloaded: true }, token)
  expect(await errorOf(request)).toMatchObject({
    code: 'nothing_to_download',
    message: 'You’ve already downloaded all of these files.',
  })
})

test('a check says when a version was downloaded and whether it has one download left', async () => {
  const member = await aMember(pool.ctx)
  const { versions } = await aMixedCrate(member)
  const check = (version: number) => pool.ask(downloads.checkDownload, { version }, member.token)
  expect(await check(versions.fresh)).toMatchObject({ version_label: 'Original', downloaded_at: null, is_last: false })
  expect(await check(versions.repeated)).toMatchObject({ downloaded_at: '2026-11-03T12:00:00.000Z', is_last: true })
  // It is delivered again without being counted.
  expect(await check(versions.inProgress)).toMatchObject({ downloaded_at: null, is_last: false })
  expect(await errorOf(check(2_000_000_000))).toMatchObject({ code: 'unknown_version' })
})

test('summarises all versions of a song, and leaves out what was downloaded before on request', async () => {
  const { customer_id, token } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, { versions: ['Clean', 'Dirty', 'Intro'] })
  const { entity_id } = song
  await useDownloads(customer_id, song.versionIds[0]!, 1)
  expect(await pool.ask(downloads.songSummary, { entity_id }, token)).toMatchObject({
    ...{ songs: 1, files: 3, downloadable: 3, uses: 3, last: 1, repeated: 1 },
  })
  const bundle = await pool.ask(downloads.downloadSongBundle, { entity_id, skip_downloaded: true }, token)
  expect(bundle.files).toBe(2)
})

test('summarises versions of several songs, and leaves out what was downloaded before on request', async () => {
  const { customer_id, token } = await aMember(pool.ctx)
  const songs = [await aSong(pool.ctx), await aSong(pool.ctx), await aSong(pool.ctx)]
  const versions = songs.flatMap(({ versionIds }) => versionIds.slice(0, 1))
  await useDownloads(customer_id, versions[0]!, 1)
  expect(await pool.ask(downloads.collectionSummary, { versions: [...versions, versions[1]!] }, token)).toMatchObject({
    ...{ songs: 3, files: 3, downloadable: 3, uses: 3, last: 1, repeated: 1, has_bundle: true },
  })
  const input = { title: 'Peak time', versions, skip_downloaded: true }
  expect(await pool.ask(downloads.downloadCollectionBundle, input, token)).toMatchObject({ files: 2 })
})
