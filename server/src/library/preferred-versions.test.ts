import { account, library, membership } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

const NONE = { versions: [], add_all: false, by_genre: [] }
const prefer = (token: string, preference: Partial<membership.PreferredVersions>) =>
  pool.ask(account.savePreferredVersions, { ...NONE, ...preference }, token)
const crateVersions = async (token: string) => (await pool.ask(library.getCrates, {}, token)).version
const toggle = (token: string, songId: number, versionId?: number) =>
  pool.ask(library.crateAddRemove, { songId, versionId }, token)

test('a song without a version is added with the first preferred version it has', async () => {
  const { token } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, { versions: ['Dirty', 'Clean', 'Acapella'] })
  await prefer(token, { versions: ['intro_clean', 'acapella', 'clean'] })
  expect(await toggle(token, song.entity_id)).toEqual({ in_crate: true, count: 1 })
  expect(await crateVersions(token)).toEqual([song.versionIds[2]])
  expect(await toggle(token, song.entity_id)).toEqual({ in_crate: false, count: 0 })
})

test('several songs are added with their preferred versions, and skipped if they are in the crate', async () => {
  const { token } = await aMember(pool.ctx)
  const genre = await aGenre(pool.ctx, 'Amapiano')
  const [one, two, three] = [
    await aSong(pool.ctx, { versions: ['Clean', 'Dirty', 'Acapella'] }),
    await aSong(pool.ctx, { versions: ['Clean', 'Dirty'], genres: [genre] }),
    await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] }),
  ]
  await prefer(token, {
    versions: ['acapella', 'clean'],
    add_all: true,
    by_genre: [{ genre_id: genre, versions: ['dirty'] }],
  })
  await toggle(token, three.entity_id, three.versionIds[1])
  const song_ids = [one, two, three].map((song) => song.entity_id)
  expect(await pool.ask(library.crateChange, { song_ids }, token)).toEqual({ changed: 3, count: 3 })
  expect(await crateVersions(token)).toEqual([
    one.versionIds[2],
    one.versionIds[0],
    two.versionIds[1],
    three.versionIds[1],
  ])
  await pool.ask(library.crateChange, { song_ids, action: 'remove' }, token)
  expect(await crateVersions(token)).toEqual([])
})

test('a member without a preference adds the first version of a song', async () => {
  const { token } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, { versions: ['Dirty', 'Clean'] })
  // Clean comes before Dirty in the fixed order of versions.
  await toggle(token, song.entity_id)
  expect(await crateVersions(token)).toEqual([song.versionIds[1]])
})

test('a version whose file is missing is not preferred', async () => {
  const { token } = await aMember(pool.ctx)
  const song = await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] })
  await pool.ctx.sql`update file set missing_since = now() where file_id = ${song.files[0]?.file_id ?? 0}`
  await prefer(token, { versions: ['clean', 'dirty'] })
  await toggle(token, song.entity_id)
  expect(await crateVersions(token)).toEqual([song.versionIds[1]])
})

test('another version of a song in the crate does not move the song', async () => {
  const { token } = await aMember(pool.ctx)
  const [lower, upper] = [await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] }), await aSong(pool.ctx)]
  await toggle(token, lower.entity_id, lower.versionIds[0])
  await toggle(token, upper.entity_id)
  await toggle(token, lower.entity_id, lower.versionIds[1])
  expect((await pool.ask(library.crateIndex, {}, token)).list).toEqual([upper.entity_id, lower.entity_id])
})

test('the preferred versions follow the member, and can be chosen from the versions and genres of the pool', async () => {
  const { token } = await aMember(pool.ctx)
  const getProfile = async () => (await pool.ask(membership.getProfile, {}, token)).profile
  expect((await getProfile()).preferred_versions).toBeNull()
  const chosen = { versions: ['intro_clean'], add_all: true, by_genre: [{ genre_id: 3, versions: ['original'] }] }
  expect(await pool.ask(account.savePreferredVersions, chosen, token)).toEqual({ preferred_versions: chosen })
  expect((await getProfile()).preferred_versions).toEqual(chosen)

  const genre_id = await aGenre(pool.ctx, 'Gqom')
  await aGenre(pool.ctx, 'Taxi', { parent_id: genre_id })
  const { versions, genres } = await pool.ask(library.getVersionKinds, {}, token)
  expect(versions).toContainEqual({ version_code: 'intro_clean', name: 'Intro Clean' })
  expect(genres).toContainEqual({ genre_id, name: 'Gqom' })
  expect(genres.map(({ name }) => name)).not.toContain('Taxi')
  const tooMany = { ...chosen, versions: Array(101).fill('clean') }
  expect(await errorOf(pool.ask(account.savePreferredVersions, tooMany, token))).toMatchObject({
    code: 'invalid_request',
  })
})
