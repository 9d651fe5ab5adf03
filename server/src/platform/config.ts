import path from 'node:path'
import { type BackupConfig, readBackups } from './backup-config.ts'
import { type CloudConfig, CloudConfigError, readCloud } from './cloud-config.ts'
import { parseEnvironment } from './config-environment.ts'
import { ConfigError } from './config-error.ts'
import { resolveDemoMode } from './demo-mode.ts'
import { type InboundConfig, InboundConfigError, readInbound } from './inbound-config.ts'
import { readSender } from './mail-config.ts'
import { type NetworkConfig, readNetwork } from './network-config.ts'
import { type PaymentConfig, PaymentConfigError, readPayments } from './payment-config.ts'
import { homeFolder } from './project-root.ts'
import { readOrCreateSecret } from './secret-file.ts'
import type { DefaultSettings } from './settings.ts'
import { readSignIn, type SignInConfig } from './sign-in-config.ts'
import { type BucketConfig, readBucket, readCredentials, StorageConfigError } from './storage-config.ts'
import { readStore, type StoreConfig, StoreConfigError } from './store-config.ts'

export { ConfigError }

export type Config = NetworkConfig &
  BackupConfig &
  SignInConfig & {
    dataDir: string
    /** The bucket for music and pictures; undefined if they are stored in a folder of `dataDir`. */
    bucket: BucketConfig | undefined
    /** Keys for buckets, also if the pool uses a folder: its backups may be in a bucket. */
    storageCredentials: BucketConfig['credentials']
    databaseUrl: string | undefined
    /** URL of a standby of that database, used for reading lists. */
    databaseReadUrl: string | undefined
    /** Whether to use prepared statements; an old PgBouncer does not support them. */
    prepare: boolean
    demo: 'auto' | 'on' | 'off'
    /** True while known passwords or test payments are on by default: only this computer may use the pool. */
    isLocalOnly: boolean
    demoSongs: number | undefined
    /** `all`: the demo generates its music in the background; `on-demand`: only what is played or downloaded. */
    demoMusic: 'newest' | 'all' | 'on-demand'
    /** A folder for the demo's music that several pools share; undefined if each pool generates its own. */
    demoCache: string | undefined
    /** The Shopify store whose products are shown; undefined if there are only staff's own products. */
    store: StoreConfig | undefined
    secret: string
    logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
    analysers: number | undefined
    /** Folders of this machine that staff may import from; empty if imports are only possible on the command line. */
    importFolders: string[]
    /** The front server that sends files for this process; `off`: this process sends them. */
    sendfile: 'off' | 'nginx' | 'apache'
    /** How many bytes of tagged copies are stored for the front server. */
    sendfileCacheBytes: number
    /** Where a worker serves health checks; undefined if it does not listen. */
    health: { host: string; port: number } | undefined
    /** The bearer token for /metrics; undefined if only programs on this machine may read it. */
    metricsToken: string | undefined
    /** The mail server; undefined if emails stay in the outbox until one is set. */
    smtpUrl: string | undefined
    /** How replies by email are received; undefined if they are not. */
    inbound: InboundConfig | undefined
    /** Cloud storage that members can have files sent to. */
    cloud: CloudConfig
    payments: PaymentConfig
    /** Defaults of the settings admins can change: read `ctx.settings` instead. */
    settings: DefaultSettings
  }

/** Reads the environment once. Throws ConfigError naming the invalid setting. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const value = parseEnvironment(env)
  const dataDir = path.resolve(homeFolder, value.DATA_DIR)
  const network = readNetwork(value)
  const { publicUrl } = network
  const demoMode = resolveDemoMode({ demo: value.DEMO, host: value.HOST, publicUrl, databaseUrl: value.DATABASE_URL })
  const payments = wrapConfigErrors(() =>
    readPayments(value, { publicUrl, nodeEnv: value.NODE_ENV, isPublicDemo: demoMode === 'public' }),
  )
  const isSandboxByDefault = value.GATEWAYS === undefined && payments.gateways.includes('sandbox')
  return {
    ...network,
    dataDir,
    bucket: wrapConfigErrors(() => readBucket(value)),
    storageCredentials: wrapConfigErrors(() => readCredentials(value)),
    databaseUrl: value.DATABASE_URL,
    databaseReadUrl: value.DATABASE_READ_URL,
    prepare: value.PREPARE === 'on',
    demo: value.DEMO,
    isLocalOnly: demoMode === 'local' || (demoMode === 'off' && isSandboxByDefault),
    demoSongs: value.DEMO_SONGS,
    demoMusic: value.DEMO_MUSIC,
    demoCache: value.DEMO_CACHE,
    store: wrapConfigErrors(() => readStore(value)),
    secret: value.SECRET ?? readOrCreateSecret(dataDir),
    logLevel: value.LOG_LEVEL,
    analysers: value.ANALYSERS,
    importFolders: value.IMPORT_FOLDERS,
    ...readBackups(value, value.STORAGE_URL !== undefined),
    sendfile: value.SENDFILE,
    sendfileCacheBytes: value.SENDFILE_CACHE_GB * 1e9,
    health: value.HEALTH_PORT === undefined ? undefined : { host: value.HEALTH_HOST, port: value.HEALTH_PORT },
    metricsToken: value.METRICS_TOKEN,
    ...readSignIn(value),
    smtpUrl: value.SMTP_URL,
    inbound: wrapConfigErrors(() => readInbound(value)),
    cloud: wrapConfigErrors(() => readCloud(value)),
    payments,
    settings: {
      poolName: value.POOL_NAME,
      storeUrl: value.STORE_URL ?? '',
      mailFrom: readSender(value.MAIL_FROM ?? `no-reply@${new URL(publicUrl).hostname}`),
      downloadLimit: value.DOWNLOAD_LIMIT,
      uploadDays: value.UPLOAD_DAYS,
      rescueDays: value.RESCUE_DAYS,
      publicBrowsing: value.PUBLIC_BROWSING === 'on',
      conversions: ['mp3', 'aiff'],
    },
  }
}

const CONFIG_ERRORS = [PaymentConfigError, StorageConfigError, StoreConfigError, InboundConfigError, CloudConfigError]

/** Turns the errors of a group of settings into ConfigError, so that they stop the start like any other. */
function wrapConfigErrors<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    const isConfigError = CONFIG_ERRORS.some((ours) => error instanceof ours)
    throw isConfigError ? new ConfigError((error as Error).message) : error
  }
}
