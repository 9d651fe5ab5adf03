import type { Gateways } from './gateways/gateways.ts'
import type { Config } from './platform/config.ts'
import type { Pool } from './platform/db.ts'
import type { Encryption } from './platform/encryption.ts'
import type { Log } from './platform/log.ts'
import type { Replica } from './platform/replica.ts'
import type { LiveSettings } from './platform/settings.ts'
import type { Signing } from './platform/signing.ts'
import type { Storage } from './platform/storage.ts'

/** The services the modules share: one plain object, created at the start and passed on. */
export type AppContext = {
  /** Values that only the environment can set. */
  config: Config
  /** Settings that admins can change: read them when they are used. */
  settings: LiveSettings
  log: Log
  sql: Pool
  /** A standby for data that is the same for everyone; undefined if there is none. */
  replica: Replica | undefined
  storage: Storage
  signing: Signing
  encryption: Encryption
  now(): Date
  /** The payment providers. */
  gateways: Gateways
  /** Generates music on demand (in the demo pool); undefined if every file is stored. */
  music: OnDemandMusic | undefined
}

/** Generates the bytes of a version that has a recipe instead of a file. */
export type OnDemandMusic = {
  /** Returns the bytes `from` to `to` (end exclusive); the first are available as soon as they are generated. */
  read(songVersionId: number, recipe: unknown, from: number, to: number): AsyncIterable<Uint8Array>
  /** Resolves when the version has been generated and stored as a file. */
  finish(songVersionId: number, recipe: unknown): Promise<void>
  /** Generates the version next when nothing that a listener waits for is queued. */
  prepare(songVersionId: number, recipe: unknown): void
}
