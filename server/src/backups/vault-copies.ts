import { gunzipSync, gzipSync } from 'node:zlib'
import { NotStoredError, storageKey } from '../platform/storage.ts'
import type { Vault } from '../platform/storage-s3-vault.ts'
import { type FileCopies, forEachConcurrently, keyOfFile, type LostFile } from './file-copies.ts'
import { KINDS, type ReferencedFile } from './referenced-files.ts'

const AT_ONCE = 16

/** Copies files of a bucket into the area for backups in the same bucket. Files already there are not copied again. */
export async function openVaultCopies(vault: Vault, { signal }: { signal: AbortSignal }): Promise<FileCopies> {
  const there = new Map<string, number>()
  const earlier = new Map<string, number>()
  const counts = { copied: 0, linked: 0 }
  for (const kind of KINDS)
    for await (const { sha256, ending, bytes } of vault.list(kind)) earlier.set(storageKey(kind, sha256, ending), bytes)

  const bringOne = async (file: ReferencedFile, sizes: Map<string, number>): Promise<LostFile['why'] | undefined> => {
    const key = keyOfFile(file)
    if (there.has(key)) return undefined
    const bytes = earlier.get(key)
    if (bytes !== undefined && (file.bytes === null || bytes === file.bytes)) {
      there.set(key, bytes)
      counts.linked += 1
      return undefined
    }
    try {
      await vault.copyIn(file)
    } catch (error) {
      if (error instanceof NotStoredError) return 'missing'
      throw error
    }
    sizes.set(key, file.bytes ?? -1)
    return undefined
  }

  /** Checks the lengths of new copies with a listing, because a copy of a truncated file is not a backup of it. */
  const measure = async (files: readonly ReferencedFile[], copied: Map<string, number>): Promise<LostFile[]> => {
    if (copied.size === 0) return []
    const sizes = new Map<string, number>()
    for (const kind of new Set(files.map((file) => file.kind)))
      for await (const { sha256, ending, bytes } of vault.list(kind)) {
        const key = storageKey(kind, sha256, ending)
        if (copied.has(key)) sizes.set(key, bytes)
      }
    const lost: LostFile[] = []
    for (const file of files) {
      const key = keyOfFile(file)
      if (!copied.has(key) || there.has(key)) continue
      const bytes = sizes.get(key)
      if (bytes === undefined) lost.push({ file, why: 'missing' })
      else if (file.bytes !== null && bytes !== file.bytes) {
        lost.push({ file, why: 'broken' })
        await vault.remove(file)
      } else {
        there.set(key, bytes)
        counts.copied += 1
      }
    }
    return lost
  }

  return {
    bring: async (files, onDone) => {
      const lost: LostFile[] = []
      const copied = new Map<string, number>()
      await forEachConcurrently(AT_ONCE, files, async (file) => {
        signal.throwIfAborted()
        const why = await bringOne(file, copied)
        if (why) lost.push({ file, why })
        onDone?.(file)
      })
      return [...lost, ...(await measure(files, copied))]
    },
    bytesOf: (file) => there.get(keyOfFile(file)),
    // Copies that no list references are pruned when a backup is removed.
    removeOthers: async () => {},
    counts: () => counts,
    sync: async () => {},
  }
}

/** The list of files that a backup needs, as stored in the bucket. */
export const packFileList = (files: readonly ReferencedFile[]): Buffer =>
  gzipSync(files.map((file) => `${keyOfFile(file)}\n`).join(''))

/** Files this new may belong to a backup in progress. */
const UNDER_WAY_MS = 24 * 3_600_000

/** Removes copies that no list references. Returns how many. */
export async function pruneVault(vault: Vault, now: Date): Promise<number> {
  const needed = new Set<string>()
  for await (const list of vault.readLists()) for (const key of gunzipSync(list).toString().split('\n')) needed.add(key)
  let removed = 0
  for (const kind of KINDS)
    for await (const { sha256, ending, changed_at } of vault.list(kind)) {
      if (needed.has(storageKey(kind, sha256, ending)) || now.getTime() - changed_at.getTime() < UNDER_WAY_MS) continue
      await vault.remove({ kind, sha256, ending })
      removed += 1
    }
  return removed
}
