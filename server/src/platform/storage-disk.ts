import { createHash } from 'node:crypto'
import { constants, createReadStream } from 'node:fs'
import { access, copyFile, link, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openForWriting } from './file-writing.ts'
import { makeScratch } from './scratch.ts'
import {
  type Blocks,
  type Kind,
  keyOf,
  type Listed,
  NotStoredError,
  READ_BYTES,
  readName,
  type Storage,
  takeTurns,
} from './storage.ts'

/** A store in a folder: DATA_DIR/media. */
export function makeDiskStorage(dataDir: string): Storage {
  const scratch = makeScratch(dataDir)
  const place = (kind: Kind, sha256: string, ending?: string) =>
    path.join(dataDir, 'media', keyOf(kind, sha256, ending))
  const pieces: Storage['pieces'] = (kind, sha256, { ending, from, to } = {}, blocks = takeTurns()) =>
    readPieces(place(kind, sha256, ending), { from, to, blocks, missing: missing(kind, sha256, ending) })
  const has: Storage['has'] = (kind, sha256, ending) => isThere(place(kind, sha256, ending))
  return {
    has,
    size: (kind, sha256, ending) => sizeOf(place(kind, sha256, ending)),
    keepFile: (kind, from, ending) => keepFile(scratch.place, from, (sha256) => place(kind, sha256, ending)),
    keepBytes: async (kind, content, ending) => {
      const sha256 = createHash('sha256').update(content).digest('hex')
      const final = place(kind, sha256, ending)
      if ((await sizeOf(final)) !== content.length)
        await beside(scratch.place, final, (temporary) => writeFile(temporary, content))
      return { sha256, bytes: content.length }
    },
    keepAs: async ({ kind, sha256, ending }, asKind, asEnding) => {
      const from = place(kind, sha256, ending)
      if (!(await isThere(from))) throw new NotStoredError(kind, `${sha256}${ending ?? ''}`)
      const final = place(asKind, sha256, asEnding)
      if (!(await isThere(final))) await beside(scratch.place, final, (temporary) => linkOrCopy(from, temporary))
    },
    pieces,
    read: (kind, sha256, range) =>
      Readable.from(pieces(kind, sha256, range, freshBlocks), { objectMode: false, highWaterMark: READ_BYTES }),
    readAll: (kind, sha256, ending) => readFile(place(kind, sha256, ending)).catch(missing(kind, sha256, ending)),
    onDisk: async (kind, sha256, ending) => {
      if (!(await has(kind, sha256, ending))) throw new NotStoredError(kind, `${sha256}${ending ?? ''}`)
      return { path: place(kind, sha256, ending), done: async () => {} }
    },
    list: (kind) => listFolder(path.join(dataDir, 'media', kind)),
    remove: (kind, sha256, ending) => rm(place(kind, sha256, ending), { force: true }),
    address: async () => undefined,
    scratch: scratch.place,
    freeBytes: scratch.freeBytes,
    check: () => access(dataDir, constants.W_OK),
  }
}

/** A stream may be read ahead of, so its pieces are not written over. */
const freshBlocks: Blocks = () => Buffer.allocUnsafeSlow(READ_BYTES)

type Pieces = {
  from: number | undefined
  to: number | undefined
  blocks: Blocks | undefined
  missing?: (error: unknown) => never
}

/**
 * The bytes `from` up to but without `to` of a file (to its end where `to` is not said), each piece in the next of
 * `blocks`. The file is closed when the reader stops early. Throws when it is shorter than that, and what `missing` throws
 * when it cannot be opened.
 */
export async function* readPieces(
  file: string,
  { from = 0, to = Number.POSITIVE_INFINITY, blocks = takeTurns(), missing }: Pieces,
): AsyncGenerator<Buffer> {
  const handle = await open(file, 'r').catch(missing)
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

/** Two levels of folders and the files in them, in the order of their names. */
async function* listFolder(folder: string): AsyncGenerator<Listed> {
  for (const first of await namesIn(folder)) {
    for (const second of await namesIn(path.join(folder, first))) {
      const place = path.join(folder, first, second)
      for (const name of await namesIn(place)) {
        const kept = readName(name)
        // It may be thrown away this very moment.
        const seen = kept && (await stat(path.join(place, name)).catch(() => undefined))
        if (kept && seen?.isFile()) yield { ...kept, bytes: seen.size, changed_at: seen.mtime }
      }
    }
  }
}

const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch((error) => (isMissing(error) ? [] : Promise.reject(error)))).sort()

async function keepFile(
  scratch: (name: string) => Promise<string>,
  from: string,
  placeOf: (sha256: string) => string,
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
    await settle(temporary, placeOf(sha256))
    return { sha256, bytes }
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Makes a file in the scratch and puts it in its place when it is whole. */
async function beside(
  scratch: (name: string) => Promise<string>,
  final: string,
  make: (temporary: string) => Promise<unknown>,
): Promise<void> {
  const temporary = await scratch('bytes')
  try {
    await make(temporary)
    await settle(temporary, final)
  } finally {
    await rm(temporary, { force: true })
  }
}

/** Replaces what is there under the same name, unless it is as long: then it has the same content. */
async function settle(temporary: string, final: string): Promise<void> {
  if ((await sizeOf(final)) === (await stat(temporary)).size) return
  await mkdir(path.dirname(final), { recursive: true })
  await syncFile(temporary)
  await rename(temporary, final)
  await syncFile(path.dirname(final))
}

/** Two names of the same bytes; a disk that has no such thing gets them twice. */
async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(() => copyFile(from, to))
}

const NOT_THERE = new Set(['ENOENT', 'ENOTDIR'])
const isMissing = (error: unknown): boolean => NOT_THERE.has((error as NodeJS.ErrnoException).code ?? '')

/** A file that cannot be opened because it is not there is one that is not stored. */
const missing =
  (kind: Kind, sha256: string, ending = '') =>
  (error: unknown): never => {
    throw isMissing(error) ? new NotStoredError(kind, `${sha256}${ending}`, { cause: error }) : error
  }

async function isThere(name: string): Promise<boolean> {
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
