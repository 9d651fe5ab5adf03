import { digging } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())
/** Songs of other tests are no longer new. */
beforeEach(async () => {
  await pool.ctx.sql`update song set created_at = now() - interval '8 days'`
})

type Member = Awaited<ReturnType<typeof aMember>>

const dig = async ({ token }: Member) => (await pool.ask(digging.digSongs, { list: 'new' }, token)).songs
const idsLeft = async (member: Member) => (await dig(member)).map(({ song }) => song.entity_id)
const mute = async ({ token }: Member, ...add: { kind: digging.MuteKind; id?: number; name?: string }[]) =>
  (await pool.ask(digging.changeMutes, { add }, token)).mutes
const unmute = async ({ token }: Member, ...remove: number[]) =>
  (await pool.ask(digging.changeMutes, { remove }, token)).mutes

let minutes = 10_000
const aNewSong = (overrides: Parameters<typeof aSong>[1] = {}) =>
  aSong(pool.ctx, { created_at: new Date(Date.now() - --minutes * 1000), ...overrides })

test('hides songs of a muted artist, label and genre until the mute is removed', async () => {
  const member = await aMember(pool.ctx)
  const genre = await aGenre(pool.ctx, 'Hardstyle')
  const songs = [
    await aNewSong({ artist: 'Beyoncé feat. Jay-Z' }),
    await aNewSong({ label: 'Toolroom' }),
    await aNewSong({ genres: [genre] }),
    await aNewSong(),
  ]
  const other = songs[3]!.entity_id
  const mutes = await mute(
    member,
    { kind: 'artist', name: 'BEYONCE' },
    { kind: 'label', name: 'toolroom' },
    { kind: 'genre', id: genre },
  )
  expect(mutes.map(({ kind, name }) => [kind, name])).toEqual([
    ['genre', 'Hardstyle'],
    ['label', 'toolroom'],
    ['artist', 'BEYONCE'],
  ])
  expect(await idsLeft(member)).toEqual([other])
  expect(await idsLeft(await aMember(pool.ctx))).toHaveLength(4)
  expect(await unmute(member, ...mutes.map(({ mute_id }) => mute_id))).toEqual([])
  expect(await idsLeft(member)).toHaveLength(4)
})

test('muting two artists together hides only their joint songs', async () => {
  const member = await aMember(pool.ctx)
  const [joint, alone] = [await aNewSong({ artist: 'Ada feat. Bo' }), await aNewSong({ artist: 'Ada' })]
  await mute(member, { kind: 'artist', name: 'Bo & Ada' })
  expect(await idsLeft(member)).not.toContain(joint.entity_id)
  expect(await idsLeft(member)).toContain(alone.entity_id)
})

test('leaves out muted versions, and songs that have no other', async () => {
  const member = await aMember(pool.ctx)
  const both = await aNewSong({ versions: ['Clean', 'Acapella'] })
  const single = await aNewSong({ versions: ['Acapella'] })
  const [code] = await pool.ctx.sql<{ version_code: string }[]>`
    select version_code from version_kind where name = 'Acapella'`
  await mute(member, { kind: 'version', name: code!.version_code })
  const [shown, ...others] = await dig(member)
  expect(shown?.song.entity_id).toBe(both.entity_id)
  expect(shown?.song.version.map(({ version_label }) => version_label)).toEqual(['Clean'])
  expect(others.map(({ song }) => song.entity_id)).not.toContain(single.entity_id)
})

test('mutes the same thing once, and only removes own mutes', async () => {
  const [member, other] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  await mute(member, { kind: 'artist', name: 'Ada & Bo' })
  const [own, ...more] = await mute(member, { kind: 'artist', name: 'Bo feat. Ada' })
  expect(more).toEqual([])
  await unmute(other, own!.mute_id)
  expect(await unmute(member)).toHaveLength(1)
})

test.each([
  [{ kind: 'song', id: 1_999_999 }, 'unknown_song'],
  [{ kind: 'genre', id: 4999 }, 'unknown_genre'],
  [{ kind: 'artist', name: ' … ' }, 'unknown_artist'],
  [{ kind: 'label', name: '' }, 'unknown_label'],
  [{ kind: 'version', name: 'nothing' }, 'unknown_version_type'],
] as const)('muting %o is %s', async (reference, code) => {
  expect(await errorOf(mute(await aMember(pool.ctx), reference))).toMatchObject({ code })
})

test('refuses more than the limit, and then mutes nothing (422 too_many_mutes)', async () => {
  const member = await aMember(pool.ctx)
  await pool.ctx.sql`
    insert into mute (customer_id, kind, name, credit_keys)
    select ${member.customer_id}, 'label', 'Label ' || n, array['label ' || n] from generate_series(1, ${digging.MAX_MUTES}) n`
  expect(await errorOf(mute(member, { kind: 'label', name: 'One more' }))).toMatchObject({ code: 'too_many_mutes' })
  expect((await pool.ask(digging.getMutes, {}, member.token)).mutes).toHaveLength(digging.MAX_MUTES)
})
