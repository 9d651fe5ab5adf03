import { createHash } from 'node:crypto'
import { mkdir, open, readdir, rename, rm, stat, utimes } from 'node:fs/promises'
import path from 'node:path'
import type { AppContext } from '../app-context.ts'
import { diskSpace, isNearlyFull } from '../platform/disk-space.ts'
import { OriginalReadError } from './segments.ts'

/**
 * Copies of files as members download them, for the front server: it can send only whole files from the disk, and a
 * download has new tags in front of the audio. Named by their content, in DATA_DIR/media/tagged; the copies that were
 * used longest ago are deleted.
 */
export type TaggedCopies = {
  /**
   * Returns the path of the copy within DATA_DIR/media, made now if the same file was requested before; undefined if
   * there is none. Throws an OriginalReadError when the original cannot be read.
   */
  find(file: CopiedFile): Promise<string | undefined>
}

type CopiedFile = {
  /** The SHA-256 of the original, in hex. */
  sha256: string
  etag: string
  /** In bytes. */
  length: number
  read(): AsyncIterable<Uint8Array>
}

type Deps = Pick<AppContext, 'config' | 'storage' | 'log'>

const FOLDER = 'tagged'
/** More copies at once would slow down each other and the downloads. */
const MAX_CONCURRENT = 2
/** A larger share for one file would push out too many others. */
const MAX_FILE_SHARE = 0.25
/** How many requested files are remembered, to copy those that are requested again. */
const MAX_REQUESTED = 20_000
/** After a deletion this share of the limit is used, so that not every copy lists the folder. */
const SHARE_AFTER_DELETION = 0.9
/** Other processes copy into the same folder. */
const LIST_AGAIN_MS = 60_000
/** Copies used within this time are equally recent. */
const TOUCH_AGAIN_MS = 10 * 60_000

export const taggedFolder = (dataDir: string): string => path.join(dataDir, 'media', FOLDER)

/** `readSpace` is only changed by tests. */
export function createTaggedCopies({ config, storage, log }: Deps, readSpace = diskSpace): TaggedCopies {
  const limit = config.sendfileCacheBytes
  const root = taggedFolder(config.dataDir)
  const pending = new Map<string, Promise<boolean>>()
  const requested = new Set<string>()
  let usedBytes = 0
  let listedAt = Number.NEGATIVE_INFINITY

  const create = async (file: CopiedFile, final: string): Promise<boolean> => {
    const temporary = await storage.scratch('tagged')
    try {
      const space = await readSpace(path.dirname(temporary))
      if (space && isNearlyFull({ ...space, free_bytes: space.free_bytes - file.length })) return false
      await write(temporary, file)
      await mkdir(path.dirname(final), { recursive: true })
      await rename(temporary, final)
      usedBytes += file.length
      await deleteOldest()
      return true
    } catch (error) {
      if (error instanceof OriginalReadError) throw error
      log.warn(error, 'Could not copy a file for the front server')
      return false
    } finally {
      await rm(temporary, { force: true })
    }
  }

  const deleteOldest = async () => {
    if (usedBytes <= limit && performance.now() - listedAt < LIST_AGAIN_MS) return
    listedAt = performance.now()
    const copies = await listCopies(root)
    usedBytes = copies.reduce((sum, { bytes }) => sum + bytes, 0)
    if (usedBytes <= limit) return
    for (const { file, bytes } of copies.sort((a, b) => a.usedAt - b.usedAt)) {
      if (usedBytes <= limit * SHARE_AFTER_DELETION) return
      await rm(file, { force: true })
      usedBytes -= bytes
    }
  }

  const wasRequested = (key: string): boolean => {
    if (requested.delete(key)) return true
    if (requested.size >= MAX_REQUESTED)
      for (const oldest of [...requested].slice(0, MAX_REQUESTED / 10)) requested.delete(oldest)
    requested.add(key)
    return false
  }

  return {
    find: async (file) => {
      if (file.length > limit * MAX_FILE_SHARE) return undefined
      const key = createHash('sha256').update(`${file.sha256} ${file.etag}`).digest('hex')
      const name = `${FOLDER}/${key.slice(0, 2)}/${key}`
      const final = path.join(config.dataDir, 'media', name)
      if (await isCopied(final, file.length)) return name
      let copying = pending.get(key)
      if (!copying) {
        if (pending.size >= MAX_CONCURRENT || !wasRequested(key)) return undefined
        copying = create(file, final).finally(() => pending.delete(key))
        pending.set(key, copying)
      }
      return (await copying) ? name : undefined
    },
  }
}

/** Writes the whole file and waits until it is on the disk: after a power failure a copy must not contain zeros. */
async function write(temporary: string, { length, read }: CopiedFile): Promise<void> {
  const handle = await open(temporary, 'wx')
  try {
    let written = 0
    for await (const chunk of read()) {
      await handle.write(chunk)
      written += chunk.length
    }
    if (written !== length) throw new Error(`Copied ${written} of ${length} bytes`)
    await handle.datasync()
  } finally {
    await handle.close()
  }
}

/** Returns whether there is a copy of this length, and notes when it was used. */
async function isCopied(file: string, length: number): Promise<boolean> {
  const copy = await stat(file).catch(() => undefined)
  if (copy?.size !== length) return false
  const now = Date.now()
  // A deleted copy is noticed by the front server.
  if (now - copy.mtimeMs > TOUCH_AGAIN_MS) await utimes(file, now / 1000, now / 1000).catch(() => undefined)
  return true
}

type Copy = { file: string; bytes: number; usedAt: number }

async function listCopies(root: string): Promise<Copy[]> {
  const copies: Copy[] = []
  for (const folder of await readdir(root)) {
    for (const name of await readdir(path.join(root, folder))) {
      const file = path.join(root, folder, name)
      // Another process may delete it at the same time.
      const found = await stat(file).catch(() => undefined)
      if (found) copies.push({ file, bytes: found.size, usedAt: found.mtimeMs })
    }
  }
  return copies
}

/** Deletes the copies that no front server uses any longer, after SENDFILE was turned off. */
export async function sweepTaggedCopies({ config }: Pick<AppContext, 'config'>): Promise<void> {
  if (config.sendfile === 'off') await rm(taggedFolder(config.dataDir), { recursive: true, force: true })
}
