import type { Recipe } from '@dubplate/demo/song'
import { ANALYSER_VERSION } from '../analysis/analysis.ts'
import { waveOf } from '../analysis/wave.ts'
import type { OnDemandMusic } from '../app-context.ts'
import { readPayload } from '../audio-files/payload.ts'
import { saveBeatGrid } from '../media/beat-grids.ts'
import { saveFingerprint } from '../media/duplicates.ts'
import { saveSpectrum } from '../media/spectra.ts'
import { type Config, ConfigError } from '../platform/config.ts'
import type { Database } from '../platform/database.ts'
import type { Pool } from '../platform/db.ts'
import { resolveDemoMode } from '../platform/demo-mode.ts'
import type { Log } from '../platform/log.ts'
import { openStorage } from '../platform/open-storage.ts'
import { invoiceSettingsFor } from '../platform/payment-config.ts'
import { builtProgram } from '../platform/project-root.ts'
import type { Storage } from '../platform/storage.ts'
import { demoStructure } from './demo-structure.ts'
import { fillDemoPool } from './fill.ts'
import { type ReadMusic, startRenderPool } from './music.ts'
import type { RenderedTrack } from './music-messages.ts'
import { setStaffPasswords } from './staff-passwords.ts'

/** One for music that is not requested yet, at low priority, and two for requested music. */
const RENDER_WORKERS = 3
/** How many versions are generated without being asked for; null for all. Each takes about a second of one core. */
const RENDERED_AT_START = { newest: 24, all: null, 'on-demand': 0 }

/**
 * Opens the demo when its mode allows it and the database is embedded, and fills the database if it is empty. Returns
 * the generator of its music, or undefined when there is no demo; demo members are then suspended.
 */
export async function openDemoPool(
  config: Config,
  log: Log,
  { sql, isEmbedded }: Database,
): Promise<{ music: OnDemandMusic; stop(): Promise<void> } | undefined> {
  const isAllowed = canRunDemo(config, isEmbedded)
  if (config.demo === 'on' && !isAllowed) throw new ConfigError(`Invalid DEMO="on": ${DEMO_REQUIREMENTS}`)
  const isEmpty = await poolIsEmpty(sql)
  if (config.demo === 'off' || !isAllowed) {
    await closeDemoMembers(sql, log)
    if (isEmpty)
      log.info('The database is empty. Create the first staff account: npm run pool -- create-staff you@example.com')
    return undefined
  }
  if (isEmpty) {
    log.info('Creating demo data …')
    log.info(await fill(config, sql), 'Demo data created')
  }
  const staffPassword = await setStaffPasswords(sql, resolveDemoMode(config))
  if (staffPassword)
    process.stdout.write(`The demo’s staff accounts have the password ${staffPassword} until the next start.\n`)
  const storage = await openStorage(config, log)
  const renderPool = startRenderPool({
    childPath: builtProgram('music-child'),
    scratch: () => storage.scratch('made.mp3'),
    store: (songVersionId, rendered, measurements) =>
      storeRendered(sql, storage, songVersionId, rendered, measurements),
    log,
    size: RENDER_WORKERS,
    cacheFolder: config.demoCache,
  })
  for (const { song_version_id, recipe } of await findUnrendered(sql, RENDERED_AT_START[config.demoMusic]))
    renderPool.whenIdle(song_version_id, recipe)
  return { music: renderPool, stop: renderPool.stop }
}

const DEMO_REQUIREMENTS =
  'the demo requires the embedded database. Unset DATABASE_URL. To make the demo available to other computers, set DEMO=on and PUBLIC_URL.'

/**
 * Fills an empty pool with the demo, as its first start would. Throws ConfigError when the demo is not allowed or the
 * pool is not empty; then nothing is changed.
 */
export async function fillEmptyPool(config: Config, { sql, isEmbedded }: Pick<Database, 'sql' | 'isEmbedded'>) {
  if (!canRunDemo(config, isEmbedded)) throw new ConfigError(`Can’t create the demo: ${DEMO_REQUIREMENTS}`)
  if (!(await poolIsEmpty(sql))) {
    throw new ConfigError(`DATA_DIR="${config.dataDir}" is not empty. Choose an empty folder for the demo.`)
  }
  return fill(config, sql)
}

const fill = ({ demoSongs, payments, settings }: Config, sql: Pool) =>
  fillDemoPool(sql, {
    now: new Date(),
    maxSongs: demoSongs,
    invoice: invoiceSettingsFor(payments.invoice, settings.poolName),
  })

const canRunDemo = (config: Config, isEmbedded: boolean): boolean => isEmbedded && resolveDemoMode(config) !== 'off'

/**
 * Suspends the demo's members when the demo is off or not allowed, for processes that do not run the demo themselves.
 */
export async function closeDemo(config: Config, log: Log, { sql, isEmbedded }: Database): Promise<void> {
  if (config.demo === 'off' || !canRunDemo(config, isEmbedded)) await closeDemoMembers(sql, log)
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

/** The versions that have a recipe but no file yet, those a visitor hears first at the top. */
const findUnrendered = (sql: Pool, limit: number | null) =>
  sql<{ song_version_id: number; recipe: Recipe }[]>`
    select song_version_id, recipe from song_version where file_id is null and recipe is not null
    order by position > 0, entity_id desc, position limit ${limit}`

/** Stores finished music like any other file, with its measurements, preview and waveform. Returns its reader. */
async function storeRendered(
  pool: Pool,
  storage: Storage,
  songVersionId: number,
  rendered: string,
  measurements: RenderedTrack,
): Promise<ReadMusic> {
  const body = await readPayload(rendered, 'mp3')
  const { sha256, bytes } = await storage.putFile('audio', rendered)
  // The file is also its own preview: both names share the bytes.
  await storage.copyAs({ kind: 'audio', sha256 }, 'previews', '.mp3')
  const hash = Buffer.from(sha256, 'hex')
  const { quality } = measurements
  await pool.begin(async (sql) => {
    const [file] = await sql<{ file_id: number }[]>`
      insert into file (sha256, bytes, format, body) values (${hash}, ${bytes}, 'mp3', ${sql.json(body as never)})
      on conflict (sha256) do nothing returning file_id`
    if (!file) return
    await sql`
      insert into analysis (file_id, analyser_version, duration_seconds, sample_rate, channels, bitrate_kbps, bpm_confidence,
        key_confidence, loudness_lufs, loudness_range, true_peak_db, faults)
      values (${file.file_id}, ${ANALYSER_VERSION}, ${measurements.duration_seconds}, 44100, 2, 128, 1, 1, ${measurements.loudness_lufs},
        ${measurements.loudness_range}, ${measurements.true_peak_db}, ${sql.json(quality.faults)})`
    await sql`insert into peaks (file_id, overview, detail)
      values (${file.file_id}, ${Buffer.from(measurements.overview)}, ${Buffer.from(measurements.detail)})`
    await sql`insert into preview (file_id, sha256, bytes) values (${file.file_id}, ${hash}, ${bytes})`
    await saveSpectrum(sql, file.file_id, quality.spectrum)
    await saveFingerprint(sql, file.file_id, quality.fingerprint, quality.level_print)
    const [version] = await sql<{ recipe: Recipe }[]>`
      select recipe from song_version where song_version_id = ${songVersionId} and recipe is not null`
    if (version) await saveBeatGrid(sql, file.file_id, demoStructure(version.recipe))
    await sql`
      update song_version set file_id = ${file.file_id}, loudness_lufs = ${measurements.loudness_lufs}, wave = ${waveOf(measurements.overview)}
      where song_version_id = ${songVersionId}`
  })
  return (from, to) => storage.pieces('audio', sha256, { from, to })
}
