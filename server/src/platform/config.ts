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
import path from 'node:path'
import * as z from 'zod/mini'
import { projectRoot } from './root.ts'

export type Config = {
  port: number
  host: string
  dataDir: string
  publicUrl: string
  databaseUrl: string | undefined
  /** Statements are prepared unless an old PgBouncer stands in between. */
  prepare: boolean
  publicBrowsing: boolean
  demo: 'auto' | 'on' | 'off'
  demoSongs: number | undefined
  poolName: string
  /** Address of the store that sells the pool's merchandise; '' where it has none. */
  storeUrl: string
  downloadLimit: number
  secret: string
  logLevel: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent'
  analysers: number | undefined
}

/** A setting of the environment is wrong; the message names it and says what it should be. */
export class ConfigError extends Error {}

const onOff = z.enum(['on', 'off'])
const environment = z.object({
  PORT: z._default(z.coerce.number().check(z.int(), z.gte(0), z.lte(65535)), 3000),
  HOST: z._default(z.string().check(z.minLength(1)), 'localhost'),
  DATA_DIR: z._default(z.string().check(z.minLength(1)), './data'),
  PUBLIC_URL: z.optional(z.url()),
  DATABASE_URL: z.optional(z.string().check(z.regex(/^postgres(ql)?:\/\//))),
  PREPARE: z._default(onOff, 'on'),
  PUBLIC_BROWSING: z._default(onOff, 'on'),
  DEMO: z._default(z.enum(['auto', 'on', 'off']), 'auto'),
  DEMO_SONGS: z.optional(z.coerce.number().check(z.int(), z.gte(1))),
  POOL_NAME: z._default(z.string().check(z.minLength(1), z.maxLength(60)), 'Dubplate'),
  STORE_URL: z.optional(z.url({ protocol: /^https?$/ })),
  DOWNLOAD_LIMIT: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(20)), 2),
  SECRET: z.optional(z.string().check(z.minLength(32))),
  LOG_LEVEL: z._default(z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']), 'info'),
  ANALYSERS: z.optional(z.coerce.number().check(z.int(), z.gte(1), z.lte(64))),
  STORAGE_URL: z.optional(z.string()),
})

const SHOULD_BE: Record<string, string> = {
  PORT: 'a port number from 0 to 65535',
  HOST: 'a host name or address to listen on, such as localhost',
  DATA_DIR: 'a folder',
  PUBLIC_URL: 'the full address people use, such as https://pool.example',
  DATABASE_URL: 'an address such as postgres://user:password@host/database',
  PREPARE: '"on" or "off"',
  PUBLIC_BROWSING: '"on" or "off"',
  DEMO: '"on" or "off"',
  DEMO_SONGS: 'a number above zero',
  POOL_NAME: 'a name of 1 to 60 characters',
  STORE_URL: 'the full address of the store, such as https://store.example/',
  DOWNLOAD_LIMIT: 'a number of downloads for each version from 1 to 20',
  SECRET: 'at least 32 characters of randomness',
  LOG_LEVEL: 'one of fatal, error, warn, info, debug, trace, silent',
  ANALYSERS: 'a number of processes from 1 to 64',
}

/** Reads the environment once. Throws ConfigError naming the setting that is wrong. */
export function readConfig(env: Record<string, string | undefined>): Config {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined && value !== ''))
  const read = environment.safeParse(given)
  if (!read.success) {
    const name = String(read.error.issues[0]?.path[0])
    throw new ConfigError(
      `${name}="${given[name]}" cannot be used: it should be ${SHOULD_BE[name] ?? 'something else'}.`,
    )
  }
  const value = read.data
  if (value.STORAGE_URL) {
    throw new ConfigError(
      'STORAGE_URL is set, but this version keeps its files in DATA_DIR only. Unset it, or mount the storage at DATA_DIR.',
    )
  }
  const dataDir = path.resolve(projectRoot, value.DATA_DIR)
  return {
    port: value.PORT,
    host: value.HOST,
    dataDir,
    publicUrl: (value.PUBLIC_URL ?? `http://${inAddress(value.HOST)}:${value.PORT}`).replace(/\/$/, ''),
    databaseUrl: value.DATABASE_URL,
    prepare: value.PREPARE === 'on',
    publicBrowsing: value.PUBLIC_BROWSING === 'on',
    demo: value.DEMO,
    demoSongs: value.DEMO_SONGS,
    poolName: value.POOL_NAME,
    storeUrl: value.STORE_URL ?? '',
    downloadLimit: value.DOWNLOAD_LIMIT,
    secret: value.SECRET ?? keptSecret(dataDir),
    logLevel: value.LOG_LEVEL,
    analysers: value.ANALYSERS,
  }
}

/** An IPv6 address stands in brackets (RFC 3986, 3.2.2). */
const inAddress = (host: string): string => (host.includes(':') ? `[${host}]` : host)

/** The secret that signs links, made once and kept beside the data. Written whole, then linked: two starts agree on one. */
function keptSecret(dataDir: string): string {
  const kept = path.join(dataDir, 'secret')
  try {
    if (!existsSync(kept)) {
      mkdirSync(dataDir, { recursive: true })
      writeOnce(kept, randomBytes(32).toString('base64url'))
    }
    return readFileSync(kept, 'utf8').trim()
  } catch (error) {
    throw new ConfigError(`DATA_DIR="${dataDir}" cannot be used: ${(error as Error).message}.`)
  }
}

function writeOnce(file: string, text: string): void {
  const beside = `${file}.${process.pid}`
  const descriptor = openSync(beside, 'w', 0o600)
  writeSync(descriptor, text)
  fsyncSync(descriptor)
  closeSync(descriptor)
  try {
    linkSync(beside, file)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(beside)
  }
}
