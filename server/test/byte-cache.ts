import { createHash, randomUUID } from 'node:crypto'
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'

const HASH_BYTES = 32

const hashOf = (bytes: Uint8Array): Buffer => createHash('sha256').update(bytes).digest()

/**
 * Keeps bytes that are slow to make, in this process and as files of a folder. Several processes can share the folder: a file is
 * renamed into place when it is complete, and begins with the hash of its content, so a damaged one is made again.
 */
export function openByteCache(folder: string) {
  const memoryCache = new Map<string, Promise<Buffer>>()

  const load = async (key: string, make: () => Promise<Buffer>): Promise<Buffer> => {
    const file = path.join(folder, key)
    const cachedBytes = await readFile(file).catch(() => Buffer.alloc(0))
    const content = cachedBytes.subarray(HASH_BYTES)
    if (cachedBytes.subarray(0, HASH_BYTES).equals(hashOf(content))) return content
    const made = await make()
    await mkdir(folder, { recursive: true })
    const part = `${file}.${randomUUID()}.part`
    await writeFile(part, Buffer.concat([hashOf(made), made]))
    await rename(part, file)
    return made
  }

  /** Returns a copy that the caller may change. `key` is a file name, and must change whenever `make` would give other bytes. */
  return async (key: string, make: () => Promise<Buffer>): Promise<Buffer> => {
    const loading = memoryCache.get(key) ?? load(key, make)
    memoryCache.set(key, loading)
    loading.catch(() => memoryCache.delete(key))
    return Buffer.from(await loading)
  }
}
