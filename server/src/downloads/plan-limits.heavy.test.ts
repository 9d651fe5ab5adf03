import { downloads, library, members, type planFeatures } from '@dubplate/contract'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { aPlan, payByCard } from '../../test/payment-makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool({ usesUniqueAddresses: true })
})
afterAll(() => pool.close())

/** A member who has paid for a plan with these features. */
async function aSubscriber(features: Partial<planFeatures.StoredPlanFeatures>) {
  const member = await aMember(pool.ctx, { payment_profile_status: 'unpaid' })
  const plan = await aPlan(pool.ctx, features)
  await payByCard(pool, member.token, { plan })
  return { ...member, plan }
}

const download = (token: string, version: number) => pool.ask(downloads.downloadVersion, { version }, token)
const downloadCrate = (token: string) => pool.ask(downloads.downloadCrateBundle, {}, token)
const summaryOf = (token: string) => pool.ask(downloads.crateSummary, {}, token)
const addToCrate = (token: string, version_ids: number[]) => pool.ask(library.crateChange, { version_ids }, token)

test('refuses a download after the last one of the month, but repeats an unfinished one', async () => {
  const { token } = await aSubscriber({ monthly_downloads: 2 })
  const { versionIds } = await aSong(pool.ctx, { versions: ['Original', 'Clean', 'Dirty'] })
  const [first = 0, second = 0, third = 0] = versionIds
  await download(token, first)
  await download(token, second)
  expect(await errorOf(download(token, third))).toMatchObject({
    ...{ status: 403, code: 'monthly_limit_reached' },
    message: expect.stringMatching(/^You’ve used all 2 downloads of this month\./),
  })
  expect(await download(token, first)).toMatchObject({ used: 1 })
  const { downloads: used } = await pool.ask(downloads.customerDownloads, {}, token)
  expect(used).toEqual({ [first]: 1, [second]: 1 })
})

test('counts simultaneous downloads of a month one after the other', async () => {
  const { token } = await aSubscriber({ monthly_downloads: 2 })
  const { versionIds } = await aSong(pool.ctx, { versions: ['Original', 'Clean', 'Dirty', 'Intro', 'Extended'] })
  const results = await Promise.allSettled(versionIds.map((version) => download(token, version)))
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(2)
})

test('downloads of earlier months and refunded ones do not count', async () => {
  const { token, customer_id } = await aSubscriber({ monthly_downloads: 1 })
  const { versionIds } = await aSong(pool.ctx, { versions: ['Original', 'Clean'] })
  await download(token, versionIds[0]!)
  await pool.ctx.sql`update download set at = at - interval '32 days' where customer_id = ${customer_id}`
  await download(token, versionIds[1]!)
  expect((await summaryOf(token)).month).toEqual({ limit: 1, left: 0 })
  await pool.ctx.sql`update download set refunded_at = now() where customer_id = ${customer_id}`
  expect((await summaryOf(token)).month).toEqual({ limit: 1, left: 1 })
})

test('a zip contains as many files as the month allows, and says why the others are left out', async () => {
  const { token } = await aSubscriber({ monthly_downloads: 2 })
  const { versionIds } = await aSong(pool.ctx, { versions: ['Original', 'Clean', 'Dirty'] })
  await addToCrate(token, versionIds)
  expect(await summaryOf(token)).toMatchObject({ uses: 3, month: { limit: 2, left: 2 }, has_bundle: true })
  const { files, skipped } = await downloadCrate(token)
  expect(files).toBe(2)
  expect(skipped.map(({ why }) => why)).toEqual([expect.stringMatching(/^You’ve used all 2 downloads of this month/)])
})

test('the plan says how often each version can be downloaded', async () => {
  const { token } = await aSubscriber({ version_downloads: 1 })
  const { versionIds } = await aSong(pool.ctx)
  const version = versionIds[0]!
  expect(await download(token, version)).toMatchObject({ used: 1, limit: 1 })
  await pool.ctx.sql`update download_grant set open_download_id = null where song_version_id = ${version}`
  expect(await errorOf(download(token, version))).toMatchObject({ code: 'download_limit_reached' })
  expect(await pool.ask(downloads.customerDownloads, {}, token)).toMatchObject({ limit: 1 })
})

test('zips of the crate and of lists need a plan that includes them', async () => {
  const { token } = await aSubscriber({ has_crate_bundles: false })
  const { versionIds, entity_id } = await aSong(pool.ctx, { versions: ['Original', 'Clean'] })
  await addToCrate(token, versionIds)
  expect(await summaryOf(token)).toMatchObject({ has_bundle: false })
  const downloadList = () =>
    pool.ask(downloads.downloadCollectionBundle, { title: 'House', versions: versionIds }, token)
  for (const request of [() => downloadCrate(token), downloadList])
    expect(await errorOf(request())).toMatchObject({ status: 403, code: 'plan_feature_required' })
  expect((await pool.ask(downloads.downloadSongBundle, { entity_id }, token)).files).toBe(2)
})

async function aTop20(entityIds: number[]): Promise<number> {
  const [list] = await pool.ctx.sql<{ top20_track_id: number }[]>`
    insert into top20 (title) values ('November') returning top20_track_id`
  const id = list?.top20_track_id ?? 0
  for (const [n, entityId] of entityIds.entries())
    await pool.ctx.sql`insert into top20_song values (${id}, ${n + 1}, ${entityId})`
  return id
}

test('a top 20 as a zip is a feature of its own, and only for the songs of that top 20', async () => {
  const [listed, other] = [await aSong(pool.ctx), await aSong(pool.ctx)]
  const top20_id = await aTop20([listed.entity_id])
  const ask = (token: string, versions: number[]) =>
    pool.ask(downloads.downloadCollectionBundle, { title: 'November', top20_id, versions }, token)
  const withPacks = await aSubscriber({ has_crate_bundles: false, has_top20_packs: true })
  expect((await ask(withPacks.token, listed.versionIds)).files).toBe(1)
  expect(await errorOf(ask(withPacks.token, other.versionIds))).toMatchObject({ code: 'unknown_list' })
  const without = await aSubscriber({ has_top20_packs: false })
  expect(await errorOf(ask(without.token, listed.versionIds))).toMatchObject({ code: 'plan_feature_required' })
})

test('members of other plans wait for new songs, except for what they downloaded before', async () => {
  const waiting = await aSubscriber({})
  const known = (await aSong(pool.ctx)).versionIds[0]!
  await download(waiting.token, known)
  const early = await aSubscriber({ head_start_hours: 24 })
  onTestFinished(async () => {
    await pool.ctx.sql`update plan set head_start_hours = 0`
  })
  const { versionIds, entity_id } = await aSong(pool.ctx)
  const version = versionIds[0]!
  expect(await errorOf(download(waiting.token, version))).toMatchObject({ status: 403, code: 'song_not_released' })
  expect(await download(waiting.token, known)).toMatchObject({ used: 1 })
  await addToCrate(waiting.token, [version])
  expect(await summaryOf(waiting.token)).toMatchObject({ files: 1, too_early: 1, downloadable: 0, used_up: 0 })
  expect(await errorOf(downloadCrate(waiting.token))).toMatchObject({ code: 'nothing_to_download' })
  await download(early.token, version)
  await pool.ctx.sql`update song set created_at = now() - interval '25 hours' where entity_id = ${entity_id}`
  await download(waiting.token, version)
})

test('the check of a download names a used-up month', async () => {
  const { token, customer_id } = await aSubscriber({ monthly_downloads: 1 })
  const { versionIds } = await aSong(pool.ctx, { versions: ['Original', 'Clean'] })
  await download(token, versionIds[0]!)
  const staff = await aMember(pool.ctx, { staff_role: 'support', group_id: 4 })
  const { steps } = await pool.ask(members.whyNoDownload, { customer_id, song_version_id: versionIds[1]! }, staff.token)
  expect(steps.find(({ step }) => step === 'limit')).toMatchObject({
    ...{ ok: false, code: 'monthly_limit_reached', sentence: '1 of 1 downloads of this month used.' },
  })
})
