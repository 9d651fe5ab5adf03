import type { AppContext, OnDemandMusic } from './app-context.ts'
import { findPaidSubscription } from './billing/charges.ts'
import { openGateways } from './gateways/gateways.ts'
import { type Config, ConfigError, readConfig } from './platform/config.ts'
import { secureDataDir } from './platform/data-dir.ts'
import { type Database, openDatabase } from './platform/database.ts'
import { isDatabaseUnavailable } from './platform/db.ts'
import { DiskFullError } from './platform/disk-guard.ts'
import { createEncryption } from './platform/encryption.ts'
import { createLog, type Log } from './platform/log.ts'
import { openStorage } from './platform/open-storage.ts'
import { outages } from './platform/outage.ts'
import { createLiveSettings } from './platform/settings.ts'
import { createSigning } from './platform/signing.ts'

/** A part of a process that can be stopped. */
export type Stoppable = { stop(): Promise<void> }

/** What a process starts with. It registers each part as soon as it runs, so that a stop at any moment includes it. */
export type StartContext = { config: Config; log: Log; database: Database; register(stoppable: Stoppable): void }

const STOP_TIMEOUT_MS = 25_000

/** Creates the services of a process whose database is open. */
export async function createAppContext(
  config: Config,
  log: Log,
  database: Pick<Database, 'sql'> & Partial<Pick<Database, 'replica'>>,
  music?: OnDemandMusic,
): Promise<AppContext> {
  return {
    config,
    settings: await createLiveSettings(database.sql, config, log),
    log,
    sql: database.sql,
    replica: database.replica,
    storage: await openStorage(config, log),
    signing: createSigning(config.secret),
    encryption: createEncryption(config.secret),
    now: () => new Date(),
    gateways: await openGateways(database.sql, config, log, findPaidSubscription(database.sql)),
    music,
  }
}

/**
 * Runs a process: configuration, database, the given parts, and on SIGTERM or SIGINT a stop in which requests in
 * progress and jobs finish. Start errors are reported in one sentence.
 */
export async function runProcess(start: (startContext: StartContext) => Promise<void>): Promise<void> {
  // An empty event loop can hang Node 20 while it compiles (nodejs/node#54918): keep a handle, end explicitly.
  const alive = setInterval(() => {}, 60_000)
  let signal: StopSignal | undefined
  try {
    const config = readConfig(process.env)
    secureDataDir(config)
    const log = createLog(config.logLevel)
    exitOnUnexpected(log)
    const stoppables: Stoppable[] = []
    const databaseOpening = openDatabase(config, log)
    signal = stopOnSignal(log, stoppables, databaseOpening)
    const database = await databaseOpening
    const startContext = { config, log, database, register: (stoppable: Stoppable) => void stoppables.push(stoppable) }
    if (!signal.isReceived())
      await start(startContext).catch((error) =>
        signal?.isReceived() ? undefined : exitAfterFailure(error, log, stoppables, database),
      )
  } catch (error) {
    // A start that fails because of a stop is not an error; the stop ends the process.
    if (signal?.isReceived()) return
    clearInterval(alive)
    process.stderr.write(`${explain(error)}\n`)
    process.exit(isDatabaseUnavailable(error) ? EXIT_FAULT : 1)
  }
}

/**
 * The exit code of a process that ended because of an internal error (EX_SOFTWARE of sysexits.h): it should be
 * restarted.
 */
const EXIT_FAULT = 70

/**
 * The last resort for an error that nothing caught. A lost database only affects the work that used it; after any other
 * error the process may be in any state, so it logs the error and ends, and its supervisor restarts it.
 */
function exitOnUnexpected(log: Log): void {
  const exit = (error: unknown, message: string) => {
    log.fatal({ err: error }, message)
    process.exitCode = EXIT_FAULT
    // A log that cannot be written must not keep the process running.
    setTimeout(() => process.exit(EXIT_FAULT), 1000).unref()
    log.flush(() => process.exit(EXIT_FAULT))
  }
  process.on('unhandledRejection', (error) => {
    if (isDatabaseUnavailable(error)) outages.database.failed(log, error)
    else exit(error, 'Unhandled rejection; the process exits.')
  })
  process.on('uncaughtException', (error) => exit(error, 'Uncaught exception; the process exits.'))
}

/** Stops what was opened, so that a failed start leaves nothing running, and throws the error. */
async function exitAfterFailure(error: unknown, log: Log, stoppables: Stoppable[], database: Database): Promise<never> {
  await stopAll(log, stoppables, database)
  throw error
}

async function stopAll(log: Log, stoppables: Stoppable[], database: Database | undefined): Promise<void> {
  for (const stoppable of stoppables)
    await stoppable.stop().catch((error) => log.error(error, 'A component did not stop cleanly'))
  await database?.close().catch((error) => log.error(error, 'The database connection did not close cleanly'))
}

const explain = (error: unknown): string => {
  if (error instanceof ConfigError || error instanceof DiskFullError) return error.message
  if (isDatabaseUnavailable(error))
    return 'The database became unavailable while the pool was starting. Start it again.'
  const { code, port, address } = error as { code?: string; port?: number; address?: string }
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${address} is already in use. Stop the other program or set PORT to another port.`
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

type StopSignal = { isReceived(): boolean }

/** A signal before the database is open waits for it: otherwise a server that was just started would keep running. */
function stopOnSignal(log: Log, stoppables: Stoppable[], databaseOpening: Promise<Database>): StopSignal {
  let stopping = false
  const stop = async (signal: string) => {
    if (stopping) return
    stopping = true
    log.info({ signal }, 'Shutting down; finishing active requests')
    setTimeout(() => process.exit(1), STOP_TIMEOUT_MS).unref()
    await stopAll(log, stoppables, await databaseOpening.catch(() => undefined))
    process.exit(0)
  }
  process.on('SIGTERM', () => void stop('SIGTERM'))
  process.on('SIGINT', () => void stop('SIGINT'))
  return { isReceived: () => stopping }
}
