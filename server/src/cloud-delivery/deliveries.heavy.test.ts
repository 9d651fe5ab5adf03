import { cloud, downloadProfiles, downloads, notices } from '@dubplate/contract'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import {
  aLongSong,
  cloudHelpers,
  connectCloud,
  deliverAll,
  endPauses,
  musicOf,
  openCloudPool,
  resetCloud,
} from '../../test/cloud-makers.ts'
import type { CloudAccount, CloudServer } from '../../test/cloud-server.ts'
import { aGenre, aSong } from '../../test/makers.ts'
import { errorOf, type TestPool } from '../../test/pool.ts'
import { deliverNext } from './deliver-file.ts'

let pool: TestPool
let server: CloudServer
let house: number
beforeAll(async () => {
  ;({ pool, server } = await openCloudPool())
  house = await aGenre(pool.ctx, 'House')
})
afterAll(async () => {
  await pool.close()
  await server.close()
})
beforeEach(() => resetCloud({ pool, server }))

const { aConnectedMember, send, filesOf, used } = cloudHelpers(() => ({ pool, server }))

describe.each([
  ['dropbox', 'dropbox'],
  ['google_drive', 'google'],
] as const)('%s', (provider, accountName) => {
  let account: CloudAccount
  beforeEach(() => {
    account = server[accountName]
  })

  test('sends the bytes of a download, with the names and folders of the default profile, and counts it', async () => {
    const member = await aConnectedMember(provider)
    const settings = { system: 'macos' as const, software: 'rekordbox' as const, music_folder: '/Users/dj/Music' }
    const names = { folder_template: '{genre}', file_template: '{artist} - {title} [{version}]' }
    await pool.ask(downloadProfiles.saveProfile, { name: 'Laptop', ...settings, ...names }, member.token)
    const song = await aSong(pool.ctx, { title: 'Nacht & Nebel', artist: 'Kwame', genres: [house] })
    const [versionId = 0] = song.versionIds
    const delivery = await send(member, song.versionIds, provider)
    expect(delivery).toMatchObject({ title: 'Test', progress: 0, counts: { waiting: 1, sent: 0 } })
    expect(await used(member, versionId)).toBe(0)
    await deliverAll(pool)
    expect(await filesOf(member, delivery)).toMatchObject([
      { state: 'sent', path: 'House/Kwame - Nacht & Nebel [Clean].mp3', reason: null },
    ])
    expect(await used(member, versionId)).toBe(1)
    const { url } = await pool.ask(downloads.downloadVersion, { version: versionId }, member.token)
    const { rawPayload } = await pool.app.inject({ method: 'GET', url })
    expect(musicOf(account)).toMatchObject([{ name: 'Kwame - Nacht & Nebel [Clean].mp3' }])
    expect(musicOf(account)[0]?.bytes.equals(rawPayload)).toBe(true)
  })

  test('does not send or count a file that is already there, also after the member moved and changed it', async () => {
    const member = await aConnectedMember(provider)
    const { versionIds } = await aSong(pool.ctx)
    await send(member, versionIds, provider)
    await deliverAll(pool)
    const [file] = musicOf(account)
    file!.name = 'Renamed by the member.mp3'
    file!.bytes = Buffer.from('with cue points')
    const again = await send(member, versionIds, provider)
    await deliverAll(pool)
    expect(await filesOf(member, again)).toMatchObject([{ state: 'already_there' }])
    expect(musicOf(account)).toHaveLength(1)
    expect(await used(member, versionIds[0]!)).toBe(1)
  })

  test('finds a file with the same content that this connection does not know', async () => {
    const member = await aConnectedMember(provider)
    const { versionIds } = await aSong(pool.ctx)
    await send(member, versionIds, provider)
    await deliverAll(pool)
    await pool.ctx.sql`delete from cloud_delivery`
    const again = await send(member, versionIds, provider)
    await deliverAll(pool)
    expect(await filesOf(member, again)).toMatchObject([{ state: 'already_there' }])
    expect(musicOf(account)).toHaveLength(1)
  })

  test('keeps a file of the same name with other content, and adds a number', async () => {
    const member = await aConnectedMember(provider)
    const song = await aSong(pool.ctx, { title: 'Twin', artist: 'Two' })
    await send(member, song.versionIds, provider)
    await deliverAll(pool)
    await pool.ctx.sql`delete from cloud_delivery`
    musicOf(account)[0]!.bytes = Buffer.from('other')
    const again = await send(member, song.versionIds, provider)
    await deliverAll(pool)
    expect(await filesOf(member, again)).toMatchObject([{ state: 'sent', path: 'Two - Twin (Clean) (2).mp3' }])
    expect(musicOf(account)).toHaveLength(2)
  })

  test('continues an interrupted upload after a restart without sending anything twice', async () => {
    const member = await aConnectedMember(provider)
    const { versionIds } = await aLongSong(pool)
    const delivery = await send(member, versionIds, provider)
    server.receivedBytes = 0
    const stopping = new AbortController()
    const second = accountName === 'dropbox' ? /append_v2/ : /upload\/drive/
    // The first chunk arrives; the process stops while the second one is sent.
    let chunks = 0
    const stopAtSecond = () => {
      chunks += 1
      if (chunks === (accountName === 'dropbox' ? 2 : 3)) stopping.abort()
    }
    server.overrides.push({ path: second, times: 9, before: stopAtSecond })
    await deliverNext(pool.ctx, stopping.signal)
    server.overrides.length = 0
    const [begun] = await filesOf(member, delivery)
    expect(begun).toMatchObject({ state: 'sending' })
    expect(begun?.sent_bytes).toBe(8 * 1024 * 1024)
    await deliverAll(pool)
    const [file] = await filesOf(member, delivery)
    expect(file).toMatchObject({ state: 'sent', sent_bytes: file?.bytes })
    expect(musicOf(account)[0]?.bytes).toHaveLength(file?.bytes ?? 0)
    expect(server.receivedBytes).toBe(file?.bytes)
    expect(await used(member, versionIds[0]!)).toBe(1)
  })

  test('a file whose confirmation was lost is neither sent nor counted again', async () => {
    const member = await aConnectedMember(provider)
    const { versionIds } = await aSong(pool.ctx)
    const delivery = await send(member, versionIds, provider)
    server.overrides.push({ path: accountName === 'dropbox' ? /finish/ : /upload\/drive/, isLost: true, times: 1 })
    if (accountName === 'google') server.overrides.unshift({ path: /upload\/drive/, times: 1, before: () => {} })
    await deliverAll(pool)
    await endPauses(pool)
    await deliverAll(pool)
    expect(await filesOf(member, delivery)).toMatchObject([{ state: 'sent' }])
    expect(musicOf(account)).toHaveLength(1)
    expect(await used(member, versionIds[0]!)).toBe(1)
  })

  test('begins again when the provider has discarded the upload', async () => {
    const member = await aConnectedMember(provider)
    const { versionIds } = await aSong(pool.ctx)
    const delivery = await send(member, versionIds, provider)
    const path = accountName === 'dropbox' ? /finish/ : /upload\/drive/
    let calls = 0
    server.overrides.push({
      path,
      times: 2,
      before: () => ++calls === (accountName === 'dropbox' ? 1 : 2) && account.uploads.clear(),
    })
    await deliverAll(pool)
    expect(await filesOf(member, delivery)).toMatchObject([{ state: 'sent' }])
  })

  test('renews an expired token', async () => {
    const member = await aConnectedMember(provider)
    const { versionIds } = await aSong(pool.ctx)
    server.expireAccessTokens()
    const delivery = await send(member, versionIds, provider)
    await deliverAll(pool)
    expect(await filesOf(member, delivery)).toMatchObject([{ state: 'sent' }])
    expect(await used(member, versionIds[0]!)).toBe(1)
  })

  test('a full account fails everything that is left, in words, and counts nothing', async () => {
    const member = await aConnectedMember(provider)
    const songs = [await aSong(pool.ctx), await aSong(pool.ctx)]
    const versionIds = songs.flatMap((song) => song.versionIds)
    account.space = 1
    const delivery = await send(member, versionIds, provider)
    await deliverAll(pool)
    const reason = `Your ${cloud.CLOUD_NAMES[provider]} is full. Make space, then try again.`
    expect(await filesOf(member, delivery)).toMatchObject([
      { state: 'failed', reason },
      { state: 'failed', reason },
    ])
    for (const versionId of versionIds) expect(await used(member, versionId)).toBe(0)
    account.space = Number.POSITIVE_INFINITY
    await pool.ask(cloud.retryDelivery, { delivery_id: delivery.delivery_id }, member.token)
    await deliverAll(pool)
    const { counts } = (await pool.ask(cloud.getDeliveries, { page: 1 }, member.token)).results[0]!
    expect(counts).toMatchObject({ sent: 2, failed: 0 })
    for (const versionId of versionIds) expect(await used(member, versionId)).toBe(1)
  })
})

test('waits as long as the provider asks, and says so', async () => {
  const member = await aConnectedMember()
  const { versionIds } = await aSong(pool.ctx)
  const delivery = await send(member, versionIds)
  server.overrides.push({ path: /upload_session/, status: 429, headers: { 'retry-after': '120' } })
  await deliverAll(pool)
  const [row] = await pool.ctx.sql<{ seconds: number }[]>`
    select extract(epoch from next_attempt_at - now())::float8 as seconds from cloud_connection`
  expect(row?.seconds).toBeGreaterThan(110)
  expect(row?.seconds).toBeLessThanOrEqual(120)
  const [paused] = (await pool.ask(cloud.getDeliveries, { page: 1 }, member.token)).results
  expect(paused?.problem).toBe('Dropbox asked for a pause. Sending continues on its own.')
  await endPauses(pool)
  await deliverAll(pool)
  expect(await filesOf(member, delivery)).toMatchObject([{ state: 'sent' }])
  const [done] = (await pool.ask(cloud.getDeliveries, { page: 1 }, member.token)).results
  expect(done).toMatchObject({ problem: null, progress: 1 })
  expect(await used(member, versionIds[0]!)).toBe(1)
})

test('revoked access ends the connection, counts nothing, and can be repaired by connecting again', async () => {
  const member = await aConnectedMember()
  const { versionIds } = await aSong(pool.ctx)
  const delivery = await send(member, versionIds)
  server.revokeAccess()
  await deliverAll(pool)
  expect(await filesOf(member, delivery)).toMatchObject([
    { state: 'failed', reason: 'Dropbox no longer accepts the connection. Connect it again, then try again.' },
  ])
  const { connections } = await pool.ask(cloud.getConnections, {}, member.token)
  expect(connections).toMatchObject([{ state: 'expired', open_files: 0 }])
  expect((await pool.ask(notices.getNotices, { page: 1 }, member.token)).notices).toMatchObject([
    { kind: 'cloud', address: '/account/cloud', is_read: false, text: expect.stringContaining('Connect it again') },
  ])
  await pool.ask(cloud.getDeliveries, { page: 1 }, member.token)
  expect((await pool.ask(notices.countUnread, {}, member.token)).unread).toBe(0)
  const expired = { status: 410, code: 'cloud_connection_expired' }
  expect(await errorOf(send(member, versionIds))).toMatchObject(expired)
  const { delivery_id } = delivery
  expect(await errorOf(pool.ask(cloud.retryDelivery, { delivery_id }, member.token))).toMatchObject(expired)
  expect(await used(member, versionIds[0]!)).toBe(0)
  await connectCloud({ pool, server }, member, 'dropbox')
  await pool.ask(cloud.retryDelivery, { delivery_id }, member.token)
  await deliverAll(pool)
  expect(await filesOf(member, delivery)).toMatchObject([{ state: 'sent' }])
})

test('a file that the provider rejects fails with its reason, and the others are sent', async () => {
  const member = await aConnectedMember()
  const songs = [await aSong(pool.ctx), await aSong(pool.ctx)]
  const delivery = await send(
    member,
    songs.flatMap(({ versionIds }) => versionIds),
  )
  const error = { '.tag': 'path', path: { '.tag': 'disallowed_name' } }
  server.overrides.push({ path: /finish/, status: 409, body: { error_summary: 'path/disallowed_name/.', error } })
  await deliverAll(pool)
  const [failed, sent] = await filesOf(member, delivery)
  expect(failed).toMatchObject({ state: 'failed', reason: expect.stringContaining('disallowed_name') })
  expect(sent).toMatchObject({ state: 'sent' })
  expect(await used(member, failed!.song_version_id)).toBe(0)
})
