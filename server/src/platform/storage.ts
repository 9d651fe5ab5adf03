import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Readable } from 'node:stream'

/**
 * Storage for files, each under the SHA-256 of its content, with one folder for each kind. `conversions` can be made
 * again from `audio` and are in no backup.
 */
export type StorageKind = 'audio' | 'previews' | 'conversions' | 'images' | 'attachments'

/** A stored file: its kind, the SHA-256 of its content in hex, and its extension (`.mp3`) if it has one. */
export type StoredFile = { kind: StorageKind; sha256: string; ending?: string }

/** An entry of a listing. */
export type Listed = { sha256: string; ending: string; bytes: number; changed_at: Date }

/** The bytes `from` to `to`, end exclusive; by default from the first to the last. */
type ReadRange = { ending?: string; from?: number; to?: number }

/**
 * Returns the buffer the next chunk is read into. A buffer may be reused once the second chunk after it is requested.
 */
export type BlockAllocator = () => Buffer

type UrlOptions = { ending?: string; seconds: number; name?: string; type?: string }

/**
 * A folder or a bucket. A missing file throws NotStoredError; storage that does not respond throws
 * StorageUnavailableError (a disk: its own error), so that files are not considered lost by mistake.
 */
export type Storage = {
  /** Returns whether the file exists. Throws if storage does not say. */
  has(kind: StorageKind, sha256: string, ending?: string): Promise<boolean>
  /** Size of the stored file in bytes; undefined if it does not exist. Throws if storage does not say. */
  size(kind: StorageKind, sha256: string, ending?: string): Promise<number | undefined>
  /**
   * Stores a copy of a file. It is durable under its name before this resolves. A stored file of that name with another
   * length was damaged and is replaced.
   */
  putFile(kind: StorageKind, from: string, ending?: string): Promise<{ sha256: string; bytes: number }>
  putBytes(kind: StorageKind, bytes: Uint8Array, ending?: string): Promise<{ sha256: string; bytes: number }>
  /** Also stores the file under another kind or extension, without transferring its bytes. */
  copyAs(stored: StoredFile, kind: StorageKind, ending?: string): Promise<void>
  /** Reads the file as a stream, which fails if the file is missing or shorter than requested. */
  read(kind: StorageKind, sha256: string, range?: ReadRange): Readable
  /**
   * The same for code that only passes the bytes on, without allocating memory for each chunk: a chunk may be in one of
   * `blocks`, and is valid until the second one after it is requested.
   */
  pieces(kind: StorageKind, sha256: string, range?: ReadRange, blocks?: BlockAllocator): AsyncGenerator<Buffer>
  readAll(kind: StorageKind, sha256: string, ending?: string): Promise<Buffer>
  /** Returns a local file with the content, valid until `done`; it must not be written to. */
  onDisk(kind: StorageKind, sha256: string, ending?: string): Promise<{ path: string; done(): Promise<void> }>
  /** Lists every file of a kind in the byte order of its SHA-256 and extension; files with other names are skipped. */
  list(kind: StorageKind): AsyncGenerator<Listed>
  /** Deletes the file; does nothing if it does not exist. */
  remove(kind: StorageKind, sha256: string, ending?: string): Promise<void>
  /**
   * Returns a URL from which a browser can get the file for this many seconds, as a download with this name and type if
   * given. Undefined if browsers have no access to storage, as with a folder.
   */
  address(kind: StorageKind, sha256: string, options: UrlOptions): Promise<string | undefined>
  /** Returns a path for a temporary file on this machine. */
  scratch(name: string): Promise<string>
  /** Free space on the disk of the scratch folder, in bytes; undefined if unknown. */
  freeBytes(): Promise<number | undefined>
  /** Throws if storage does not respond. */
  check(): Promise<void>
}

/** The requested file is not in storage. */
export class NotStoredError extends Error {
  readonly code = 'NOT_STORED'

  constructor(kind: StorageKind, name: string, options?: ErrorOptions) {
    super(`File ${kind}/${name} not found in storage`, options)
  }
}

/** Storage does not respond, or rejects the request; `cause` says why. */
export class StorageUnavailableError extends Error {
  readonly code = 'STORE_AWAY'
  /** True if it was rejected, and will be until the operator fixes something. */
  readonly isRejected: boolean

  constructor(message: string, { isRejected = false, ...options }: ErrorOptions & { isRejected?: boolean } = {}) {
    super(message, options)
    this.isRejected = isRejected
  }
}

/**
 * Returns the path of a file within DATA_DIR/media, and its key in a bucket below the prefix: they are the same, so
 * that either can be copied to the other.
 */
export const storageKey = (kind: StorageKind, sha256: string, ending = ''): string =>
  `${kind}/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}${ending}`

/** Parses the SHA-256 and the extension of a stored file's name; undefined for any other name. */
export function parseName(name: string): Pick<Listed, 'sha256' | 'ending'> | undefined {
  const [, sha256, ending = ''] = /^([0-9a-f]{64})(\.[a-z0-9]+)?$/.exec(name) ?? []
  return sha256 === undefined ? undefined : { sha256, ending }
}

export const READ_BYTES = 128 * 1024

/** Alternates between two buffers: one is being sent while the other is filled. */
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

/** Returns the SHA-256 of a file's content, in hex. */
export async function hashFile(name: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(name, { highWaterMark: 1 << 18 })) hash.update(chunk as Buffer)
  return hash.digest('hex')
}
