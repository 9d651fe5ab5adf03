import { randomBytes } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { isIP, isIPv6 } from 'node:net'
import path from 'node:path'
import * as z from 'zod/mini'
import {
  CLOUD_EXPECTED_VALUES,
  type CloudConfig,
  CloudConfigError,
  cloudEnvironment,
  readCloud,
} from './cloud-config.ts'
import { resolveDemoMode } from './demo-mode.ts'
import {
  INBOUND_EXPECTED_VALUES,
  type InboundConfig,
  InboundConfigError,
  inboundEnvironment,
  readInbound,
} from './inbound-config.ts'
import {
  PAYMENT_EXPECTED_VALUES,
  type PaymentConfig,
  PaymentConfigError,
  paymentEnvironment,
  readPayments,
} from './payment-config.ts'
import { homeFolder } from './project-root.ts'
import type { DefaultSettings } from './settings.ts'
import {
  type BucketConfig,
  readBucket,
  readCredentials,
  StorageConfigError,
  storageEnvironment,
} from './storage-config.ts'
import {
  readStore,
  STORE_EXPECTED_VALUES,
  type StoreConfig,
  StoreConfigError,
  storeEnvironment,
} from './store-config.ts'

export type Config = {
  port: number
  host: string
  /** How long a stopping process keeps serving requests after /readyz reports that it is not ready. */
  drainSeconds: number
  dataDir: string
  /** The bucket for music and pictures; undefined if they are stored in a folder of `dataDir`. */
  bucket: BucketConfig | undefined
  /** Keys for buckets, also if the pool uses a folder: its backups may be in a bucket. */
  storageCredentials: BucketConfig['credentials']
  publicUrl: string
  /** False if it was derived from HOST and PORT. */
  isPublicUrlSet: boolean
  /**
   * The proxies trusted to report the caller's address: a list of addresses, networks and names, or the number of
   * proxies in front.
   */
  trustProxy: string[] | number
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
  /** Where the back office writes backups; undefined if only the command can make them. */
  backupDir: string | undefined
  /** After this many days without a backup staff are notified. */
  backupDays: number
  /**
   * In how many days workers read every stored file once; 0 for never, undefined for the default of the storage type.
   */
  scrubDays: number | undefined
  /** When workers make a daily backup, in UTC; undefined if scheduled backups are off. */
  backupTime: { hour: number; minute: number } | undefined
  /** For how many days and weeks the last scheduled backup is kept. */
  backupKeep: { daily: number; weekly: number }
  /** Where the files of a backup go: into its folder, or under a separate prefix of the pool's bucket. */
  backupFiles: 'folder' | 'bucket'
  /** The front server that sends files for this process; `off`: this process sends them. */
  sendfile: 'off' | 'nginx' | 'apache'
  /** How many bytes of tagged copies are stored for the front server. */
  sendfileCacheBytes: number
  /** Where a worker serves health checks; undefined if it does not listen. */
  health: { host: string; port: number } | undefined
  /** The bearer token for /metrics; undefined if only programs on this machine may read it. */
  metricsToken: string | undefined
  /** `required`: staff must turn on two-factor authentication before they can use the back office. */
  staffTwoStep: 'optional' | 'required'
  /** Staff sessions end after this many hours without a request. */
  staffIdleHours: number
  /** The operator's identity provider (OpenID Connect); undefined if there is none. */
  oidc: OidcConfig | undefined
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

export type OidcConfig = { issuer: string; clientId: string; clientSecret: string; name: string }

/** A setting in the environment is invalid; the message names it and the expected value. */
export class ConfigError extends Error {}

const onOff = z.enum(['on', 'off'])

/** `Name <address>`, or the address alone. */
const MAIL_FROM = /^(?:"?([^"<>]*?)"?\s*<([^\s@<>]+@[^\s@<>]+)>|([^\s@<>]+@[^\s@<>]+))$/

/** Over plain HTTP, others on the network could forge sign-ins: it is only allowed on this machine. */
function isSafeIssuer(issuer: string): boolean {
  if (!URL.canParse(issuer)) return false
  const { protocol, hostname } = new URL(issuer)
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
}

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal']

/** Returns true for an address, or a network in CIDR notation (RFC 4632). */
function isNetwork(text: string): boolean {
  if (NAMED_NETWORKS.includes(text)) return true
  const [address = '', bits, ...more] = text.split('/')
  const maxBits = isIPv6(address) ? 128 : 32
  const isInRange = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= maxBits)
  return isIP(address) !== 0 && isInRange && more.length === 0
}

const splitList = (text: string): string[] => text.split(',').map((one) => one.trim())

const trustProxy = z.union([
  z.pipe(z.string().check(z.regex(/^[1-9]$/)), z.transform(Number)),
  z.pipe(z.string().check(z.refine((text) => splitList(text).every(isNetwork))), z.transform(splitList)),
])

const folders = z.pipe(
  z.string().check(z.refine((text) => text.split(path.delimiter).every((one) => path.isAbsolute(one.trim())))),
  z.transform((text) => text.split(path.delimiter).map((one) => path.resolve(one.trim()))),
)

const environment = z.object({
  PORT: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(65535)), 3000),
  HOST: z._default(z.string().check(z.minLength(1)), 'localhost'),
  DRAIN_SECONDS: z._default(z.coerce.number().check(z.gte(0), z.lte(10)), 0),
  DATA_DIR: z._default(z.string().check(z.minLength(1)), './data'),
  PUBLIC_URL: z.optional(z.url()),
  TRUST_PROXY: z._default(trustProxy, ['loopback']),
  DATABASE_URL: z.optional(z.string().check(z.regex(/^postgres(ql)?:\/\//))),
  DATABASE_READ_URL: z.optional(z.string().check(z.regex(/^postgres(ql)?:\/\//))),
  PREPARE: z._default(onOff, 'on'),
  PUBLIC_BROWSING: z._default(onOff, 'on'),
  DEMO: z._default(z.enum(['auto', 'on', 'off']), 'auto'),
  DEMO_SONGS: z.optional(z.coerce.number().check(z.int(), z.gte(1))),
  DEMO_MUSIC: z._default(z.enum(['newest', 'all', 'on-demand']), 'newest'),
  DEMO_CACHE: z.optional(z.string().check(z.refine((folder) => path.isAbsolute(folder)))),
  POOL_NAME: z._default(z.string().check(z.minLength(1), z.maxLength(60)), 'Dubplate'),
  STORE_URL: z.optional(z.url({ protocol: /^https?$/ })),
  DOWNLOAD_LIMIT: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(20)), 2),
  UPLOAD_DAYS: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(3650)), 90),
  RESCUE_DAYS: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(3650)), 30),
  SECRET: z.optional(z.string().check(z.minLength(32))),
  LOG_LEVEL: z._default(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
  IMPORT_FOLDERS: z._default(folders, []),
  ANALYSERS: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(64))),
  BACKUP_DIR: z.optional(z.string().check(z.refine((folder) => path.isAbsolute(folder)))),
  BACKUP_DAYS: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(365)), 7),
  BACKUP_TIME: z._default(z.union([z.literal('off'), z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/))]), '04:15'),
  BACKUP_KEEP: z._default(z.string().check(z.regex(/^[1-9]\d{0,2} daily(, ?\d{1,3} weekly)?$/)), '7 daily, 4 weekly'),
  BACKUP_FILES: z.optional(z.enum(['folder', 'bucket'])),
  SCRUB_DAYS: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(256))),
  SENDFILE: z._default(z.enum(['off', 'nginx', 'apache']), 'off'),
  SENDFILE_CACHE_GB: z._default(z.coerce.number().check(z.gte(0), z.lte(100_000)), 10),
  HEALTH_PORT: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(65535))),
  HEALTH_HOST: z._default(z.string().check(z.minLength(1)), '127.0.0.1'),
  METRICS_TOKEN: z.optional(z.string().check(z.regex(/^[\x21-\x7e]{16,200}$/))),
  STAFF_TWO_STEP: z._default(z.enum(['optional', 'required']), 'optional'),
  STAFF_IDLE_HOURS: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(720)), 12),
  OIDC_ISSUER: z.optional(z.string().check(z.refine(isSafeIssuer))),
  OIDC_CLIENT_ID: z.optional(z.string()),
  OIDC_CLIENT_SECRET: z.optional(z.string()),
  OIDC_NAME: z.optional(z.string().check(z.maxLength(40))),
  SMTP_URL: z.optional(z.url({ protocol: /^smtps?$/, hostname: /./ })),
  MAIL_FROM: z.optional(z.string().check(z.regex(MAIL_FROM))),
  NODE_ENV: z.optional(z.string()),
  ...storageEnvironment,
  ...storeEnvironment,
  ...cloudEnvironment,
  ...inboundEnvironment,
  ...paymentEnvironment,
})

const EXPECTED_VALUES: Record<string, string> = {
  PORT: 'a port number from 0 to 65535',
  HOST: 'a host name or IP address to listen on, such as localhost',
  DRAIN_SECONDS: 'a number of seconds from 0 to 10',
  DATA_DIR: 'a folder',
  PUBLIC_URL: 'the full public URL, such as https://pool.example',
  TRUST_PROXY:
    'IP addresses or networks of trusted proxies, such as 10.0.0.2, 192.168.0.0/16, or the number of proxies, from 1 to 9',
  DATABASE_URL: 'a connection URL such as postgres://user:password@host/database',
  DATABASE_READ_URL: 'the connection URL of a read replica, such as postgres://user:password@standby/database',
  PREPARE: '"on" or "off"',
  PUBLIC_BROWSING: '"on" or "off"',
  DEMO: '"on" or "off"',
  DEMO_SONGS: 'a number greater than zero',
  DEMO_MUSIC: '"newest", "all" or "on-demand"',
  DEMO_CACHE: 'the full path of a folder, such as /var/cache/dubplate',
  POOL_NAME: 'a name of 1 to 60 characters',
  STORE_URL: 'the full URL of the store, such as https://store.example/',
  DOWNLOAD_LIMIT: 'a number of downloads per version from 1 to 20',
  UPLOAD_DAYS: 'a number of days from 1 to 3650',
  RESCUE_DAYS: 'a number of days from 0 to 3650',
  SECRET: 'at least 32 random characters',
  LOG_LEVEL: 'one of fatal, error, warn, info, debug, trace, silent',
  ANALYSERS: 'a number of processes from 1 to 64',
  IMPORT_FOLDERS: `absolute folder paths separated by ${path.delimiter}, such as /srv/music`,
  BACKUP_DIR: 'the absolute path of a folder, such as /backups',
  BACKUP_DAYS: 'a number of days from 1 to 365',
  BACKUP_TIME: '"off", or a time of day in UTC such as 04:15',
  BACKUP_KEEP: 'how many backups to keep, such as 7 daily, 4 weekly',
  BACKUP_FILES: '"folder" or "bucket"',
  SCRUB_DAYS: 'a number of days from 1 to 256, or 0 for never',
  SENDFILE: '"off", "nginx" or "apache"',
  SENDFILE_CACHE_GB: 'a number of gigabytes from 0 to 100000',
  HEALTH_PORT: 'a port number from 0 to 65535',
  HEALTH_HOST: 'a host name or address to listen on, such as 127.0.0.1',
  METRICS_TOKEN: '16 to 200 characters of randomness, without spaces',
  SMTP_URL: 'an SMTP URL, such as smtps://user:password@mail.example',
  MAIL_FROM: 'a sender name and email address, such as Night Shift <pool@pool.example>',
  STAFF_TWO_STEP: '"optional" or "required"',
  STAFF_IDLE_HOURS: 'a number of hours from 1 to 720',
  OIDC_ISSUER: 'the https URL of the identity provider, such as https://id.example',
  OIDC_NAME: 'a name of at most 40 characters',
  ...STORE_EXPECTED_VALUES,
  ...CLOUD_EXPECTED_VALUES,
  ...INBOUND_EXPECTED_VALUES,
  ...PAYMENT_EXPECTED_VALUES,
}

/** Reads the environment once. Throws ConfigError naming the invalid setting. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const definedValues = Object.fromEntries(
    Object.entries(env).filter(([, value]) => value !== undefined && value !== ''),
  )
  const read = environment.safeParse(definedValues)
  if (!read.success) {
    const name = String(read.error.issues[0]?.path[0])
    throw new ConfigError(
      `Invalid ${describeSetting(name, definedValues[name] ?? '')}: expected ${EXPECTED_VALUES[name] ?? 'a different value'}.`,
    )
  }
  const value = read.data
  const dataDir = path.resolve(homeFolder, value.DATA_DIR)
  const publicUrl = (value.PUBLIC_URL ?? `http://${formatHost(value.HOST)}:${value.PORT}`).replace(/\/$/, '')
  const demoMode = resolveDemoMode({ demo: value.DEMO, host: value.HOST, publicUrl, databaseUrl: value.DATABASE_URL })
  const payments = wrapConfigErrors(() =>
    readPayments(value, { publicUrl, nodeEnv: value.NODE_ENV, isPublicDemo: demoMode === 'public' }),
  )
  const isSandboxByDefault = value.GATEWAYS === undefined && payments.gateways.includes('sandbox')
  return {
    port: value.PORT,
    host: value.HOST,
    drainSeconds: value.DRAIN_SECONDS,
    dataDir,
    bucket: wrapConfigErrors(() => readBucket(value)),
    storageCredentials: wrapConfigErrors(() => readCredentials(value)),
    publicUrl,
    isPublicUrlSet: value.PUBLIC_URL !== undefined,
    trustProxy: value.TRUST_PROXY,
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
    backupDir: value.BACKUP_DIR,
    backupDays: value.BACKUP_DAYS,
    scrubDays: value.SCRUB_DAYS,
    backupTime: readTime(value.BACKUP_TIME),
    backupKeep: readKeep(value.BACKUP_KEEP),
    backupFiles: readBackupFiles(value.BACKUP_FILES, value.STORAGE_URL !== undefined),
    sendfile: value.SENDFILE,
    sendfileCacheBytes: value.SENDFILE_CACHE_GB * 1e9,
    health: value.HEALTH_PORT === undefined ? undefined : { host: value.HEALTH_HOST, port: value.HEALTH_PORT },
    metricsToken: value.METRICS_TOKEN,
    staffTwoStep: value.STAFF_TWO_STEP,
    staffIdleHours: value.STAFF_IDLE_HOURS,
    oidc: readOidc(value),
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

/**
 * Returns warnings about valid settings that are probably mistakes, one sentence each, for the log of a process that
 * listens.
 */
export function findWarnings({ host, isPublicUrlSet, publicUrl, sendfile, bucket }: Config): string[] {
  const warnings: string[] = []
  if (!isPublicUrlSet && ['0.0.0.0', '::', '[::]'].includes(host))
    warnings.push(
      `HOST=${host} accepts connections from other machines, but PUBLIC_URL is not set: links in emails lead to ${publicUrl}, which no one can open. Set PUBLIC_URL to the address people use, such as https://pool.example.`,
    )
  if (sendfile !== 'off' && bucket)
    warnings.push(
      `SENDFILE=${sendfile} has no effect, because the files are in the bucket of STORAGE_URL. Remove SENDFILE. To send unchanged files from the bucket, add redirect=on to STORAGE_URL.`,
    )
  return warnings
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

function readTime(text: string): Config['backupTime'] {
  if (text === 'off') return undefined
  const [hour = 0, minute = 0] = text.split(':').map(Number)
  return { hour, minute }
}

function readKeep(text: string): Config['backupKeep'] {
  const [daily = 0, weekly = 0] = (text.match(/\d+/g) ?? []).map(Number)
  return { daily, weekly }
}

/** A pool in a bucket stores the files of its backups there too, unless configured otherwise. */
function readBackupFiles(definedValues: Config['backupFiles'] | undefined, hasBucket: boolean): Config['backupFiles'] {
  if (definedValues === 'bucket' && !hasBucket)
    throw new ConfigError(
      'Invalid BACKUP_FILES="bucket": STORAGE_URL is not set. Set STORAGE_URL, or remove BACKUP_FILES.',
    )
  return definedValues ?? (hasBucket ? 'bucket' : 'folder')
}

function readSender(text: string): DefaultSettings['mailFrom'] {
  const [, name, address, bare] = MAIL_FROM.exec(text) ?? []
  return { name: name?.trim() ?? '', address: address ?? bare ?? text }
}

/** Hides the password in a URL, for messages. */
const SECRET_SETTING = /SECRET|TOKEN|PASSWORD|PRIVATE|ACCESS_KEY/

/** A setting for an error message, which may end up in a log: of a secret only its length, of a URL not its password. */
const describeSetting = (name: string, value: string): string =>
  SECRET_SETTING.test(name) ? `${name} (${value.length} characters)` : `${name}="${withoutPassword(value)}"`

const withoutPassword = (text: string): string => text.replace(/(:\/\/[^:@/]*):.*@/, '$1:…@')

const OIDC_SETTINGS = ['OIDC_ISSUER', 'OIDC_CLIENT_ID', 'OIDC_CLIENT_SECRET', 'OIDC_NAME'] as const

/** Requires all of its settings, or none. */
function readOidc(value: z.output<typeof environment>): OidcConfig | undefined {
  const missing = OIDC_SETTINGS.filter((name) => value[name] === undefined)
  if (missing.length === OIDC_SETTINGS.length) return undefined
  if (missing.length > 0) {
    const definedValues = OIDC_SETTINGS.filter((name) => value[name] !== undefined)
    throw new ConfigError(`${definedValues.join(', ')} also requires ${missing.join(', ')}. Set all of them or none.`)
  }
  const { OIDC_ISSUER = '', OIDC_CLIENT_ID = '', OIDC_CLIENT_SECRET = '', OIDC_NAME = '' } = value
  return { issuer: OIDC_ISSUER, clientId: OIDC_CLIENT_ID, clientSecret: OIDC_CLIENT_SECRET, name: OIDC_NAME }
}

/** An IPv6 address in a URL is in brackets (RFC 3986, 3.2.2). */
const formatHost = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/**
 * The secret that signs links, created once and stored in the data folder. It is written to a temporary file and then
 * linked, so that two starts at once use the same secret.
 */
function readOrCreateSecret(dataDir: string): string {
  const secretFile = path.join(dataDir, 'secret')
  try {
    if (!existsSync(secretFile)) {
      mkdirSync(dataDir, { recursive: true })
      writeFileOnce(secretFile, randomBytes(32).toString('base64url'))
    }
    return readFileSync(secretFile, 'utf8').trim()
  } catch (error) {
    throw new ConfigError(`Invalid DATA_DIR="${dataDir}": ${(error as Error).message}.`)
  }
}

function writeFileOnce(file: string, text: string): void {
  const temporary = `${file}.${process.pid}`
  const descriptor = openSync(temporary, 'w', 0o600)
  writeSync(descriptor, text)
  fsyncSync(descriptor)
  closeSync(descriptor)
  try {
    linkSync(temporary, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(temporary)
  }
}
