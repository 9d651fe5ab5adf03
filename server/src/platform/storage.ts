import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'

/** Where bytes are kept, each under the SHA-256 of its content, one folder for each kind. */
export type StorageKind = 'audio' | 'previews' | 'images' | 'attachments'

/** What is kept: its kind, the SHA-256 of its content in hex, and how its name ends (`.mp3`) where that is told. */
export type StoredFile = { kind: StorageKind; sha256: string; ending?: string }

/** What a listing says of something that is kept. */
export type Listed = { sha256: string; ending: string; bytes: number; changed_at: Date }

/** The bytes `from` up to but without `to`; from the first, to the last where they are not said. */
export type ReadRange = { ending?: string; from?: number; to?: number }

/** Where the next piece is read into. A block may be given again once the second one after it is asked for. */
export type BlockAllocator = () => Buffer

export type UrlOptions = { ending?: string; seconds: number; name?: string; type?: string }

/**
 * A folder or a bucket of bytes. What it does not have throws NotStoredError; a store that does not answer throws
 * StoreAwayError (a disk: the error of its own), so that nothing is taken for lost that is not.
 */
export type Storage = {
  /** Whether the bytes are there. Throws when the store does not say. */
  has(kind: StorageKind, sha256: string, ending?: string): Promise<boolean>
  /** Length of what is stored in bytes; undefined where nothing is stored. Throws when the store does not say. */
  size(kind: StorageKind, sha256: string, ending?: string): Promise<number | undefined>
  /**
   * Copies a file in. The bytes are safe under their name before this returns. What is stored under that name already is
   * replaced if it has another length: it was damaged.
   */
  putFile(kind: StorageKind, from: string, ending?: string): Promise<{ sha256: string; bytes: number }>
  putBytes(kind: StorageKind, bytes: Uint8Array, ending?: string): Promise<{ sha256: string; bytes: number }>
  /** Keeps what is there under another kind or ending as well, without its bytes coming by here. */
  copyAs(stored: StoredFile, kind: StorageKind, ending?: string): Promise<void>
  /** The bytes as a stream. It errors when they are not there, or fewer than were asked for. */
  read(kind: StorageKind, sha256: string, range?: ReadRange): Readable
  /**
   * The same for those who only pass the bytes on, without new memory for each piece: it may lie in one of `blocks`, and is
   * good until the second one after it is asked for.
   */
  pieces(kind: StorageKind, sha256: string, range?: ReadRange, blocks?: BlockAllocator): AsyncGenerator<Buffer>
  readAll(kind: StorageKind, sha256: string, ending?: string): Promise<Buffer>
  /** A file on this machine with the content, until `done`: never to be written to. */
  onDisk(kind: StorageKind, sha256: string, ending?: string): Promise<{ path: string; done(): Promise<void> }>
  /** All that is kept of a kind, by its SHA-256 and ending in the order of their bytes; what has another name is left out. */
  list(kind: StorageKind): AsyncGenerator<Listed>
  /** Throws the bytes away; what is not there is gone already. */
  remove(kind: StorageKind, sha256: string, ending?: string): Promise<void>
  /**
   * An address at the store from which a browser gets the bytes for so many seconds, as a download of this name and type
   * where they are said. Undefined where browsers do not get to the store, as with a folder.
   */
  address(kind: StorageKind, sha256: string, options: UrlOptions): Promise<string | undefined>
  /** A place for a file in the making, on this machine. */
  scratch(name: string): Promise<string>
  /** What is free on the disk of the scratch, in bytes; undefined where the disk does not tell. */
  freeBytes(): Promise<number | undefined>
  /** Throws when the store does not answer. */
  check(): Promise<void>
}

/** What was asked for is not in the store. */
export class NotStoredError extends Error {
  readonly code = 'NOT_STORED'

  constructor(kind: StorageKind, name: string, options?: ErrorOptions) {
    super(`File ${kind}/${name} not found in storage`, options)
  }
}

/** The store does not answer, or does not let us in; `cause` says why. */
export class StorageUnavailableError extends Error {
  readonly code = 'STORE_AWAY'
  /** It answered with a no that stays one until the operator changes something. */
  readonly isRejected: boolean

  constructor(message: string, { isRejected = false, ...options }: ErrorOptions & { isRejected?: boolean } = {}) {
    super(message, options)
    this.isRejected = isRejected
  }
}

/** Where something lies within DATA_DIR/media, and in a bucket below its prefix: the same, so that either can be copied. */
export const storageKey = (kind: StorageKind, sha256: string, ending = ''): string =>
  `${kind}/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}${ending}`

/** The SHA-256 and the ending in the name of something that is kept; undefined for any other name. */
export function parseName(name: string): Pick<Listed, 'sha256' | 'ending'> | undefined {
  const [, sha256, ending = ''] = /^([0-9a-f]{64})(\.[a-z0-9]+)?$/.exec(name) ?? []
  return sha256 === undefined ? undefined : { sha256, ending }
}

export const READ_BYTES = 128 * 1024

/** Two blocks in turn: one is on its way to the network while the other is read into. */
export function alternateBlocks(): BlockAllocator {
  const blocks: Buffer[] = []
  let current = 0
  return () => {
    current = 1 - current
    const block = blocks[current] ?? Buffer.allocUnsafeSlow(READ_BYTES)
    blocks[current] = block
    return block
  }
}

/** The SHA-256 of a file's content, in hex. */
export async function hashFile(name: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(name, { highWaterMark: 1 << 18 })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
