import { account, ownLibrary } from '@dubplate/contract'
import type { LibraryEntry } from '@dubplate/contract/library-files'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeWav } from '../../test/audio-files.ts'
import { anEntry, importLibrary } from '../../test/library-makers.ts'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

type Member = Awaited<ReturnType<typeof aMember>>
type Song = Awaited<ReturnType<typeof aSong>>

const betterFor = ({ token }: Member, show: ownLibrary.BetterVersions = 'all') =>
  pool.ask(ownLibrary.getBetterVersions, { show }, token)
/** Each song with its missing versions as label and reason. */
async function missingOf(member: Member, show?: ownLibrary.BetterVersions) {
  const { songs } = await betterFor(member, show)
  return songs.map(({ song, missing }) => [
    song.entity_id,
    missing.map(({ song_version_id, reason }) => {
      const version = song.version.find((one) => one.song_version_id === song_version_id)
      return `${version?.version_label}: ${reason}`
    }),
  ])
}
/** A file of one version of a song. */
const fileOf = ({ artist, title }: Song, label: string, values: Partial<LibraryEntry> & { file?: string } = {}) =>
  anEntry({ artist, title: `${title} (${label})`, ...values })
const prefer = (
  { token }: Member,
  versions: string[],
  more: { add_all?: boolean; by_genre?: { genre_id: number; versions: string[] }[] } = {},
) => pool.ask(account.savePreferredVersions, { versions, add_all: false, by_genre: [], ...more }, token)

test('lists the versions that the member lacks, the preferred one first', async () => {
  const member = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, {
    artist: 'Kwame Ofori',
    title: 'Golden',
    versions: ['Clean', 'Dirty', 'Intro Clean'],
  })
  const complete = await aSong(pool.ctx, { artist: 'Lena Park', title: 'Harbour', versions: ['Clean'] })
  await importLibrary(pool, member, [fileOf(song, 'Dirty'), fileOf(complete, 'Clean')])
  await prefer(member, ['intro_clean', 'clean'])
  expect(await missingOf(member)).toEqual([[song.entity_id, ['Intro Clean: preferred', 'Clean: other']]])
  expect((await betterFor(member)).songs).toMatchObject([{ owned: [song.versionIds[1]] }])
  await prefer(member, ['intro_clean', 'clean'], { add_all: true })
  expect(await missingOf(member)).toEqual([[song.entity_id, ['Intro Clean: preferred', 'Clean: preferred']]])
  // The preferred version is owned already.
  await prefer(member, ['dirty', 'clean'])
  expect(await missingOf(member)).toEqual([[song.entity_id, ['Clean: other', 'Intro Clean: other']]])
  expect(await betterFor(member, 'preferred')).toMatchObject({
    songs: [],
    counts: { all: 1, preferred: 0, lossless: 0 },
    pagination: { totalCount: 0 },
  })
})

test('uses the preferred versions of a genre for its songs', async () => {
  const member = await aMember(pool.ctx)
  const genre = await aGenre(pool.ctx, 'Preferred')
  const versions = ['Clean', 'Dirty', 'Instrumental']
  const inGenre = await aSong(pool.ctx, { artist: 'Dmitri Volkov', title: 'Copper', versions, genres: [genre] })
  const other = await aSong(pool.ctx, { artist: 'Yuki Tanaka', title: 'Marble', versions })
  await importLibrary(pool, member, [fileOf(inGenre, 'Clean'), fileOf(other, 'Clean')])
  await prefer(member, ['dirty'], { by_genre: [{ genre_id: genre, versions: ['instrumental'] }] })
  expect(await missingOf(member, 'preferred')).toEqual([
    [other.entity_id, ['Dirty: preferred', 'Instrumental: other']],
    [inGenre.entity_id, ['Instrumental: preferred', 'Dirty: other']],
  ])
})

test('lists lossless files of versions of which the member has only a lossy one', async () => {
  const member = await aMember(pool.ctx)
  const songs = []
  for (const [n, artist] of ['Otis Bloom', 'Paloma Reyes', 'Ingrid Falk', 'Tariq Haddad'].entries())
    songs.push(
      await aSong(pool.ctx, {
        artist,
        title: `Velvet ${artist}`,
        versions: ['Clean'],
        wavs: [makeWav({ tone: 200 + n * 50 })],
      }),
    )
  const [lossy, lossless, both, alac] = songs
  await importLibrary(pool, member, [
    fileOf(lossy!, 'Clean', { file: 'a.mp3' }),
    fileOf(lossless!, 'Clean', { file: 'b.AIFF' }),
    fileOf(both!, 'Clean', { file: 'c.mp3' }),
    fileOf(both!, 'Clean', { file: 'c.flac' }),
    fileOf(alac!, 'Clean', { file: 'd.m4a', bytes: 30_000_000, duration_seconds: 300 }),
  ])
  expect(await missingOf(member, 'lossless')).toEqual([[lossy!.entity_id, ['Clean: lossless']]])
  expect((await betterFor(member)).counts).toEqual({ all: 1, preferred: 0, lossless: 1 })
})

test('leaves out what was downloaded, unpublished or missing, and songs whose version is unknown', async () => {
  const member = await aMember(pool.ctx)
  const versions = ['Clean', 'Dirty', 'Extended', 'Acapella']
  const song = await aSong(pool.ctx, { artist: 'Zeynep Aziz', title: 'Neon', versions })
  const unknown = await aSong(pool.ctx, { artist: 'Marek Holm', title: 'Gravity', versions })
  const hidden = await aSong(pool.ctx, { artist: 'Uma Keller', title: 'Horizon', versions })
  const [, dirty, extended, acapella] = song.versionIds
  const { sql } = pool.ctx
  await importLibrary(pool, member, [fileOf(song, 'Clean'), anEntry(unknown), fileOf(hidden, 'Clean')])
  await sql`update song set status = 'unpublished' where entity_id = ${hidden.entity_id}`
  expect(await missingOf(member)).toEqual([[song.entity_id, ['Dirty: other', 'Extended: other', 'Acapella: other']]])
  await sql`
    insert into download_grant (customer_id, song_version_id, allowed, used) values (${member.customer_id}, ${dirty!}, 2, 1)`
  await sql`update song_version set status = 'unpublished' where song_version_id = ${extended!}`
  expect(await missingOf(member)).toEqual([[song.entity_id, ['Acapella: other']]])
  await sql`
    update file set missing_since = now() where file_id = (select file_id from song_version where song_version_id = ${acapella!})`
  expect(await missingOf(member)).toEqual([])
})
