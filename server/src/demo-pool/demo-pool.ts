import type { Recipe } from '@dubplate/demo/song'
import { readBody } from '../audio/body.ts'
import { waveOf } from '../audio/wave.ts'
import { type Config, ConfigError } from '../platform/config.ts'
import type { Database } from '../platform/database.ts'
import type { Pool } from '../platform/db.ts'
import { demoModeOf } from '../platform/demo-mode.ts'
import type { Log } from '../platform/log.ts'
import { openStorage } from '../platform/open-storage.ts'
import { invoicedBy } from '../platform/payment-config.ts'
import { builtProgram } from '../platform/root.ts'
import type { Storage } from '../platform/storage.ts'
import type { MusicOnDemand } from '../world.ts'
import { fillDemoPool } from './fill.ts'
import { type ReadMusic, startMusicians } from './music.ts'
import type { Made } from './music-messages.ts'
import { setStaffPasswords } from './staff-passwords.ts'

const MUSICIANS = 2

/**
 * The demo: on where the pool listens locally and its database is embedded, filled when that database is empty. Answers
 * with what makes its music, or undefined where the demo is off. Where it is off, demo members cannot sign in.
 */
export async function openDemoPool(
  config: Config,
  log: Log,
  { sql, isEmbedded }: Database,
): Promise<{ music: MusicOnDemand; stop(): Promise<void> } | undefined> {
  const may = mayRun(config, isEmbedded)
  if (config.demo === 'on' && !may) throw new ConfigError(`Invalid DEMO="on": ${DEMO_NEEDS}`)
  const isEmpty = await poolIsEmpty(sql)
  if (config.demo === 'off' || !may) {
    await closeDemoMembers(sql, log)
    if (isEmpty)
      log.info('The database is empty. Create the first staff account: npm run pool -- create-staff you@example.com')
    return undefined
  }
  if (isEmpty) {
    log.info('Creating demo data …')
    log.info(await fill(config, sql), 'Demo data created')
  }
  const staffPassword = await setStaffPasswords(sql, demoModeOf(config))
  if (staffPassword)
    process.stdout.write(`The demo’s staff accounts have the password ${staffPassword} until the next start.\n`)
  const storage = await openStorage(config, log)
  const musicians = startMusicians({
    childPath: builtProgram('music-child'),
    scratch: () => storage.scratch('made.mp3'),
    store: (songVersionId, made, measured) => storeMade(sql, storage, songVersionId, made, measured),
    log,
    size: MUSICIANS,
    cacheFolder: config.demoCache,
  })
  if (config.demoMusic === 'all')
    for (const { song_version_id, recipe } of await unmade(sql)) musicians.whenIdle(song_version_id, recipe)
  return { music: musicians, stop: musicians.stop }
}

const DEMO_NEEDS =
  'the demo requires the embedded database. Unset DATABASE_URL. To make the demo available to other computers, set DEMO=on and PUBLIC_URL.'

/**
 * Fills an empty pool with the demo, as its first start would. Throws ConfigError where there may be no demo, and where
 * the pool is not empty: nothing of it is touched.
 */
export async function fillEmptyPool(config: Config, { sql, isEmbedded }: Pick<Database, 'sql' | 'isEmbedded'>) {
  if (!mayRun(config, isEmbedded)) throw new ConfigError(`Can’t create the demo: ${DEMO_NEEDS}`)
  if (!(await poolIsEmpty(sql))) {
    throw new ConfigError(`DATA_DIR="${config.dataDir}" is not empty. Choose an empty folder for the demo.`)
  }
  return fill(config, sql)
}

const fill = ({ demoSongs, payments, settings }: Config, sql: Pool) =>
  fillDemoPool(sql, {
    now: new Date(),
    most: demoSongs,
    invoice: invoicedBy(payments.invoice, settings.poolName),
  })

const mayRun = (config: Config, isEmbedded: boolean): boolean => isEmbedded && demoModeOf(config) !== 'off'

/** Closes the demo's members where the demo is off or may not be: for processes that do not run it themselves. */
export async function closeDemo(config: Config, log: Log, { sql, isEmbedded }: Database): Promise<void> {
  if (config.demo === 'off' || !mayRun(config, isEmbedded)) await closeDemoMembers(sql, log)
}

async function poolIsEmpty(sql: Pool): Promise<boolean> {
  const [found] = await sql<{ empty: boolean }[]>`
    select not exists (select 1 from song) and not exists (select 1 from customer) as empty`
  return found?.empty ?? false
}

async function closeDemoMembers(sql: Pool, log: Log): Promise<void> {
  const closed = await sql`
    update customer set status = 'suspended', password_hash = '!', demo = false where demo returning customer_id`
  if (closed.length === 0) return
  await sql`delete from session where customer_id = any(${closed.map((row) => row.customer_id as number)}::bigint[])`
  log.info({ members: closed.length }, 'Demo mode is off: demo accounts disabled')
}

/** What has a recipe and no file yet: what a visitor hears first, first. */
const unmade = (sql: Pool) =>
  sql<{ song_version_id: number; recipe: Recipe }[]>`
    select song_version_id, recipe from song_version where file_id is null and recipe is not null
    order by position > 0, entity_id desc, position`

/** Keeps finished music like any other file: in the store, measured, with its preview and waveform. */
async function storeMade(
  pool: Pool,
  storage: Storage,
  songVersionId: number,
  made: string,
  measured: Made,
): Promise<ReadMusic> {
  const body = await readBody(made, 'mp3')
  const { sha256, bytes } = await storage.keepFile('audio', made)
  // The master is a preview already: the two names share the bytes.
  await storage.keepAs({ kind: 'audio', sha256 }, 'previews', '.mp3')
  const hash = Buffer.from(sha256, 'hex')
  await pool.begin(async (sql) => {
    const [file] = await sql<{ file_id: number }[]>`
      insert into file (sha256, bytes, format, body) values (${hash}, ${bytes}, 'mp3', ${sql.json(body as never)})
      on conflict (sha256) do nothing returning file_id`
    if (!file) return
    await sql`
      insert into analysis (file_id, analyser_version, duration_seconds, sample_rate, channels, bitrate_kbps, bpm_confidence,
        key_confidence, loudness_lufs, loudness_range, true_peak_db)
      values (${file.file_id}, 0, ${measured.duration_seconds}, 44100, 2, 128, 1, 1, ${measured.loudness_lufs},
        ${measured.loudness_range}, ${measured.true_peak_db})`
    await sql`insert into peaks (file_id, overview, detail)
      values (${file.file_id}, ${Buffer.from(measured.overview)}, ${Buffer.from(measured.detail)})`
    await sql`insert into preview (file_id, sha256, bytes) values (${file.file_id}, ${hash}, ${bytes})`
    await sql`
      update song_version set file_id = ${file.file_id}, loudness_lufs = ${measured.loudness_lufs}, wave = ${waveOf(measured.overview)}
      where song_version_id = ${songVersionId}`
  })
  return (from, to) => storage.pieces('audio', sha256, { from, to })
}
