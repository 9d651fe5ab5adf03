import type { Config } from './platform/config.ts'
import type { Pool } from './platform/db.ts'
import type { Log } from './platform/log.ts'
import type { Signing } from './platform/signing.ts'
import type { Storage } from './platform/storage.ts'

/** The tools beyond the rooms, one plain object made at the start and handed on. */
export type World = {
  config: Config
  log: Log
  sql: Pool
  storage: Storage
  signing: Signing
  now(): Date
  /** Music that is made on demand (the demo pool's), or undefined where every file is stored. */
  music: MusicOnDemand | undefined
}

/** Makes the bytes of a version that has a recipe instead of a file. */
export type MusicOnDemand = {
  /** The bytes `from` to `to` (end exclusive), the first of them as soon as they are made. */
  read(songVersionId: number, recipe: unknown, from: number, to: number): AsyncIterable<Uint8Array>
  /** Settles when the version has been made and stored as a file. */
  finish(songVersionId: number, recipe: unknown): Promise<void>
}
