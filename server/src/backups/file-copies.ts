import { createHash } from 'node:crypto'
import { link, mkdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openForWriting } from '../platform/file-writing.ts'
import { hashFile, NotStoredError, type Storage, storageKey } from '../platform/storage.ts'
import type { ReferencedFile } from './referenced-files.ts'
import { syncFile } from './table-dump.ts'

const CONCURRENCY = 4

export const keyOfFile = ({ kind, sha256, ending }: ReferencedFile): string => storageKey(kind, sha256, ending)

export type LostFile = { file: ReferencedFile; why: 'missing' | 'broken' }

/** The files of a backup in progress. */
export type FileCopies = {
  /** Copies the files that the backup does not have yet; returns the ones that could not be copied. */
  bring(files: readonly ReferencedFile[], onDone?: (file: ReferencedFile) => void): Promise<LostFile[]>
  /** The length of a copied file in bytes. */
  bytesOf(file: ReferencedFile): number | undefined
  /** Removes copies that are not among these files. */
  removeOthers(files: readonly ReferencedFile[]): Promise<void>
  counts(): { copied: number; linked: number }
  /** Flushes the folders to disk. */
  sync(): Promise<void>
}

type FileCopiesOptions = {
  storage: Pick<Storage, 'pieces'>
  /** The media folder of the backup in progress. */
  media: string
  /** The media folder of an earlier backup: its files are hard-linked, which takes no space. */
  earlier: string | undefined
  signal: AbortSignal
}

/** Copies files of the store into a backup and checks each against its hash. */
export function openCopies({ storage, media, earlier, signal }: FileCopiesOptions): FileCopies {
  const there = new Map<string, number>()
  const folders = new Set<string>()
  const counts = { copied: 0, linked: 0 }

  const copyOne = async (file: ReferencedFile): Promise<LostFile['why'] | undefined> => {
    const key = keyOfFile(file)
    if (there.has(key)) return undefined
    const location = path.join(media, key)
    await mkdir(path.dirname(location), { recursive: true, mode: 0o700 })
    folders.add(path.dirname(location))
    const linked = earlier === undefined ? undefined : await linkEarlier(file, path.join(earlier, key), location)
    const bytes = linked ?? (await copyFromStore(storage, file, location, signal))
    if (typeof bytes === 'string') return bytes
    there.set(key, bytes)
    counts[linked === undefined ? 'copied' : 'linked'] += 1
    return undefined
  }

  return {
    bring: async (files, onDone) => {
      const lost: LostFile[] = []
      await forEachConcurrently(CONCURRENCY, files, async (file) => {
        signal.throwIfAborted()
        const why = await copyOne(file)
        if (why) lost.push({ file, why })
        onDone?.(file)
      })
      return lost
    },
    bytesOf: (file) => there.get(keyOfFile(file)),
    removeOthers: async (files) => {
      const wantedKeys = new Set(files.map(keyOfFile))
      for (const key of there.keys()) if (!wantedKeys.has(key)) await rm(path.join(media, key), { force: true })
    },
    counts: () => counts,
    sync: async () => {
      for (const folder of folders) await syncFile(folder)
    },
  }
}

/**
 * Runs `work` for at most `n` items at a time. After the first error it starts no more, waits for the running ones and
 * throws it.
 */
export async function forEachConcurrently<T>(
  n: number,
  items: Iterable<T> | AsyncIterable<T>,
  work: (item: T) => Promise<void>,
) {
  const running = new Set<Promise<void>>()
  const problems: unknown[] = []
  for await (const item of items) {
    const one: Promise<void> = work(item)
      .catch((error) => void problems.push(error))
      .finally(() => running.delete(one))
    running.add(one)
    if (running.size >= n) await Promise.race(running)
    if (problems.length > 0) break
  }
  await Promise.all(running)
  if (problems.length > 0) throw problems[0]
}

/** Returns undefined when the earlier backup does not have an intact copy, or its disk does not support hard links. */
async function linkEarlier(file: ReferencedFile, from: string, to: string): Promise<number | undefined> {
  const seen = await stat(from).catch(() => undefined)
  if (!seen) return undefined
  // Files whose length is in no table (pictures, which are small) are read.
  const isComplete = file.bytes === null ? (await hashFile(from)) === file.sha256 : seen.size === file.bytes
  if (!isComplete) return undefined
  return link(from, to).then(
    () => seen.size,
    () => undefined,
  )
}

async function copyFromStore(
  storage: Pick<Storage, 'pieces'>,
  { kind, sha256, ending }: ReferencedFile,
  location: string,
  signal: AbortSignal,
): Promise<number | LostFile['why']> {
  const temporary = `${location}.part`
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
    // Separate buffers, because a stream reads ahead.
    const pieces = storage.pieces(kind, sha256, { ending }, () => Buffer.allocUnsafeSlow(1 << 17))
    await pipeline(Readable.from(pieces), measure, await openForWriting(temporary, { mode: 0o600 }), { signal })
    if (hash.digest('hex') !== sha256) return 'broken'
    await syncFile(temporary)
    await rename(temporary, location)
    return bytes
  } catch (error) {
    if (error instanceof NotStoredError) return 'missing'
    throw error
  } finally {
    await rm(temporary, { force: true })
  }
}
