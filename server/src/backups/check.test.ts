import { readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { openTestPool, type TestPool } from '../../test/pool.ts'
import { fillDemoPool } from '../demo-pool/fill.ts'
import { invoiceSettingsFor } from '../platform/payment-config.ts'
import { storageKey } from '../platform/storage.ts'
import { checkPool } from './check.ts'
import { COUNT_CHECKS, findSequenceConflicts, findWrongCounts, LEDGER_CHECKS } from './consistency-checks.ts'
import { silentProgress } from './progress.ts'

const { signal } = new AbortController()
let pool: TestPool
beforeAll(async () => {
  pool = await openTestPool()
  await fillDemoPool(pool.ctx.sql, {
    now: new Date(),
    maxSongs: 60,
    invoice: invoiceSettingsFor(pool.ctx.config.payments.invoice, 'Night Shift'),
  })
})
afterAll(() => pool.close())

const find = (files: 'all' | 'fast' = 'all') => checkPool(pool.ctx, { files, progress: silentProgress, signal })
const placeOf = (sha256: string) => path.join(pool.ctx.config.dataDir, 'media', storageKey('audio', sha256))

/** Returns the problems found after these statements, which are rolled back. */
async function findProblemsAfter(...statements: string[]): Promise<string[]> {
  let found: string[] = []
  const undo = new Error('undone')
  await pool.ctx.sql
    .begin(async (sql) => {
      for (const statement of statements) {
        const done = await sql.unsafe(statement)
        if (done.count === 0) throw new Error(`Nothing was changed by: ${statement}`)
      }
      found = [
        ...(await findWrongCounts(sql, [...COUNT_CHECKS, ...LEDGER_CHECKS], () => {})),
        ...(await findSequenceConflicts(sql)),
      ]
      throw undo
    })
    .catch((error) => {
      if (error !== undo) throw error
    })
  return found
}

test('finds no problems in a consistent pool', async () => {
  await aSong(pool.ctx, { versions: ['Clean', 'Dirty'] })
  expect(await find()).toEqual({ problems: [], unnamed: [] })
  expect(await find('fast')).toEqual({ problems: [], unnamed: [] })
})

test.each([
  ['songs per genre', 'update genre_counter set songs = songs + 1 where genre_id = 31 and song_section_id = 1'],
  ['songs per genre', 'delete from genre_counter where genre_id = 31 and song_section_id = 1'],
  [
    'where a song is listed',
    `update song_genre set listed_section = null where (entity_id, genre_id) in (select entity_id, genre_id from song_genre limit 1)`,
  ],
  [
    'year and tempo of a song in its lists',
    'update song_genre set year = 1901 where (entity_id, genre_id) in (select entity_id, genre_id from song_genre limit 1)',
  ],
  ['searchable songs', 'delete from song_search where entity_id in (select entity_id from song_search limit 1)'],
  [
    'downloads per member',
    'update download_grant set used = used - 1 where (customer_id, song_version_id) in (select customer_id, song_version_id from download_grant where used > 0 limit 1)',
  ],
  [
    'downloads per day',
    `delete from chart_count where (period, start, entity_id) in (select period, start, entity_id from chart_count where period = 'day' limit 1)`,
  ],
  [
    'downloads per hour',
    `update chart_count set n = n + 1 where (period, start, entity_id) in (select period, start, entity_id from chart_count where period = 'hour' limit 1)`,
  ],
  [
    'listens per day',
    'delete from listen_count where (day, entity_id) in (select day, entity_id from listen_count limit 1)',
  ],
  [
    'total downloads and listens per song',
    'update song_total set listens = listens + 1 where entity_id in (select min(entity_id) from song_total)',
  ],
  [
    'ledger entries for payments',
    'update ledger set amount_minor = amount_minor - 1 where ledger_id in (select min(ledger_id) from ledger)',
  ],
  [
    'ledger entries for payments',
    'delete from ledger where ledger_id in (select min(ledger_id) from ledger where refund_id is null)',
  ],
  [
    'starts of paid subscriptions',
    `update subscription set paid_since = paid_since - interval '1 day'
      where subscription_id in (select subscription_id from subscription where paid_since is not null limit 1)`,
  ],
  ['invoice numbers', 'update invoice_number set last_serial = last_serial + 1'],
  [
    'invoices for payments and refunds',
    'update invoice set total_minor = total_minor + 1, net_minor = net_minor + 1 where invoice_id in (select min(invoice_id) from invoice)',
  ],
])('%s: reports an inconsistent count (%s)', async (says, statement) => {
  const found = await findProblemsAfter(statement)
  expect(found.filter((line) => line.startsWith(`${says}: `))).not.toEqual([])
  // Nothing else is reported, except where two counts are of the same rows.
  expect(found.length).toBeLessThanOrEqual(3)
})

test('finds an id that would be assigned twice', async () => {
  const { sql } = pool.ctx
  for (const [table, sequence] of [
    ['song', 'song_entity_id_seq'],
    ['download', 'download_id'],
  ]) {
    // Sequences are not transactional.
    const [sequenceState] = await sql.unsafe<{ last_value: number }[]>(`select last_value from ${sequence}`)
    await sql.unsafe(`select setval('${sequence}', 1)`)
    const found = await findSequenceConflicts(sql)
    await sql.unsafe(`select setval('${sequence}', ${sequenceState?.last_value})`)
    expect(found).toEqual([
      expect.stringMatching(new RegExp(`^ids of “${table}”: the next value is 2, but \\d+ already exists$`)),
    ])
  }
})

test('a download that is counted but not rolled up yet is in no chart, and is not reported as missing', async () => {
  const found = await findProblemsAfter(
    `insert into download (download_id, customer_id, song_version_id, entity_id)
      select nextval('download_id'), (select max(customer_id) from customer), song_version_id, entity_id from song_version limit 1`,
    `insert into download_grant (customer_id, song_version_id, used, allowed)
      select customer_id, song_version_id, 1, 2 from download order by download_id desc limit 1
      on conflict (customer_id, song_version_id) do update set used = download_grant.used + 1`,
    'insert into download_outbox (entity_id, at) select entity_id, at from download order by download_id desc limit 1',
  )
  expect(found).toEqual([])
})

test('lists twenty problems of one kind, and how many more there are', async () => {
  const found = await findProblemsAfter('update song_total set listens = listens + 1')
  expect(found).toHaveLength(21)
  expect(found.at(-1)).toMatch(/^total downloads and listens per song: and \d+ more$/)
})

test('names files that are missing, truncated or damaged; a fast check finds all but the last', async () => {
  const { files } = await aSong(pool.ctx, { versions: ['Clean', 'Dirty', 'Intro'] })
  const [gone = '', cut = '', damaged = ''] = files.map(({ sha256 }) => sha256)
  rmSync(placeOf(gone))
  writeFileSync(placeOf(cut), 'short')
  const bytes = readFileSync(placeOf(damaged))
  bytes[1000] = (bytes[1000] ?? 0) ^ 1
  writeFileSync(placeOf(damaged), bytes)
  const short = [
    `${storageKey('audio', gone)}: missing, referenced by “file”`,
    `${storageKey('audio', cut)}: 5 bytes, expected ${files[1]?.bytes.length} (“file”)`,
  ]
  expect((await find('fast')).problems.sort()).toEqual(short.sort())
  const wrong = `${storageKey('audio', damaged)}: damaged, checksum doesn’t match`
  expect((await find()).problems.sort()).toEqual([...short, wrong].sort())
  for (const { sha256, bytes } of files) writeFileSync(placeOf(sha256), bytes)
  expect((await find()).problems).toEqual([])
})

test('reports an unreferenced file once it is too old to be part of a running upload', async () => {
  const { storage, config, sql } = pool.ctx
  const { sha256 } = await storage.putBytes('images', Buffer.from('nobody’s'))
  expect((await find('fast')).unnamed).toEqual([])
  utimesSync(path.join(config.dataDir, 'media', storageKey('images', sha256)), new Date(0), new Date(0))
  expect(await find('fast')).toEqual({ problems: [], unnamed: [storageKey('images', sha256)] })
  const { customer_id } = await aMember(pool.ctx)
  await sql`update customer set profile_picture = ${sha256} where customer_id = ${customer_id}`
  expect((await find('fast')).unnamed).toEqual([])
})
