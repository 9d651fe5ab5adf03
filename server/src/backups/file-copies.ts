import { createHash } from 'node:crypto'
import { link, mkdir, rename, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { Readable, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { openForWriting } from '../platform/file-writing.ts'
import { hashFile, keyOf, NotStoredError, type Storage } from '../platform/storage.ts'
import type { NamedFile } from './named-files.ts'
import { syncFile } from './table-dump.ts'

const AT_ONCE = 4

export const keyOfFile = ({ kind, sha256, ending }: NamedFile): string => keyOf(kind, sha256, ending)

export type Lost = { file: NamedFile; why: 'missing' | 'broken' }

/** The files of a backup in the making. */
export type FileCopies = {
  /** Brings in those that are not there yet; answers with the ones that could not be had. */
  bring(files: readonly NamedFile[], onDone?: (file: NamedFile) => void): Promise<Lost[]>
  /** The length of one that is there. */
  bytesOf(file: NamedFile): number | undefined
  /** Throws away what is not among these. */
  keepOnly(files: readonly NamedFile[]): Promise<void>
  counts(): { copied: number; linked: number }
  /** Writes the folders to the disk. */
  sync(): Promise<void>
}

type Wish = {
  storage: Pick<Storage, 'pieces'>
  /** The media folder of the backup in the making. */
  media: string
  /** That of an earlier backup: what it has is another name for the same bytes, and takes no room. */
  earlier: string | undefined
  signal: AbortSignal
}

/** Copies files of the store into a backup, each checked against its name on the way. */
export function openCopies({ storage, media, earlier, signal }: Wish): FileCopies {
  const there = new Map<string, number>()
  const folders = new Set<string>()
  const counts = { copied: 0, linked: 0 }

  const bringOne = async (file: NamedFile): Promise<Lost['why'] | undefined> => {
    const key = keyOfFile(file)
    if (there.has(key)) return undefined
    const place = path.join(media, key)
    await mkdir(path.dirname(place), { recursive: true, mode: 0o700 })
    folders.add(path.dirname(place))
    const linked = earlier === undefined ? undefined : await linkEarlier(file, path.join(earlier, key), place)
    const bytes = linked ?? (await copyFromStore(storage, file, place, signal))
    if (typeof bytes === 'string') return bytes
    there.set(key, bytes)
    counts[linked === undefined ? 'copied' : 'linked'] += 1
    return undefined
  }

  return {
    bring: async (files, onDone) => {
      const lost: Lost[] = []
      await atOnce(AT_ONCE, files, async (file) => {
        signal.throwIfAborted()
        const why = await bringOne(file)
        if (why) lost.push({ file, why })
        onDone?.(file)
      })
      return lost
    },
    bytesOf: (file) => there.get(keyOfFile(file)),
    keepOnly: async (files) => {
      const wanted = new Set(files.map(keyOfFile))
      for (const key of there.keys()) if (!wanted.has(key)) await rm(path.join(media, key), { force: true })
    },
    counts: () => counts,
    sync: async () => {
      for (const folder of folders) await syncFile(folder)
    },
  }
}

/** So many of them under way at a time; the first trouble ends it once those are through. */
export async function atOnce<T>(n: number, items: Iterable<T> | AsyncIterable<T>, work: (item: T) => Promise<void>) {
  const under = new Set<Promise<void>>()
  const troubles: unknown[] = []
  for await (const item of items) {
    const one: Promise<void> = work(item)
      .catch((error) => void troubles.push(error))
      .finally(() => under.delete(one))
    under.add(one)
    if (under.size >= n) await Promise.race(under)
    if (troubles.length > 0) break
  }
  await Promise.all(under)
  if (troubles.length > 0) throw troubles[0]
}

/** Undefined where the earlier backup does not have it as it should be, or its disk knows no second names. */
async function linkEarlier(file: NamedFile, from: string, to: string): Promise<number | undefined> {
  const seen = await stat(from).catch(() => undefined)
  if (!seen) return undefined
  // Where no table says how long it is (pictures, which are small) it is read.
  const isWhole = file.bytes === null ? (await hashFile(from)) === file.sha256 : seen.size === file.bytes
  if (!isWhole) return undefined
  return link(from, to).then(
    () => seen.size,
    () => undefined,
  )
}

async function copyFromStore(
  storage: Pick<Storage, 'pieces'>,
  { kind, sha256, ending }: NamedFile,
  place: string,
  signal: AbortSignal,
): Promise<number | Lost['why']> {
  const temporary = `${place}.part`
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
    // Blocks of their own: a stream is read ahead of.
    const pieces = storage.pieces(kind, sha256, { ending }, () => Buffer.allocUnsafeSlow(1 << 17))
    await pipeline(Readable.from(pieces), measure, await openForWriting(temporary, { mode: 0o600 }), { signal })
    if (hash.digest('hex') !== sha256) return 'broken'
    await syncFile(temporary)
    await rename(temporary, place)
    return bytes
  } catch (error) {
    if (error instanceof NotStoredError) return 'missing'
    throw error
  } finally {
    await rm(temporary, { force: true })
  }
}
