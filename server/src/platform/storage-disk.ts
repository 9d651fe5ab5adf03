import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { access, copyFile, link, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openForWriting } from './file-writing.ts'
import { createScratch } from './scratch.ts'
import {
  alternateBlocks,
  type BlockAllocator,
  type Listed,
  NotStoredError,
  parseName,
  READ_BYTES,
  type Storage,
  type StorageKind,
  storageKey,
} from './storage.ts'

/** Storage in a folder: DATA_DIR/media. */
export function createDiskStorage(dataDir: string): Storage {
  const scratch = createScratch(dataDir)
  const filePath = (kind: StorageKind, sha256: string, ending?: string) =>
    path.join(dataDir, 'media', storageKey(kind, sha256, ending))
  const pieces: Storage['pieces'] = (kind, sha256, { ending, from, to } = {}, blocks = alternateBlocks()) =>
    readPieces(filePath(kind, sha256, ending), { from, to, blocks, missing: toNotStoredError(kind, sha256, ending) })
  const has: Storage['has'] = (kind, sha256, ending) => exists(filePath(kind, sha256, ending))
  return {
    has,
    size: (kind, sha256, ending) => sizeOf(filePath(kind, sha256, ending)),
    putFile: (kind, from, ending) => putFile(scratch.place, from, (sha256) => filePath(kind, sha256, ending)),
    putBytes: async (kind, content, ending) => {
      const sha256 = createHash('sha256').update(content).digest('hex')
      const final = filePath(kind, sha256, ending)
      if ((await sizeOf(final)) !== content.length)
        await writeTemporary(scratch.place, final, (temporary) => writeFile(temporary, content))
      return { sha256, bytes: content.length }
    },
    copyAs: async ({ kind, sha256, ending }, asKind, asEnding) => {
      const from = filePath(kind, sha256, ending)
      if (!(await exists(from))) throw new NotStoredError(kind, `${sha256}${ending ?? ''}`)
      const final = filePath(asKind, sha256, asEnding)
      if (!(await exists(final))) await writeTemporary(scratch.place, final, (temporary) => linkOrCopy(from, temporary))
    },
    pieces,
    read: (kind, sha256, range) =>
      Readable.from(pieces(kind, sha256, range, allocateBlock), { objectMode: false, highWaterMark: READ_BYTES }),
    readAll: (kind, sha256, ending) =>
      readFile(filePath(kind, sha256, ending)).catch(toNotStoredError(kind, sha256, ending)),
    onDisk: async (kind, sha256, ending) => {
      if (!(await has(kind, sha256, ending))) throw new NotStoredError(kind, `${sha256}${ending ?? ''}`)
      return { path: filePath(kind, sha256, ending), done: async () => {} }
    },
    list: (kind) => listFolder(path.join(dataDir, 'media', kind)),
    remove: (kind, sha256, ending) => rm(filePath(kind, sha256, ending), { force: true }),
    address: async () => undefined,
    scratch: scratch.place,
    freeBytes: scratch.freeBytes,
    check: () => access(dataDir, constants.W_OK),
  }
}

/** A stream may read ahead, so its chunks are not reused. */
const allocateBlock: BlockAllocator = () => Buffer.allocUnsafeSlow(READ_BYTES)

type ReadSource = {
  from: number | undefined
  to: number | undefined
  blocks: BlockAllocator | undefined
  missing?: (error: unknown) => never
}

/**
 * Reads the bytes `from` to `to` of a file, end exclusive (to its end if `to` is undefined), each chunk into the next
 * of `blocks`. Closes the file if the reader stops early. Throws if the file is shorter than that, and the error of
 * `missing` if it cannot be opened.
 */
export async function* readPieces(
  file: string,
  { from = 0, to = Number.POSITIVE_INFINITY, blocks = alternateBlocks(), missing: toNotStoredError }: ReadSource,
): AsyncGenerator<Buffer> {
  const handle = await open(file, 'r').catch(toNotStoredError)
  try {
    for (let at = from; at < to; ) {
      const block = blocks()
      const { bytesRead } = await handle.read(block, 0, Math.min(block.length, to - at), at)
      if (bytesRead === 0 && to === Number.POSITIVE_INFINITY) return
      if (bytesRead === 0) throw new Error(`Unexpected end of the original at byte ${at}, expected ${to}`)
      yield block.subarray(0, bytesRead)
      at += bytesRead
    }
  } finally {
    await handle.close()
  }
}

/** Lists two levels of folders and the files in them, sorted by name. */
async function* listFolder(folder: string): AsyncGenerator<Listed> {
  for (const first of await listNames(folder)) {
    for (const second of await listNames(path.join(folder, first))) {
      const filePath = path.join(folder, first, second)
      for (const name of await listNames(filePath)) {
        const storedFile = parseName(name)
        // It may be deleted at the same time.
        const fileStats = storedFile && (await stat(path.join(filePath, name)).catch(() => undefined))
        if (storedFile && fileStats?.isFile())
          yield { ...storedFile, bytes: fileStats.size, changed_at: fileStats.mtime }
      }
    }
  }
}

const listNames = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch((error) => (isMissing(error) ? [] : Promise.reject(error)))).sort()

async function putFile(
  scratch: (name: string) => Promise<string>,
  from: string,
  networkOf: (sha256: string) => string,
): Promise<{ sha256: string; bytes: number }> {
  const temporary = await scratch('copy')
  const hash = createHash('sha256')
  let bytes = 0
  const measure = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      hash.update(chunk)
      bytes += chunk.length
      done(null, chunk)
    },
  })
  try {
    const copy = await openForWriting(temporary)
    await pipeline(createReadStream(from, { highWaterMark: 1 << 18 }), measure, copy)
    const sha256 = hash.digest('hex')
    await publish(temporary, networkOf(sha256))
    return { sha256, bytes }
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Creates a file in the scratch folder and moves it to its place once it is complete. */
async function writeTemporary(
  scratch: (name: string) => Promise<string>,
  final: string,
  make: (temporary: string) => Promise<unknown>,
): Promise<void> {
  const temporary = await scratch('bytes')
  try {
    await make(temporary)
    await publish(temporary, final)
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Replaces an existing file with the same name, unless it has the same length: then it has the same content. */
async function publish(temporary: string, final: string): Promise<void> {
  if ((await sizeOf(final)) === (await stat(temporary)).size) return
  await mkdir(path.dirname(final), { recursive: true })
  await syncFile(temporary)
  await rename(temporary, final)
  await syncFile(path.dirname(final))
}

/** Creates a hard link; on a disk without hard links, copies the file. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to))
}

const MISSING_CODES = new Set(['ENOENT', 'ENOTDIR'])
const isMissing = (error: unknown): boolean => MISSING_CODES.has((error as NodeJS.ErrnoException).code ?? '')

/** Turns the error of opening a missing file into NotStoredError. */
const toNotStoredError =
  (kind: StorageKind, sha256: string, ending = '') =>
  (error: unknown): never => {
    throw isMissing(error) ? new NotStoredError(kind, `${sha256}${ending}`, { cause: error }) : error
  }

async function exists(name: string): Promise<boolean> {
  return (await sizeOf(name)) !== undefined
}

async function sizeOf(name: string): Promise<number | undefined> {
  try {
    return (await stat(name)).size
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

async function syncFile(name: string): Promise<void> {
  const file = await open(name, 'r')
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}
