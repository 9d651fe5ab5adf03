import { catalogue, library } from '@dubplate/contract'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { makeApp } from '../app.ts'
import { setReadOnlyMeaning } from './db.ts'
import { createLog } from './log.ts'
import { followReplica, type Replica } from './replica.ts'

/** Two databases with different songs: a reply shows which of them was queried. */
let primary: TestPool
let standby: TestPool
let replica: Replica
let app: TestPool['app']
let songId = 0
beforeAll(async () => {
  primary = await openTestPool()
  standby = await openTestPool()
  songId = (await aSong(primary.ctx, { title: 'Of the database' })).entity_id
  expect((await aSong(standby.ctx, { title: 'Of the replica' })).entity_id).toBe(songId)
  replica = followReplica(primary.ctx.sql, standby.ctx.sql, createLog('silent'))
  app = await makeApp({ ...primary.ctx, replica })
  await app.ready()
})
afterAll(async () => {
  await app.close()
  await standby.close()
  await replica.close()
  await primary.close()
})

const callApi = (call: { path: string }, payload: object, token?: string) =>
  app.inject({
    method: 'POST',
    url: `/api/${call.path}`,
    payload,
    ...(token ? { headers: { authorization: `Bearer ${token}` } } : {}),
  })
const theSong = async () => (await callApi(catalogue.getSong, { entity_id: songId })).json().data.song.title

test('does not read from the replica until it is known to be up to date', async () => {
  expect(await theSong()).toBe('Of the database')
})

test('reads lists from a healthy replica, but never a member’s own data', async () => {
  await replica.look()
  await replica.look()
  expect(await theSong()).toBe('Of the replica')
  expect((await app.inject('/metrics')).body).toContain('dubplate_replica_fresh 1')
  const member = await aMember(primary.ctx)
  await callApi(library.favouriteAddRemove, { songId }, member.token)
  const { data } = (await callApi(library.getFavouriteSongs, {}, member.token)).json()
  expect(data.favouriteSongs).toEqual([songId])
})

test('a write that only the primary can run does not make the replica count as unavailable', async () => {
  setReadOnlyMeaning('standby')
  onTestFinished(() => setReadOnlyMeaning('disk full'))
  expect(replica.isUpToDate()).toBe(true)
  expect(replica.isReplicaError(Object.assign(new Error('read-only transaction'), { code: '25006' }))).toBe(true)
  expect(replica.isUpToDate()).toBe(true)
})

test('an invalid statement fails on both; a lost replica is not noticed by callers, and is skipped', async () => {
  await standby.ctx.sql`alter table song rename to song_away`
  const broken = await callApi(catalogue.getSong, { entity_id: songId })
  expect(broken.statusCode).toBe(500)
  await standby.ctx.sql`alter table song_away rename to song`
  await standby.ctx.sql.end()
  expect(await theSong()).toBe('Of the database')
  expect(replica.isUpToDate()).toBe(false)
  await replica.look()
  expect(replica.isUpToDate()).toBe(false)
})
