import { cloud, downloads, library } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import {
  aLongSong,
  cloudHelpers,
  connectCloud,
  deliverAll,
  musicOf,
  openCloudPool,
  resetCloud,
} from '../../test/cloud-makers.ts'
import type { CloudServer } from '../../test/cloud-server.ts'
import { anEntry, importLibrary } from '../../test/library-makers.ts'
import { aMember, aSong } from '../../test/makers.ts'
import { aPlan, payByCard } from '../../test/payment-makers.ts'
import { errorOf, type TestPool } from '../../test/pool.ts'
import { queueCrateSongs } from './crate-deliveries.ts'
import { deliverNext } from './deliver-file.ts'

let pool: TestPool
let server: CloudServer
beforeAll(async () => {
  ;({ pool, server } = await openCloudPool())
})
afterAll(async () => {
  await pool.close()
  await server.close()
})
beforeEach(() => resetCloud({ pool, server }))

const { aConnectedMember, send, filesOf, used } = cloudHelpers(() => ({ pool, server }))

test('the same limits apply as to other downloads, and the reason is given', async () => {
  const member = await aConnectedMember()
  const [song, gone, missing] = [await aSong(pool.ctx), await aSong(pool.ctx), await aSong(pool.ctx)]
  await pool.ctx.sql`
    insert into download_grant (customer_id, song_version_id, used, allowed)
    values (${member.customer_id}, ${song.versionIds[0]!}, 2, 2)`
  await pool.ctx.sql`update song set status = 'unpublished', unpublished_at = now() where entity_id = ${gone.entity_id}`
  await pool.ctx.storage.remove('audio', missing.files[0]!.sha256)
  const delivery = await send(
    member,
    [song, gone, missing].flatMap(({ versionIds }) => versionIds),
  )
  await deliverAll(pool)
  expect((await filesOf(member, delivery)).map(({ state, reason }) => [state, reason])).toEqual([
    ['failed', `You have no downloads left for “${song.title} (Clean)”. You’ve used both downloads.`],
    ['failed', 'This song is no longer available.'],
    ['failed', 'The file is missing on our side. This download wasn’t counted.'],
  ])
  expect(musicOf(server.dropbox)).toHaveLength(0)
})

test('leaves out what was downloaded before and what is in the DJ library, on request', async () => {
  const member = await aConnectedMember()
  const song = await aSong(pool.ctx, { versions: ['Clean', 'Dirty', 'Acapella'] })
  const [, downloaded, left] = song.versionIds
  await importLibrary(pool, member, [anEntry({ artist: song.artist, title: `${song.title} (Clean)` })])
  await pool.ctx.sql`
    insert into download_grant (customer_id, song_version_id, used, allowed)
    values (${member.customer_id}, ${downloaded!}, 1, 2)`
  const source = { song_version_ids: song.versionIds }
  expect(await pool.ask(cloud.getSendSummary, { source }, member.token)).toMatchObject({
    ...{ downloadable: 3, repeated: 1, in_library: 1 },
  })
  const input = { provider: 'dropbox' as const, source, skip_downloaded: true, skip_in_library: true }
  const { delivery } = await pool.ask(cloud.send, input, member.token)
  expect((await filesOf(member, delivery)).map(({ song_version_id }) => song_version_id)).toEqual([left])
})

test('a member whose plan has ended is told so instead of getting files', async () => {
  const member = await aConnectedMember()
  const { versionIds } = await aSong(pool.ctx)
  const delivery = await send(member, versionIds)
  await pool.ctx.sql`update customer set payment_profile_status = 'unpaid' where customer_id = ${member.customer_id}`
  await deliverAll(pool)
  expect(await filesOf(member, delivery)).toMatchObject([{ state: 'failed', reason: 'Downloads need a paid plan.' }])
  expect(await errorOf(send(member, versionIds))).toMatchObject({ code: 'subscription_required' })
})

test('does not refund a download that the member began in the browser', async () => {
  const member = await aConnectedMember()
  const { versionIds } = await aSong(pool.ctx)
  await pool.ask(downloads.downloadVersion, { version: versionIds[0]! }, member.token)
  server.dropbox.space = 1
  await send(member, versionIds)
  await deliverAll(pool)
  expect(await used(member, versionIds[0]!)).toBe(1)
})

test('cancelling refunds what was not sent, and stops a file between two chunks', async () => {
  const member = await aConnectedMember()
  const [long, other] = [await aLongSong(pool), await aSong(pool.ctx)]
  const delivery = await send(member, [...long.versionIds, ...other.versionIds])
  const { delivery_id } = delivery
  const cancel = () => pool.ask(cloud.cancelDelivery, { delivery_id }, member.token)
  server.overrides.push({ path: /append_v2/, before: cancel })
  await deliverAll(pool)
  expect(await filesOf(member, delivery)).toMatchObject([{ state: 'cancelled' }, { state: 'cancelled' }])
  expect(await used(member, long.versionIds[0]!)).toBe(0)
  expect(musicOf(server.dropbox)).toHaveLength(0)
})

test('cancelling ends a pause after an error, and refunds the file that was being sent', async () => {
  const member = await aConnectedMember()
  const { versionIds } = await aSong(pool.ctx)
  const delivery = await send(member, versionIds)
  server.overrides.push({ path: /finish/, status: 503 })
  await deliverAll(pool)
  expect(await filesOf(member, delivery)).toMatchObject([{ state: 'sending' }])
  await pool.ask(cloud.cancelDelivery, { delivery_id: delivery.delivery_id }, member.token)
  await deliverAll(pool)
  expect(await filesOf(member, delivery)).toMatchObject([{ state: 'cancelled' }])
  expect(await used(member, versionIds[0]!)).toBe(0)
  expect(musicOf(server.dropbox)).toHaveLength(0)
})

test('a file that has arrived before it was cancelled stays counted', async () => {
  const member = await aConnectedMember()
  const { versionIds } = await aSong(pool.ctx)
  const delivery = await send(member, versionIds)
  const { delivery_id } = delivery
  server.overrides.push({ path: /finish/, before: () => pool.ask(cloud.cancelDelivery, { delivery_id }, member.token) })
  await deliverAll(pool)
  expect(await filesOf(member, delivery)).toMatchObject([{ state: 'sent' }])
  expect(await used(member, versionIds[0]!)).toBe(1)
})

test('disconnecting while files wait gives counted downloads back', async () => {
  const member = await aConnectedMember()
  const { versionIds } = await aSong(pool.ctx)
  await send(member, versionIds)
  server.overrides.push({ path: /finish/, status: 503 })
  await deliverAll(pool)
  expect(await used(member, versionIds[0]!)).toBe(1)
  await pool.ask(cloud.disconnect, { provider: 'dropbox' }, member.token)
  expect(await used(member, versionIds[0]!)).toBe(0)
})

test('songs that are added to the crate are sent on their own once that is on, and only those', async () => {
  const member = await aConnectedMember()
  const [before, after] = [await aSong(pool.ctx), await aSong(pool.ctx)]
  const add = (songId: number) => pool.ask(library.crateAddRemove, { songId }, member.token)
  await add(before.entity_id)
  const turnOn = (is_on: boolean) => pool.ask(cloud.alwaysSendCrate, { provider: 'dropbox', is_on }, member.token)
  expect((await turnOn(true)).connection.always_send_crate).toBe(true)
  await add(after.entity_id)
  await Promise.all([queueCrateSongs(pool.ctx), queueCrateSongs(pool.ctx)])
  await queueCrateSongs(pool.ctx)
  const { results } = await pool.ask(cloud.getDeliveries, { page: 1 }, member.token)
  expect(results).toMatchObject([{ is_automatic: true, counts: { waiting: 1 } }])
  await deliverAll(pool)
  expect(await filesOf(member, results[0]!)).toMatchObject([{ entity_id: after.entity_id, state: 'sent' }])
  await turnOn(false)
  await add((await aSong(pool.ctx)).entity_id)
  await queueCrateSongs(pool.ctx)
  expect((await pool.ask(cloud.getDeliveries, { page: 1 }, member.token)).results).toHaveLength(1)
})

test('says why crate songs are not sent after the plan has lost zips', async () => {
  const member = await aConnectedMember()
  await pool.ask(cloud.alwaysSendCrate, { provider: 'dropbox', is_on: true }, member.token)
  await pool.ctx.sql`update customer set payment_profile_status = 'unpaid' where customer_id = ${member.customer_id}`
  await payByCard(pool, member.token, { plan: await aPlan(pool.ctx, { has_crate_bundles: false }) })
  await pool.ask(library.crateAddRemove, { songId: (await aSong(pool.ctx)).entity_id }, member.token)
  await queueCrateSongs(pool.ctx)
  const { results } = await pool.ask(cloud.getDeliveries, { page: 1 }, member.token)
  expect(results).toMatchObject([
    { counts: { failed: 1 }, problem: expect.stringContaining('Your plan doesn’t include') },
  ])
})

test('a plan’s downloads per month apply, and its other features: only one song at a time', async () => {
  const member = await aMember(pool.ctx, { payment_profile_status: 'unpaid' })
  await payByCard(pool, member.token, {
    plan: await aPlan(pool.ctx, { has_crate_bundles: false, monthly_downloads: 1 }),
  })
  await connectCloud({ pool, server }, member, 'dropbox')
  const [song, other] = [await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] }), await aSong(pool.ctx)]
  expect(await errorOf(send(member, [...song.versionIds, ...other.versionIds]))).toMatchObject({
    code: 'plan_feature_required',
  })
  const delivery = await send(member, song.versionIds)
  await deliverAll(pool)
  expect(await filesOf(member, delivery)).toMatchObject([
    { state: 'failed', reason: expect.stringMatching(/^You’ve used all 1 downloads of this month/) },
    { state: 'sent' },
  ])
})

test('members take turns, one file each', async () => {
  const [one, other] = [await aConnectedMember(), await aConnectedMember()]
  const songs = await Promise.all([1, 2, 3, 4].map(() => aSong(pool.ctx)))
  const ids = songs.map(({ versionIds }) => versionIds[0]!)
  await send(one, ids.slice(0, 2))
  await send(other, ids.slice(2))
  const { signal } = new AbortController()
  await deliverNext(pool.ctx, signal)
  await deliverNext(pool.ctx, signal)
  const rows = await pool.ctx.sql<{ n: number }[]>`
    select count(*)::int as n from cloud_delivery_file where state = 'sent' group by connection_id`
  expect(rows.map(({ n }) => n)).toEqual([1, 1])
})

test('only one worker at a time sends to a connection', async () => {
  const member = await aConnectedMember()
  const songs = [await aSong(pool.ctx), await aSong(pool.ctx)]
  await send(
    member,
    songs.flatMap(({ versionIds }) => versionIds),
  )
  const { signal } = new AbortController()
  let other: boolean | undefined
  const before = async () => {
    other = await deliverNext(pool.ctx, signal)
  }
  server.overrides.push({ path: /finish/, before })
  await deliverNext(pool.ctx, signal)
  expect(other).toBe(false)
})

test('the summary counts downloads as the crate does, and one song needs no plan with zips', async () => {
  const member = await aConnectedMember()
  const { versionIds } = await aSong(pool.ctx)
  const source = { song_version_ids: versionIds }
  expect(await pool.ask(cloud.getSendSummary, { source }, member.token)).toMatchObject({
    ...{ files: 1, uses: 1, has_bundle: true, profile: null },
  })
})
