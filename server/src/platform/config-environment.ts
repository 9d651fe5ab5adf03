import path from 'node:path'
import * as z from 'zod/mini'
import { BACKUP_EXPECTED_VALUES, backupEnvironment } from './backup-config.ts'
import { CLOUD_EXPECTED_VALUES, cloudEnvironment } from './cloud-config.ts'
import { ConfigError, describeSetting } from './config-error.ts'
import { INBOUND_EXPECTED_VALUES, inboundEnvironment } from './inbound-config.ts'
import { MAIL_EXPECTED_VALUES, mailEnvironment } from './mail-config.ts'
import { NETWORK_EXPECTED_VALUES, networkEnvironment } from './network-config.ts'
import { PAYMENT_EXPECTED_VALUES, paymentEnvironment } from './payment-config.ts'
import { SIGN_IN_EXPECTED_VALUES, signInEnvironment } from './sign-in-config.ts'
import { storageEnvironment } from './storage-config.ts'
import { STORE_EXPECTED_VALUES, storeEnvironment } from './store-config.ts'

const onOff = z.enum(['on', 'off'])

const folders = z.pipe(
  z.string().check(z.refine((text) => text.split(path.delimiter).every((one) => path.isAbsolute(one.trim())))),
  z.transform((text) => text.split(path.delimiter).map((one) => path.resolve(one.trim()))),
)

const environment = z.object({
  ...networkEnvironment,
  DATA_DIR: z._default(z.string().check(z.minLength(1)), './data'),
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
  ...backupEnvironment,
  SENDFILE: z._default(z.enum(['off', 'nginx', 'apache']), 'off'),
  SENDFILE_CACHE_GB: z._default(z.coerce.number().check(z.gte(0), z.lte(100_000)), 10),
  HEALTH_PORT: z.optional(z.coerce.number().check(z.int(), z.gte(0), z.lte(65535))),
  HEALTH_HOST: z._default(z.string().check(z.minLength(1)), '127.0.0.1'),
  METRICS_TOKEN: z.optional(z.string().check(z.regex(/^[\x21-\x7e]{16,200}$/))),
  ...signInEnvironment,
  ...mailEnvironment,
  NODE_ENV: z.optional(z.string()),
  ...storageEnvironment,
  ...storeEnvironment,
  ...cloudEnvironment,
  ...inboundEnvironment,
  ...paymentEnvironment,
})

const EXPECTED_VALUES: Record<string, string> = {
  ...NETWORK_EXPECTED_VALUES,
  DATA_DIR: 'a folder',
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
  ...BACKUP_EXPECTED_VALUES,
  SENDFILE: '"off", "nginx" or "apache"',
  SENDFILE_CACHE_GB: 'a number of gigabytes from 0 to 100000',
  HEALTH_PORT: 'a port number from 0 to 65535',
  HEALTH_HOST: 'a host name or address to listen on, such as 127.0.0.1',
  METRICS_TOKEN: '16 to 200 characters of randomness, without spaces',
  ...SIGN_IN_EXPECTED_VALUES,
  ...MAIL_EXPECTED_VALUES,
  ...STORE_EXPECTED_VALUES,
  ...CLOUD_EXPECTED_VALUES,
  ...INBOUND_EXPECTED_VALUES,
  ...PAYMENT_EXPECTED_VALUES,
}

/**
 * Returns the values of all settings, with their defaults; an empty value counts as not set. Throws ConfigError naming
 * the invalid setting.
 */
export function parseEnvironment(env: Record<string, string | undefined>): z.output<typeof environment> {
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
  return read.data
}
