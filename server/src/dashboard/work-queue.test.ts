import { dashboard, type StaffRole } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aFile, aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { aTicket } from '../../test/ticket-makers.ts'
import { recordDamagedFile } from '../platform/damaged-files.ts'
import { isNearlyFull } from '../platform/disk-space.ts'

let pool: TestPool
const tokens: Partial<Record<StaffRole, string>> = {}
beforeAll(async () => {
  pool = await openTestPool()
  for (const role of ['admin', 'support', 'curator', 'billing'] as const)
    tokens[role] = (await aMember(pool.ctx, { staff_role: role, application: 'none' })).token
})
afterAll(() => pool.close())

const ask = (role: StaffRole) => pool.ask(dashboard.getAttentionItems, {}, tokens[role])
/** The work items of a role, without the one that depends on the disk of this machine. */
const waits = async (role: StaffRole) => (await ask(role)).items.filter(({ kind }) => kind !== 'storage_full')
const named = async (role: StaffRole) => (await waits(role)).map(({ kind, count }) => `${kind} ${count}`)

test('an empty pool has nothing that needs attention except a backup', async () => {
  // Without any backup there is no age to show.
  expect(await named('admin')).toEqual(['backup_old 0'])
  expect(await named('support')).toEqual([])
})

test('each role sees only its own work, faults and overdue items first', async () => {
  const { sql } = pool.ctx
  const { token, customer_id } = await aMember(pool.ctx, { application: 'pending' })
  await aTicket(pool, token)
  const late = await aTicket(pool, token)
  await sql`update ticket set waiting_since = now() - interval '25 hours' where ticket_number = ${late}`
  const { entity_id, files } = await aSong(pool.ctx)
  await sql`update file set missing_since = now() where file_id = ${files[0]!.file_id}`
  const damaged = await aFile(pool.ctx)
  await sql`update file set missing_since = now(), found_bytes = 0 where file_id = ${damaged.file_id}`
  await recordDamagedFile(sql, damaged.sha256, 'truncated')
  // A missing original is counted as missing, and not once more as damaged.
  await recordDamagedFile(sql, 'f'.repeat(64), 'missing')
  await sql`
    insert into outgoing_mail (to_address, subject, html, body, state, next_attempt_at)
    values ('a@example.test', '', '', '', 'failed', now()), ('b@example.test', '', '', '', 'waiting', now() - interval '1 hour'),
      ('c@example.test', '', '', '', 'waiting', now())`
  await sql`
    insert into inbound_mail (from_address, subject, verdict, ticket_number)
    values ('d@example.test', '', 'bounce', ${late}), ('e@example.test', '', 'automatic', ${late})`
  await sql`
    insert into upload (customer_id, name, bytes, sha256, state, playable)
    values (${customer_id}, 'killer.mp3', 10, ${Buffer.alloc(32, 7)}, 'failed', false)`
  await sql`
    insert into upload_song (customer_id, title, artist, year, song_key, min_bpm, max_bpm, genres, sources, expires_at,
      has_custom_expiry, submitted_at)
    values (${customer_id}, 'T', 'A', 2026, '8A', 120, 120, '{}', '{}', now() + interval '1 year', false, now())`
  expect(await named('support')).toEqual(['tickets_late 1', 'tickets 2', 'applications 1'])
  expect(await named('billing')).toEqual([])
  expect((await named('curator')).slice(-3)).toEqual([
    ...['songs_without_art 1', 'songs_without_key 1', 'songs_without_genre 1'],
  ])
  expect(await named('admin')).toEqual([
    ...['backup_old 0', 'files_missing 1', 'files_damaged 1', 'mail_failed 1', 'mail_unsent 1'],
    ...['tickets_late 1'],
    ...['analyses_failed 1', 'mail_bounced 1', 'tickets 2', 'applications 1'],
    ...(await named('curator')),
  ])
  const [bounced] = (await waits('admin')).filter(({ kind }) => kind === 'mail_bounced')
  expect(bounced?.ticket_number).toBe(late)
  const [oldest] = (await waits('support')).filter(({ kind }) => kind === 'tickets_late')
  expect(Date.now() - Date.parse(oldest?.since ?? '')).toBeGreaterThan(24 * 3_600_000)
  await sql`update song set artwork_id = null, key_position = 1, song_key = '1A' where entity_id = ${entity_id}`
  expect(await named('curator')).not.toContain('songs_without_key 1')
})

test('a generated cover counts as missing only if the song was added without a seed for it', async () => {
  const { entity_id } = await aSong(pool.ctx)
  const count = async () => (await waits('curator')).find(({ kind }) => kind === 'songs_without_art')?.count ?? 0
  const before = await count()
  await pool.ctx.sql`update song set cover_seed = 7 where entity_id = ${entity_id}`
  expect(await count()).toBe(before - 1)
})

test('shows failed payments to the billing role', async () => {
  const { sql } = pool.ctx
  const { customer_id } = await aMember(pool.ctx)
  const [plan] = await sql<{ plan_id: number }[]>`
    insert into plan (title, price_minor, currency) values ('Club', 1000, 'EUR') returning plan_id`
  const [subscription] = await sql<{ subscription_id: number }[]>`
    insert into subscription (customer_id, plan_id, gateway, gateway_ref, method, price_minor, first_price_minor, currency,
      interval, checkout_ends_at, status, paid_until)
    values (${customer_id}, ${plan!.plan_id}, 'sandbox', 'sub', 'credit_card', 1000, 1000, 'EUR', 'month', now(), 'past_due',
      now() - interval '4 days') returning subscription_id`
  for (const [n, days] of [1, 8].entries())
    await sql`
      insert into charge (subscription_id, customer_id, plan_id, gateway, gateway_ref, reason, status, amount_minor, currency,
        period_start, period_end, method, at)
      values (${subscription!.subscription_id}, ${customer_id}, ${plan!.plan_id}, 'sandbox', ${`charge ${n}`}, 'renewal', 'failed',
        1000, 'EUR', now(), now() + interval '1 month', 'credit_card', now() - make_interval(days => ${days}))`
  expect(await named('billing')).toEqual(['payments_failed 1', 'past_due 1'])
})

test('tells admins that email is on hold, even when the queue is empty', async () => {
  const { sql } = pool.ctx
  await sql`delete from outgoing_mail`
  await sql`insert into mail_hold (reason) values ('Restored from a backup.')`
  expect(await named('admin')).toContain('mail_held 0')
  await sql`
    insert into outgoing_mail (to_address, subject, html, body, next_attempt_at)
    values ('a@example.test', '', '', '', now() - interval '1 hour')`
  expect(await named('admin')).toContain('mail_held 1')
  // It is unsent only because email is on hold.
  expect((await named('admin')).filter((one) => one.startsWith('mail_unsent'))).toEqual([])
  await sql`delete from mail_hold`
  expect(await named('admin')).toContain('mail_unsent 1')
})

test('reports the newest successful backup when it is too old, with its age in days', async () => {
  const { sql } = pool.ctx
  const made = (days: number) => sql`
    insert into backup (folder, started_at, ended_at, taken_at)
    values ('/backups/x', now(), now(), now() - make_interval(days => ${days}))`
  await made(8)
  expect(await named('admin')).toContain('backup_old 8')
  await sql`insert into backup (folder, started_at, ended_at, error_message) values ('/backups/y', now(), now(), 'No room.')`
  expect(await named('admin')).toContain('backup_old 8')
  await made(6)
  expect((await waits('admin')).some(({ kind }) => kind === 'backup_old')).toBe(false)
})

test('members cannot open the dashboard', async () => {
  const { token } = await aMember(pool.ctx)
  for (const call of [dashboard.getAttentionItems, dashboard.getMetrics, dashboard.getMetricsFile])
    expect(await errorOf(pool.ask(call, {}, token))).toMatchObject({ status: 404 })
})

test.each([
  { free_bytes: 9e9, disk_bytes: 100e9, full: true },
  { free_bytes: 11e9, disk_bytes: 100e9, full: false },
  { free_bytes: 1.9e9, disk_bytes: 10e9, full: true },
  { free_bytes: 51e9, disk_bytes: 4e12, full: false },
])('isNearlyFull returns $full with $free_bytes of $disk_bytes bytes free', ({ full, ...space }) => {
  expect(isNearlyFull(space)).toBe(full)
})
