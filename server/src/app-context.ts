import type { Gateways } from './gateways/gateways.ts'
import type { Config } from './platform/config.ts'
import type { Pool } from './platform/db.ts'
import type { Encryption } from './platform/encryption.ts'
import type { Log } from './platform/log.ts'
import type { Replica } from './platform/replica.ts'
import type { LiveSettings } from './platform/settings.ts'
import type { Signing } from './platform/signing.ts'
import type { Storage } from './platform/storage.ts'

/** The tools beyond the rooms, one plain object made at the start and handed on. */
export type AppContext = {
  /** What only the environment says. */
  config: Config
  /** What admins set, as it is now: read at the time of use. */
  settings: LiveSettings
  log: Log
  sql: Pool
  /** A standby for what is the same for everybody; undefined where there is none. */
  replica: Replica | undefined
  storage: Storage
  signing: Signing
  encryption: Encryption
  now(): Date
  /** Whom money comes in by. */
  gateways: Gateways
  /** Music that is made on demand (the demo pool's), or undefined where every file is stored. */
  music: OnDemandMusic | undefined
}

/** Makes the bytes of a version that has a recipe instead of a file. */
export type OnDemandMusic = {
  /** The bytes `from` to `to` (end exclusive), the first of them as soon as they are made. */
  read(songVersionId: number, recipe: unknown, from: number, to: number): AsyncIterable<Uint8Array>
  /** Settles when the version has been made and stored as a file. */
  finish(songVersionId: number, recipe: unknown): Promise<void>
}
