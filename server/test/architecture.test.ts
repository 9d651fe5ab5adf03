import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, inject, test } from 'vitest'
import { connect } from '../src/platform/db.ts'
import { describeSchema, schemaFile } from '../src/platform/migrate.ts'
import { projectRoot } from '../src/platform/project-root.ts'

/** Modules in the order of their imports: each may use those before it. */
const MODULES = [
  'platform',
  'audio',
  'membership',
  'notices',
  'gateways',
  'invoices',
  'billing',
  'books',
  'catalogue',
  'player',
  'library',
  'downloads',
  'imports',
  'uploads',
  'saved-searches',
  'newsletter',
  'helpdesk',
  'site',
  'staff',
  'backups',
  'dashboard',
  'demo-pool',
]

/** Which module writes which table. docs/architecture.md shows the same list and is checked against this one. */
const OWNERS: Record<string, string[]> = {
  platform: [
    'bounced_address',
    'migration',
    'outgoing_mail',
    'mail_hold',
    'rate_counter',
    'setting',
    'damaged_file',
    'worker_heartbeat',
  ],
  membership: [
    'customer',
    'customer_group',
    'session',
    'dj_application',
    'sign_in_attempt',
    'sign_up',
    'mailed_link',
    'mail_request',
    'totp',
    'recovery_code',
    'external_identity',
  ],
  notices: ['notification', 'notification_preference'],
  gateways: [
    'gateway_failure',
    'gateway_health',
    'gateway_plan',
    'sandbox_account',
    'sandbox_charge',
    'sandbox_refund',
  ],
  invoices: ['invoice', 'invoice_number'],
  billing: [
    'plan',
    'coupon',
    'coupon_use',
    'promotion',
    'subscription',
    'subscription_event',
    'cancel_feedback',
    'charge',
    'refund',
    'ledger',
    'payment_event',
    'payment_review',
    'sandbox_clock',
  ],
  books: [],
  audio: ['file', 'analysis', 'peaks', 'preview', 'fingerprint', 'artwork', 'reanalysis'],
  catalogue: [
    'song',
    'song_version',
    'version_kind',
    'genre',
    'genre_alias',
    'merged_song',
    'song_genre',
    'curated_genre',
    'curated_list',
    'curated_list_song',
    'top20',
    'top20_song',
    'trending_override',
    'genre_counter',
    'list_anchor',
    'song_search',
    'search_word',
    'search_word_del',
    'chart_count',
    'chart_snapshot',
    'chart_refresh',
    'listen_count',
    'song_total',
    'song_edit',
    'song_edit_song',
  ],
  player: ['listen', 'listen_outbox'],
  library: ['crate_item', 'favourite', 'playlist', 'playlist_song'],
  downloads: ['download_grant', 'download', 'download_outbox', 'download_transfer', 'download_link', 'bundle'],
  imports: ['import_run', 'import_file', 'import_cover', 'import_sheet'],
  uploads: ['analysis_usage', 'upload', 'upload_duplicate', 'upload_song', 'upload_version', 'upload_review'],
  'saved-searches': ['saved_search'],
  newsletter: ['newsletter_subscriber', 'newsletter_digest', 'followed_genre'],
  helpdesk: ['department', 'priority', 'faq', 'ticket', 'reply', 'ticket_file', 'inbound_mail', 'saved_reply'],
  site: ['announcement', 'announcement_hidden', 'merchandise', 'store_sync', 'page', 'job_opening'],
  staff: ['audit', 'staff_note'],
  backups: ['storage_usage', 'storage_scrub', 'backup', 'pool_check', 'restore_rehearsal'],
  dashboard: ['daily_metric'],
}

/** Modules that write another module's table, each with the reason. */
const ALLOWED_IMPORTS: Record<string, string[]> = {
  // The aggregation job reads what downloads and the player queue for the charts.
  catalogue: ['download_outbox', 'listen_outbox'],
}

const source = path.join(projectRoot, 'server', 'src')
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
)
const moduleOf = (file: string) => (file.includes(path.sep) ? file.split(path.sep)[0] : undefined)
const readSource = (file: string) => readFileSync(path.join(source, file), 'utf8')

test('modules only import modules before them', () => {
  const mismatches: string[] = []
  for (const file of files) {
    const moduleName = moduleOf(file)
    if (!moduleName) continue
    expect(MODULES, `${file} is in a room nobody knows`).toContain(moduleName)
    for (const [, target] of readSource(file).matchAll(/from '(?:\.\.\/)+([a-z0-9-]+)\//g)) {
      if (MODULES.indexOf(target ?? '') > MODULES.indexOf(moduleName)) mismatches.push(`${file} imports ${target}`)
    }
  }
  expect(mismatches).toEqual([])
})

test('the platform uses no domain terms', () => {
  const domainTables = /\b(songs?|genres?|crates?|playlists?|download_grant|customer)\b/i
  const mismatches = files.filter(
    (file) =>
      moduleOf(file) === 'platform' && domainTables.test(readSource(file).replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')),
  )
  expect(mismatches).toEqual([])
})

test('each table is only written by its own module', () => {
  const owner = new Map(
    Object.entries(OWNERS).flatMap(([moduleName, tables]) => tables.map((table) => [table, moduleName] as const)),
  )
  const mismatches: string[] = []
  for (const file of files) {
    const moduleName = moduleOf(file)
    if (!moduleName || moduleName === 'demo-pool') continue
    for (const [, table] of readSource(file).matchAll(/\b(?:insert into|delete from|update)\s+([a-z][a-z0-9_]+)/g)) {
      const owningTables = owner.get(table ?? '')
      if (owningTables && owningTables !== moduleName && !ALLOWED_IMPORTS[moduleName]?.includes(table ?? ''))
        mismatches.push(`${file} writes ${table}, which is ${owningTables}'s`)
    }
  }
  expect(mismatches).toEqual([])
})

test('every table has an owner, and docs/architecture.md lists it', async () => {
  const sql = connect({ socketDir: inject('socketDir'), database: 'template_pool' }, { max: 1 })
  const tables = await sql<
    { name: string }[]
  >`select tablename as name from pg_tables where schemaname = 'public' order by 1`
  await sql.end()
  expect(tables.map((table) => table.name)).toEqual(Object.values(OWNERS).flat().sort())
  const documented = readFileSync(path.join(projectRoot, 'docs', 'architecture.md'), 'utf8')
  for (const [moduleName, ownedTables] of Object.entries(OWNERS)) {
    const line = documented.split('\n').find((row) => row.startsWith(`| ${moduleName} |`))
    expect(line, `docs/architecture.md has no row of ${moduleName}`).toBeDefined()
    for (const table of ownedTables) expect(line).toContain(`\`${table}\``)
  }
})

test('schema.sql is the schema after the last migration', async () => {
  const sql = connect({ socketDir: inject('socketDir'), database: 'template_pool' }, { max: 1 })
  const described = await describeSchema(sql)
  await sql.end()
  expect(readFileSync(schemaFile, 'utf8')).toBe(described)
})
