import { downloads } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { waitForBlocked } from '../../test/wait-until.ts'
import { rollUpDownloads } from './chart-outbox.ts'
import { completeDownloads, grantDownload, refundDownload } from './grants.ts'

let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
})
afterAll(() => pool.close())

const download = (version: number, token: string) => pool.ask(downloads.downloadVersion, { version }, token)
const rows = async (customerId: number) => {
  const [counted] = await pool.ctx.sql<
    { n: number }[]
  >`select count(*)::int as n from download where customer_id = ${customerId}`
  return counted?.n
}
const complete = async (customerId: number) => {
  const open = await pool.ctx.sql<{ download_id: number }[]>`
    select download_id from download where customer_id = ${customerId} and completed_at is null`
  await completeDownloads(
    pool.ctx.sql,
    open.map((row) => row.download_id),
  )
}

test('counts a download once until its transfer has completed, however often it is requested', async () => {
  const { token, customer_id } = await aMember(pool.ctx)
  const { versionIds } = await aSong(pool.ctx)
  const version = versionIds[0] ?? 0
  expect(await download(version, token)).toMatchObject({ used: 1, limit: 2 })
  expect(await download(version, token)).toMatchObject({ used: 1 })
  expect(await rows(customer_id)).toBe(1)
  await complete(customer_id)
  expect(await download(version, token)).toMatchObject({ used: 2 })
  await complete(customer_id)
  const refused = await errorOf(download(version, token))
  expect(refused).toMatchObject({ status: 403, code: 'download_limit_reached' })
  expect(refused.message).toMatch(/^You have no downloads left for “.+ \(Clean\)”\. You’ve used both downloads\.$/)
  expect(await pool.ask(downloads.customerDownloads, {}, token)).toMatchObject({
    downloads: { [version]: 2 },
    limit: 2,
  })
})

test('counts a download again after 24 hours', async () => {
  const { token, customer_id } = await aMember(pool.ctx)
  const { versionIds } = await aSong(pool.ctx)
  const version = versionIds[0] ?? 0
  await download(version, token)
  await pool.ctx
    .sql`update download_grant set opened_at = now() - interval '25 hours' where customer_id = ${customer_id}`
  expect(await download(version, token)).toMatchObject({ used: 2 })
})

test('forty simultaneous downloads never exceed the limit, whichever complete in between', async () => {
  const { customer_id } = await aMember(pool.ctx)
  const { versionIds } = await aSong(pool.ctx)
  const params = { customer_id, song_version_id: versionIds[0] ?? 0, limit: 2 }
  const one = async () => {
    const grant = await grantDownload(pool.ctx.sql, params)
    if (grant) await completeDownloads(pool.ctx.sql, [grant.download_id])
    return grant
  }
  for (let round = 0; round < 3; round++) {
    const granted = (await Promise.all(Array.from({ length: 40 }, one))).filter((grant) => grant !== undefined)
    for (const grant of granted) expect(grant.used).toBeLessThanOrEqual(2)
  }
  expect(await rows(customer_id)).toBe(2)
})

test('counts forty simultaneous calls for a download in progress once', async () => {
  const { token, customer_id } = await aMember(pool.ctx)
  const { versionIds } = await aSong(pool.ctx)
  const replies = await Promise.all(Array.from({ length: 40 }, () => download(versionIds[0] ?? 0, token)))
  expect(new Set(replies.map((reply) => reply.used))).toEqual(new Set([1]))
  expect(await rows(customer_id)).toBe(1)
})

test('the database refuses a count above the limit', async () => {
  const { customer_id } = await aMember(pool.ctx)
  const { versionIds } = await aSong(pool.ctx)
  await grantDownload(pool.ctx.sql, { customer_id, song_version_id: versionIds[0] ?? 0, limit: 2 })
  const directUpdate = pool.ctx.sql`update download_grant set used = 3 where customer_id = ${customer_id}`
  await expect(directUpdate).rejects.toThrow(/download_grant_within_limit/)
})

test('every counted download reaches the charts once, with several simultaneous roll-ups', async () => {
  const { versionIds, entity_id } = await aSong(pool.ctx)
  for (let n = 0; n < 7; n++) await download(versionIds[0] ?? 0, (await aMember(pool.ctx)).token)
  while (
    (await Promise.all([1, 2, 3].map(() => rollUpDownloads(pool.ctx.sql, 2)))).some((foldedCounts) => foldedCounts > 0)
  );
  const counted = await pool.ctx.sql`select period, n from chart_count where entity_id = ${entity_id} order by period`
  expect(counted.map((row) => [row.period, row.n])).toEqual([
    ['day', 7],
    ['hour', 7],
  ])
})

test.each([
  [{ group_id: 3 }, 'downloads_not_allowed'],
  [{ payment_profile_status: 'unpaid' }, 'subscription_required'],
] as const)('refuses a download for %o: %s', async (params, code) => {
  const { token, customer_id } = await aMember(pool.ctx, params)
  const { versionIds } = await aSong(pool.ctx)
  expect(await errorOf(download(versionIds[0] ?? 0, token))).toMatchObject({ status: 403, code })
  expect(await rows(customer_id)).toBe(0)
})

test('refuses an unknown version', async () => {
  const { token } = await aMember(pool.ctx)
  expect(await errorOf(download(999_999, token))).toMatchObject({ status: 404, code: 'unknown_version' })
})

test('refunding an earlier download does not change the one in progress', async () => {
  const { customer_id } = await aMember(pool.ctx)
  const { versionIds } = await aSong(pool.ctx)
  const params = { customer_id, song_version_id: versionIds[0] ?? 0, limit: 2 }
  const first = await grantDownload(pool.ctx.sql, params)
  await pool.ctx
    .sql`update download_grant set opened_at = now() - interval '25 hours' where customer_id = ${customer_id}`
  const second = await grantDownload(pool.ctx.sql, params)
  expect(second).toMatchObject({ used: 2 })
  for (let attempt = 0; attempt < 2; attempt++) await refundDownload(pool.ctx.sql, first?.download_id ?? 0)
  expect(await grantDownload(pool.ctx.sql, params)).toEqual({ ...second, used: 1, counted: false })
  await refundDownload(pool.ctx.sql, second?.download_id ?? 0)
  expect(await grantDownload(pool.ctx.sql, params)).toMatchObject({ used: 1, counted: true })
})

test('a download counted while an earlier one is refunded is not free', async () => {
  const { customer_id } = await aMember(pool.ctx)
  const { versionIds } = await aSong(pool.ctx)
  const params = { customer_id, song_version_id: versionIds[0] ?? 0, limit: 2 }
  const overdue = () =>
    pool.ctx.sql`update download_grant set opened_at = now() - interval '25 hours' where customer_id = ${customer_id}`
  const first = await grantDownload(pool.ctx.sql, params)
  await overdue()
  let next: Promise<unknown> = Promise.resolve()
  await pool.ctx.sql.begin(async (sql) => {
    await refundDownload(sql, first?.download_id ?? 0)
    next = grantDownload(pool.ctx.sql, params)
    await waitForBlocked(pool.ctx.sql, 1)
  })
  expect(await next).toMatchObject({ used: 1, counted: true })
})
