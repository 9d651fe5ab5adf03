import { readdirSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { refreshTempoAndKey } from '../src/catalogue/version-values.ts'
import { connect, type Pool } from '../src/platform/db.ts'
import { describeSchema, migrate, migrateUpTo } from '../src/platform/migrate.ts'
import { projectRoot } from '../src/platform/project-root.ts'
import { fillEveryTable } from './fill-tables.ts'
import { seededRandom } from './fill-values.ts'

/** Databases that hold data are upgraded without losing or changing any of it. */

const MIGRATIONS = readdirSync(path.join(projectRoot, 'server', 'migrations'))
  .filter((name) => name.endsWith('.sql'))
  .sort()
const FIRST_MIGRATION = MIGRATIONS[0] as string

/**
 * Everything that migrations are meant to change in existing tables: the columns they rewrite, `added` where they add
 * rows, `removed` where they remove some. Any other difference is lost data.
 */
const INTENDED_CHANGES: Record<string, Record<string, string[]>> = {
  // Adds what a search for single words needs.
  '0007-search.sql': { song_search: ['tsv'], search_word: ['df', 'added'] },
  // Charts count hours and days instead of days, weeks and months: `start` becomes a moment. Snapshots are taken again.
  '0008-charts.sql': { chart_count: ['start', 'added', 'removed'], chart_snapshot: ['removed'] },
  // The kinds of version that uploads may choose from.
  '0013-uploads.sql': { version_kind: ['added'] },
  // Charts without a row here are counted again, for every section.
  '0031-chart-sections.sql': { chart_refresh: ['removed'] },
  // Stored words get the names the product now uses.
  '0032-plain-words.sql': { audit: ['action', 'subject'], import_file: ['reason'], department: ['name'] },
  '0034-standard-names.sql': {
    song: ['status'],
    song_version: ['status'],
    song_edit: ['kind'],
    song_edit_song: ['before', 'after'],
    upload_song: ['review'],
    upload_review: ['decision'],
    import_run: ['state'],
    newsletter_subscriber: ['state'],
    inbound_mail: ['verdict'],
    sandbox_account: ['approval'],
    sandbox_charge: ['facts'],
    payment_event: ['facts'],
    payment_review: ['fact'],
    audit: ['action', 'before', 'after', 'subject'],
  },
  // Adds the words of labels.
  '0036-search-labels.sql': { song_search: ['tsv'], search_word: ['df', 'added'] },
  // The usual kinds of version get one order.
  '0037-version-order.sql': { version_kind: ['position', 'added'] },
  // The tempo and key of a song are derived from its versions.
  '0046-version-tempo.sql': {
    song: ['min_bpm', 'max_bpm', 'bpm_source', 'song_key', 'key_source', 'key_position'],
    song_search: ['max_bpm', 'tsv'],
  },
  // Marks songs without a genre.
  '0061-large-pools.sql': { song_search: ['tsv'] },
  // Adds pairs of a genre with a year or a tempo.
  '0069-genre-pairs.sql': { song_search: ['tsv'], search_word: ['df', 'added'] },
}

/** Tables that a migration renamed: compared under their new name. */
const RENAMED: Record<string, string> = {
  former_genre: 'genre_alias',
  outside_identity: 'external_identity',
  upload_twin: 'upload_duplicate',
  figure_day: 'daily_metric',
  rate: 'rate_counter',
  backup_made: 'backup',
  store_visit: 'store_sync',
  plan_at_gateway: 'gateway_plan',
  storage_day: 'storage_usage',
  saved_answer: 'saved_reply',
  notice: 'notification',
  notice_choice: 'notification_preference',
}

const socketDir = inject('socketDir')
const adminConnection = connect({ socketDir, database: 'postgres' }, { max: 1 })
const name = `upgrade_${process.pid}_${Date.now()}`
const databases = [
  `${name}_first`,
  `${name}_steps`,
  `${name}_words`,
  `${name}_names`,
  `${name}_tempos`,
  `${name}_fresh`,
] as const
let first: Pool
let steps: Pool
let renamedValues: Pool
let names: Pool
let tempos: Pool
let freshServer: Pool

beforeAll(async () => {
  for (const database of databases) await adminConnection.unsafe(`create database ${database}`)
  ;[first, steps, renamedValues, names, tempos, freshServer] = databases.map((database) =>
    connect({ socketDir, database }, { max: 2 }),
  ) as [Pool, Pool, Pool, Pool, Pool, Pool]
  await migrate(freshServer)
})
afterAll(async () => {
  await Promise.all([first, steps, renamedValues, names, tempos, freshServer].map((pool) => pool.end()))
  for (const database of databases) await adminConnection.unsafe(`drop database ${database} with (force)`)
  await adminConnection.end()
})

type JsonRow = Record<string, unknown>
type DatabaseContents = Map<string, JsonRow[]>

/** Every row of every table, each value as PostgreSQL writes it in JSON. */
async function readContents(sql: Pool): Promise<DatabaseContents> {
  const tables = await sql<{ name: string }[]>`
    select tablename as name from pg_tables where schemaname = 'public' and tablename <> 'migration' order by 1`
  const contents: DatabaseContents = new Map()
  for (const { name } of tables) {
    const rows = await sql<{ row: JsonRow }[]>`select to_jsonb(t) as row from ${sql(name)} t`
    contents.set(
      name,
      rows.map(({ row }) => row),
    )
  }
  return contents
}

/** The rows as texts of these columns alone, in one order. */
const normaliseRows = (rows: JsonRow[], columns: string[]) =>
  rows.map((row) => JSON.stringify(Object.fromEntries(columns.map((name) => [name, row[name]])))).sort()

async function readColumnNames(sql: Pool): Promise<Map<string, string[]>> {
  const columns = await sql<{ table: string; names: string[] }[]>`
    select table_name as table, array_agg(column_name::text order by column_name) as names
    from information_schema.columns where table_schema = 'public' group by table_name`
  return new Map(columns.map(({ table, names }) => [table, names]))
}

type DatabaseState = { contents: DatabaseContents; columns: Map<string, string[]> }
const readState = async (sql: Pool): Promise<DatabaseState> => ({
  contents: await readContents(sql),
  columns: await readColumnNames(sql),
})

/** Compares the tables and columns that both states have, except for what these migrations are meant to change. */
function expectUnchanged(before: DatabaseState, after: DatabaseState, migrations: string[]): void {
  for (const [table, rows] of before.contents) {
    const intendedColumns = migrations.flatMap((migration) => INTENDED_CHANGES[migration]?.[table] ?? [])
    const tableAfter = after.contents.has(table) ? table : (RENAMED[table] ?? table)
    const columns = (before.columns.get(table) ?? []).filter(
      (column) => after.columns.get(tableAfter)?.includes(column) && !intendedColumns.includes(column),
    )
    const [old, current] = [normaliseRows(rows, columns), normaliseRows(after.contents.get(tableAfter) ?? [], columns)]
    const what = `${table} after ${migrations.at(-1)}`
    if (!intendedColumns.includes('removed'))
      expect(describeDifference(old, current), `lost or changed rows of ${what}`).toEqual([])
    if (!intendedColumns.includes('added'))
      expect(describeDifference(current, old), `new or changed rows of ${what}`).toEqual([])
  }
}

/** What is in the first list more often than in the second; shortened, as rows with long texts fill a screen each. */
function describeDifference(rows: string[], others: string[]): string[] {
  const counts = new Map<string, number>()
  for (const row of others) counts.set(row, (counts.get(row) ?? 0) + 1)
  return rows
    .filter((row) => {
      const count = counts.get(row) ?? 0
      counts.set(row, count - 1)
      return count <= 0
    })
    .map((row) => row.slice(0, 300))
}

const expectEveryTableFilled = (contents: DatabaseContents) =>
  expect([...contents].filter(([, rows]) => rows.length === 0).map(([table]) => table)).toEqual([])

test('a filled database of the first migration keeps every row through all later migrations', async () => {
  await migrateUpTo(first, FIRST_MIGRATION)
  await fillEveryTable(first, { random: seededRandom(1) })
  const before = await readState(first)
  expectEveryTableFilled(before.contents)
  await migrate(first)
  expectUnchanged(before, await readState(first), MIGRATIONS)
  expect(await describeSchema(first)).toBe(await describeSchema(freshServer))
})

test('each migration keeps the rows of every table that existed before it', async () => {
  const random = seededRandom(2)
  for (const migration of MIGRATIONS) {
    const before = await readState(steps)
    await migrateUpTo(steps, migration)
    const after = await readState(steps)
    expectUnchanged(before, after, [migration])
    const hasNewColumns = (table: string) => `${before.columns.get(table)}` !== `${after.columns.get(table)}`
    await fillEveryTable(steps, { random, topUp: hasNewColumns })
  }
  expectEveryTableFilled(await readContents(steps))
  expect(await describeSchema(steps)).toBe(await describeSchema(freshServer))
})

test('renames stored actions and skip reasons, so that filters and rules find the old rows, too', async () => {
  await migrateUpTo(renamedValues, '0031-chart-sections.sql')
  await renamedValues`insert into audit ${renamedValues([
    { action: 'plan made', subject: 'plan 1' },
    { action: 'saved answer written', subject: 'saved answer 4' },
    { action: 'member suspended', subject: 'customer 7' },
  ])}`
  const [run] = await renamedValues<{ import_run_id: string }[]>`
    insert into import_run (source, folder, state) values ('browser', 'Crate', 'done') returning import_run_id`
  const files = ['withdrawn', 'not sent', 'damaged'].map((reason, n) => ({
    ...{ import_run_id: run?.import_run_id, n, path: `${n}.mp3`, bytes: 1, outcome: 'skipped', reason },
  }))
  await renamedValues`insert into import_file ${renamedValues(files)}`
  await migrate(renamedValues)

  expect(await renamedValues`select action, subject from audit order by audit_id`).toEqual([
    { action: 'plan created', subject: 'plan 1' },
    { action: 'saved reply created', subject: 'saved reply 4' },
    { action: 'member suspended', subject: 'customer 7' },
  ])
  expect((await renamedValues`select reason from import_file order by n`).map(({ reason }) => reason)).toEqual([
    'unpublished',
    'not uploaded',
    'damaged',
  ])
  expect((await renamedValues`select name from department order by position`).at(-1)).toEqual({ name: 'Other' })
})

/** Returns the values of one column, in the order of another. */
const readColumn = async (table: string, column: string, order: string) =>
  (await names.unsafe(`select ${column} as value from ${table} order by ${order}`)).map(({ value }) => value)

test('renames stored states and the keys of stored documents, and keeps texts that look like them', async () => {
  await migrateUpTo(names, '0033-plain-names.sql')
  await names.unsafe(`
    insert into customer (email, dj_name, password_hash) values ('dj@example.test', 'DJ', 'x');
    insert into plan (title, price_minor) values ('Monthly', 1500);
    insert into song (title, artist, song_identity, status, withdrawn_at) values
      ('One', 'A', 'a|one', 'published', null), ('Two', 'A', 'a|two', 'withdrawn', '2026-01-02');
    insert into song_edit (kind, songs) values ('withdrawn', 1), ('version_withdrawn', 1), ('edited', 1);
    insert into song_edit_song (song_edit_id, entity_id, before, after) values
      (1, 2, '{"status": ["published", null]}', '{"status": ["withdrawn", "2026-01-02"]}'),
      (2, 2, '{"version.7.status": ["published", null]}', '{"version.7.status": ["withdrawn", "2026-01-02"]}'),
      (3, 1, '{"title": "\\"status\\": [\\"withdrawn\\""}', '{"title": "withdrawn"}');
    insert into merged_song (entity_id, into_entity_id, song_section_id, song_identity, was) values (9, 1, 1, 'a|nine',
      '{"song": {"title": "Nine", "status": "withdrawn", "withdrawn_at": null},
        "versions": [{"song_version_id": 7, "status": "withdrawn", "withdrawn_at": "2026-01-02"}],
        "edits": [{"after": {"status": ["withdrawn", "2026-01-02"]}}]}');
    insert into newsletter_subscriber (email, state, left_at) values
      ('a@example.test', 'waiting', null), ('b@example.test', 'subscribed', null), ('c@example.test', 'left', '2026-01-03');
    insert into inbound_mail (from_address, subject, verdict) values
      ('a@example.test', '', 'twice'), ('a@example.test', '', 'stranger'), ('a@example.test', '', 'reply');
    insert into import_run (source, folder, state, trouble) values ('browser', 'Crate', 'sending', ''), ('folder', '/m', 'failed', 'No folder.');
    insert into payment_event (gateway, event_id, at, facts) values ('stripe', 'e1', now(),
      '[{"kind": "given_up", "trouble": "Declined."}, {"kind": "over"}, {"kind": "charge", "trouble": "", "amount_minor": 5}]');
    insert into payment_review (gateway, ref, reason, at, fact) values ('stripe', 'r1', 'amount', now(), '{"kind": "charge", "trouble": ""}');
    insert into subscription (customer_id, plan_id, gateway, method, price_minor, first_price_minor, currency, interval,
        checkout_ends_at, is_given_up, trouble, status)
      values (1, 1, 'sandbox', 'credit_card', 1500, 1500, 'USD', 'month', now(), true, 'Declined.', 'failed');
    insert into subscription_event (subscription_id, what, about, at) values (1, 'try', '1', now()), (1, 'return_tried', '2', now());
    insert into rate (what, who, n) values ('sign_in', '10.0.0.1', 3);
    insert into notice (customer_id, kind, text, address, about) values (1, 'reply', 'New reply.', '/ticket/details/1', 'ticket 1');
    insert into saved_answer (title, answer) values ('Hello', 'Welcome.');
    insert into daily_metric (day, figure, n, counted_at) values ('2026-01-01', 'listens', 4, now());
    insert into audit (action, subject, before, after) values
      ('coupon updated', 'coupon 1', '{"most_uses": null}', '{"most_uses": 5}'),
      ('promotion created', 'promotion 1', null, '{"words": "20% off"}'),
      ('spotlight unpublished', 'spotlight 1', '{"state": "published"}', '{"state": "withdrawn", "title": "withdrawn"}'),
      ('plan updated', 'plan 1', '{"on_sale": true}', '{"on_sale": false}'),
      ('dashboard metrics exported', 'figures', null, null),
      ('help article created', 'faq 2', null, null)`)
  await migrate(names)

  expect(await readColumn('song', 'status', 'entity_id')).toEqual(['published', 'unpublished'])
  expect(await readColumn('song', 'unpublished_at is not null', 'entity_id')).toEqual([false, true])
  expect(await readColumn('song_edit', 'kind', 'song_edit_id')).toEqual([
    'unpublished',
    'version_unpublished',
    'edited',
  ])
  expect(await readColumn('song_edit_song', 'after', 'song_edit_id')).toEqual([
    { status: ['unpublished', '2026-01-02'] },
    { 'version.7.status': ['unpublished', '2026-01-02'] },
    { title: 'withdrawn' },
  ])
  expect((await readColumn('song_edit_song', 'before', 'song_edit_id'))[2]).toEqual({ title: '"status": ["withdrawn"' })
  expect(await readColumn('merged_song', 'snapshot', 'entity_id')).toEqual([
    {
      song: { title: 'Nine', status: 'unpublished', unpublished_at: null },
      versions: [{ song_version_id: 7, status: 'unpublished', unpublished_at: '2026-01-02' }],
      edits: [{ after: { status: ['unpublished', '2026-01-02'] } }],
    },
  ])
  expect(await readColumn('newsletter_subscriber', 'state', 'email')).toEqual(['pending', 'subscribed', 'unsubscribed'])
  expect(await readColumn('inbound_mail', 'verdict', 'inbound_mail_id')).toEqual([
    'duplicate',
    'unknown_sender',
    'reply',
  ])
  expect(await readColumn('import_run', 'state', 'import_run_id')).toEqual(['uploading', 'failed'])
  expect(await readColumn('import_run', 'error_message', 'import_run_id')).toEqual(['', 'No folder.'])
  expect(await readColumn('payment_event', 'facts', 'event_id')).toEqual([
    [
      { kind: 'abandoned', failure_reason: 'Declined.' },
      { kind: 'terminated' },
      { kind: 'charge', failure_reason: '', amount_minor: 5 },
    ],
  ])
  expect(await readColumn('payment_review', 'fact', 'ref')).toEqual([{ kind: 'charge', failure_reason: '' }])
  expect(await names`select is_abandoned, has_ended, failure_reason from subscription`).toEqual([
    { is_abandoned: true, has_ended: false, failure_reason: 'Declined.' },
  ])
  expect(await readColumn('subscription_event', 'kind', 'reference')).toEqual(['attempt', 'refund_attempted'])
  expect(await names`select kind, key, count from rate_counter`).toEqual([
    { kind: 'sign_in', key: '10.0.0.1', count: 3 },
  ])
  expect(await readColumn('notification', 'subject', 'notification_id')).toEqual(['ticket 1'])
  expect(await readColumn('saved_reply', 'title', 'saved_reply_id')).toEqual(['Hello'])
  expect(await readColumn('daily_metric', 'metric', 'day')).toEqual(['listens'])
  expect(await names`select subject, before, after from audit order by audit_id`).toEqual([
    { subject: 'coupon 1', before: { max_uses: null }, after: { max_uses: 5 } },
    { subject: 'promotion 1', before: null, after: { description: '20% off' } },
    { subject: 'spotlight 1', before: { state: 'published' }, after: { state: 'unpublished', title: 'withdrawn' } },
    { subject: 'plan 1', before: { is_published: true }, after: { is_published: false } },
    { subject: 'metrics', before: null, after: null },
    { subject: 'faq 2', before: null, after: null },
  ])
  expect((await readColumn('audit', 'action', 'audit_id')).at(-1)).toBe('FAQ created')
})

type OldVersion = {
  label?: string
  name?: string
  seconds?: number
  tag?: object
  status?: string
  measured?: OldAnalysis
}
type OldAnalysis = [bpm: number | null, bpmConfidence: number, key: string | null, keyConfidence: number]
type OldSong = { min_bpm?: number; max_bpm?: number; bpm_source?: string; song_key?: string; key_source?: string }

let oldFiles = 0

/** Adds a song as it was before its versions had their own tempo and key. */
async function addOldSong(song: OldSong, versions: OldVersion[]): Promise<number> {
  const title = `Old ${++oldFiles}`
  const [added] = await tempos<{ entity_id: number }[]>`
    insert into song ${tempos({ title, artist: 'A', song_identity: `a|${title}`, ...song })} returning entity_id`
  const entityId = added?.entity_id ?? 0
  await tempos`
    insert into song_search (entity_id, max_bpm, tsv)
    values (${entityId}, ${song.max_bpm ?? null}, array_to_tsvector(array['old', '#s1', '#b' || ${song.min_bpm ?? 0}, '#B9', '#k1']))`
  for (const { label = 'Clean', name = '', seconds = 200, tag = {}, status = 'published', measured } of versions) {
    const [file] = await tempos<{ file_id: number }[]>`
      insert into file (sha256, bytes, format, body) values (sha256(${`old ${++oldFiles}`}::text::bytea), 1, 'mp3', '{}') returning file_id`
    const fileId = file?.file_id ?? 0
    if (measured) {
      const [bpm, bpmConfidence, key, keyConfidence] = measured
      await tempos`
        insert into analysis (file_id, analyser_version, duration_seconds, sample_rate, channels, bitrate_kbps, bpm, bpm_confidence,
          song_key, key_confidence, loudness_lufs, loudness_range, true_peak_db)
        values (${fileId}, 1, ${seconds}, 44100, 2, 128, ${bpm}, ${bpmConfidence}, ${key}, ${keyConfidence}, -9, 3, -1)`
    }
    await tempos`
      insert into song_version (entity_id, version_kind_id, version_label, file_id, duration_seconds, uploaded_name, tag, status)
      values (${entityId}, (select min(version_kind_id) from version_kind), ${label}, ${fileId}, ${seconds}, ${name},
        ${tempos.json(tag as never)}, ${status})`
  }
  return entityId
}

test('gives each version the tempo and key of its own file, and keeps what people set', async () => {
  await migrateUpTo(tempos, '0045-followed-lists.sql')
  const measured = await addOldSong(
    { min_bpm: 100, max_bpm: 100, bpm_source: 'analysis', song_key: 'C', key_source: 'analysis' },
    [
      { measured: [100, 0.9, 'C', 0.7] },
      { measured: [128.5, 0.8, 'Em', 0.9] },
      { measured: [64.2, 0.7, null, 0], label: 'Intro' },
      { measured: [85, 0.9, 'G', 0.9], seconds: 12, label: 'Quick Hit' },
      { measured: [175, 0.9, 'F', 0.9], status: 'unpublished' },
    ],
  )
  const tagged = await addOldSong({ min_bpm: 97, max_bpm: 97, bpm_source: 'tag', song_key: 'Dm', key_source: 'tag' }, [
    { tag: { bpm: 97, song_key: 'Dm' }, measured: [64, 0.9, 'C', 0.9] },
    { measured: [194.1, 0.9, 'Bb', 0.95] },
    { name: 'A - Old 120.mp3', measured: [120, 0.9, 'Bb', 0.2] },
  ])
  const named = await addOldSong(
    { min_bpm: 98, max_bpm: 124, bpm_source: 'name', song_key: 'Am', key_source: 'name' },
    [{ label: 'Transition', measured: [124, 0.9, 'C', 0.9] }, { measured: [98.1, 0.9, 'Am', 0.9] }],
  )
  const set = await addOldSong(
    { min_bpm: 90, max_bpm: 90, bpm_source: 'staff', song_key: 'Bm', key_source: 'uploader' },
    [{ measured: [128, 0.9, 'C', 0.9] }, { tag: { bpm: 127 } }],
  )
  const range = await addOldSong({ min_bpm: 90, max_bpm: 130, bpm_source: 'staff' }, [
    { measured: [128, 0.9, 'C', 0.9] },
    { measured: [90, 0.9, 'C', 0.9] },
  ])
  const cleared = await addOldSong({ bpm_source: 'staff', key_source: 'staff' }, [{ measured: [128, 0.9, 'C', 0.9] }])
  await migrate(tempos)

  const versionsOf = async (id: number) =>
    (
      await tempos`
        select bpm, bpm_to, bpm_source, song_key, key_source from song_version where entity_id = ${id} order by song_version_id`
    ).map((row) => Object.values(row))
  const songOf = async (id: number) =>
    (
      await tempos`
        select min_bpm, s.max_bpm, bpm_source, song_key, key_source, key_position, i.max_bpm as indexed, i.tsv::text as words
        from song s join song_search i using (entity_id) where entity_id = ${id}`
    )[0]
  expect(await versionsOf(measured)).toEqual([
    [100, null, 'analysis', 'C', 'analysis'],
    [128.5, null, 'analysis', 'Em', 'analysis'],
    [128.4, null, 'analysis', 'Em', 'analysis'],
    [85, null, 'analysis', 'Em', 'analysis'],
    [175, null, 'analysis', 'F', 'analysis'],
  ])
  expect(await songOf(measured)).toMatchObject({
    ...{ min_bpm: 100, max_bpm: 128.5, bpm_source: 'analysis', song_key: 'Em', key_source: 'analysis' },
    ...{ key_position: 17, indexed: 128.5, words: "'#B12' '#b100' '#g0' '#k17' '#s1' 'old'" },
  })
  expect(await versionsOf(tagged)).toEqual([
    [97, null, 'tag', 'Dm', 'tag'],
    [97.05, null, 'analysis', 'Bb', 'analysis'],
    [120, null, 'analysis', 'Bb', 'analysis'],
  ])
  expect(await songOf(tagged)).toMatchObject({ min_bpm: 97, max_bpm: 120, bpm_source: null, song_key: 'Dm' })
  expect(await versionsOf(named)).toEqual([
    [98, 124, 'name', 'C', 'analysis'],
    [98.1, null, 'analysis', 'Am', 'analysis'],
  ])
  expect(await versionsOf(set)).toEqual([
    [90, null, 'staff', 'Bm', 'uploader'],
    [90, null, 'staff', 'Bm', 'uploader'],
  ])
  expect((await versionsOf(range)).map(([bpm]) => bpm)).toEqual([128, 90])
  expect(await songOf(range)).toMatchObject({ min_bpm: 90, max_bpm: 130, bpm_source: 'staff' })
  expect(await versionsOf(cleared)).toEqual([[null, null, 'staff', null, 'staff']])
  expect(await songOf(cleared)).toMatchObject({
    min_bpm: null,
    bpm_source: 'staff',
    song_key: null,
    key_source: 'staff',
  })

  // The rules of the program are the same: applied to the migrated rows, they change nothing.
  const readAll = async () => [
    await tempos`select * from song order by 1`,
    await tempos`select * from song_version order by 1`,
  ]
  const migrated = await readAll()
  for (const id of [measured, tagged, named, set, range, cleared])
    await tempos.begin((sql) => refreshTempoAndKey(sql, id))
  expect(await readAll()).toEqual(migrated)
})
