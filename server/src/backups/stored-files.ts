import type { DamageKind } from '../platform/damaged-files.ts'
import type { Sql } from '../platform/db.ts'
import { type Listed, type Storage, type StorageKind, storageKey } from '../platform/storage.ts'
import { forEachConcurrently } from './file-copies.ts'
import { examineFile } from './file-damage.ts'
import type { ProgressReporter } from './progress.ts'
import { isReferenced, type ReferencedFile, readReferenced } from './referenced-files.ts'

const READ_CONCURRENCY = 4
/** A file added this recently may be referenced in a moment. */
const UNDER_WAY_MS = 60 * 60_000

/** A file as referenced in the database, as listed by the store, or both. */
type FilePair = { named?: ReferencedFile; listed?: Listed }

const sortKey = ({ sha256, ending }: { sha256: string; ending: string }): string => `${sha256}${ending}`

/** Pairs referenced and listed files, both sorted by name; the listing is streamed, so it may be of any length. */
export async function* mergeSorted(
  referenced: Iterable<ReferencedFile>,
  listed: AsyncIterable<Listed>,
): AsyncGenerator<FilePair> {
  const leftIterator = referenced[Symbol.iterator]()
  const rightIterator = listed[Symbol.asyncIterator]()
  let left = leftIterator.next()
  let right = await rightIterator.next()
  while (!left.done || !right.done) {
    const leftName = left.done ? undefined : sortKey(left.value)
    const rightName = right.done ? undefined : sortKey(right.value)
    const takesLeft = leftName !== undefined && (rightName === undefined || leftName <= rightName)
    const takesRight = rightName !== undefined && (leftName === undefined || rightName <= leftName)
    yield {
      ...(takesLeft && !left.done ? { named: left.value } : {}),
      ...(takesRight && !right.done ? { listed: right.value } : {}),
    }
    if (takesLeft) left = leftIterator.next()
    if (takesRight) right = await rightIterator.next()
  }
}

type Deps = { sql: Sql; storage: Storage; now(): Date }
export type OnFile = (file: ReferencedFile, damage: DamageKind | undefined) => Promise<void>
type CheckFilesOptions = {
  kind: StorageKind
  readsAll: boolean
  progress: ProgressReporter
  signal: AbortSignal
  onFile?: OnFile | undefined
}

/** Returns the problems with the files of a kind, and the unreferenced files. The pool may be running. */
export async function checkFiles(
  deps: Deps,
  options: CheckFilesOptions,
): Promise<{ wrong: string[]; unnamed: string[] }> {
  const { sql, storage, now } = deps
  const wrong: string[] = []
  const unnamed: string[] = []
  // Read at once, because a statement that stays open for hours prevents the database from vacuuming.
  const all = await readReferenced(sql, options.kind)
  await forEachConcurrently(
    READ_CONCURRENCY,
    mergeSorted(all, storage.list(options.kind)),
    async ({ named: referenced, listed }) => {
      options.signal.throwIfAborted()
      const problem = referenced && (await findFileProblem(deps, options, referenced, listed))
      if (problem) wrong.push(problem)
      if (!referenced && listed && now().getTime() - listed.changed_at.getTime() > UNDER_WAY_MS) {
        const file = { kind: options.kind, sha256: listed.sha256 }
        if (!(await isReferenced(sql, file))) unnamed.push(storageKey(options.kind, listed.sha256, listed.ending))
      }
      options.progress.done()
    },
  )
  return { wrong: wrong.sort(), unnamed: unnamed.sort() }
}

async function findFileProblem(
  { sql, storage }: Deps,
  { kind, readsAll, onFile }: CheckFilesOptions,
  referenced: ReferencedFile,
  listed: Listed | undefined,
): Promise<string | undefined> {
  const { sha256, ending, bytes, whose } = referenced
  const key = storageKey(kind, sha256, ending)
  const missing = async () => {
    // The reference may have been removed since it was read.
    if (!(await isReferenced(sql, referenced))) return undefined
    await onFile?.(referenced, 'missing')
    return `${key}: missing, referenced by “${whose}”`
  }
  const isThere = listed !== undefined || (await storage.has(kind, sha256, ending))
  if (!isThere) return missing()
  if (listed && bytes !== null && listed.bytes !== bytes) {
    await onFile?.(referenced, listed.bytes < bytes ? 'truncated' : 'altered')
    return `${key}: ${listed.bytes} bytes, expected ${bytes} (“${whose}”)`
  }
  if (!readsAll) return undefined
  try {
    const damage = await examineFile(storage, referenced)
    if (damage === 'missing') return missing()
    await onFile?.(referenced, damage)
    return damage && `${key}: damaged, checksum doesn’t match`
  } catch (error) {
    return `${key}: unreadable (${(error as Error).message})`
  }
}
