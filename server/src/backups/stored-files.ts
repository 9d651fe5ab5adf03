import type { Damage } from '../platform/damaged-files.ts'
import type { Sql } from '../platform/db.ts'
import { type Kind, keyOf, type Listed, type Storage } from '../platform/storage.ts'
import { atOnce } from './file-copies.ts'
import { examineFile } from './file-damage.ts'
import { isNamed, type NamedFile, readNamed } from './named-files.ts'
import type { Steps } from './steps.ts'

const READ_AT_ONCE = 4
/** What came in so lately may be named in a moment. */
const UNDER_WAY_MS = 60 * 60_000

/** A file as the database names it, as the store has it, or both. */
type Pair = { named?: NamedFile; listed?: Listed }

const order = ({ sha256, ending }: { sha256: string; ending: string }): string => `${sha256}${ending}`

/** Puts two rows, each in the order of its names, beside each other; the listing may be of any length. */
export async function* sideBySide(named: Iterable<NamedFile>, listed: AsyncIterable<Listed>): AsyncGenerator<Pair> {
  const lefts = named[Symbol.iterator]()
  const rights = listed[Symbol.asyncIterator]()
  let left = lefts.next()
  let right = await rights.next()
  while (!left.done || !right.done) {
    const leftName = left.done ? undefined : order(left.value)
    const rightName = right.done ? undefined : order(right.value)
    const takesLeft = leftName !== undefined && (rightName === undefined || leftName <= rightName)
    const takesRight = rightName !== undefined && (leftName === undefined || rightName <= leftName)
    yield {
      ...(takesLeft && !left.done ? { named: left.value } : {}),
      ...(takesRight && !right.done ? { listed: right.value } : {}),
    }
    if (takesLeft) left = lefts.next()
    if (takesRight) right = await rights.next()
  }
}

type Tools = { sql: Sql; storage: Storage; now(): Date }
export type OnFile = (file: NamedFile, damage: Damage | undefined) => Promise<void>
type Wish = {
  kind: Kind
  readsAll: boolean
  steps: Steps
  signal: AbortSignal
  onFile?: OnFile | undefined
}

/** What is wrong with the files of a kind, and those that nobody names. The pool may run meanwhile. */
export async function checkFiles(tools: Tools, wish: Wish): Promise<{ wrong: string[]; unnamed: string[] }> {
  const { sql, storage, now } = tools
  const wrong: string[] = []
  const unnamed: string[] = []
  // Read at once: a statement that stays open for hours keeps the database from clearing up.
  const all = await readNamed(sql, wish.kind)
  await atOnce(READ_AT_ONCE, sideBySide(all, storage.list(wish.kind)), async ({ named, listed }) => {
    wish.signal.throwIfAborted()
    const trouble = named && (await troubleOf(tools, wish, named, listed))
    if (trouble) wrong.push(trouble)
    if (!named && listed && now().getTime() - listed.changed_at.getTime() > UNDER_WAY_MS) {
      const file = { kind: wish.kind, sha256: listed.sha256 }
      if (!(await isNamed(sql, file))) unnamed.push(keyOf(wish.kind, listed.sha256, listed.ending))
    }
    wish.steps.done()
  })
  return { wrong: wrong.sort(), unnamed: unnamed.sort() }
}

async function troubleOf(
  { sql, storage }: Tools,
  { kind, readsAll, onFile }: Wish,
  named: NamedFile,
  listed: Listed | undefined,
): Promise<string | undefined> {
  const { sha256, ending, bytes, whose } = named
  const key = keyOf(kind, sha256, ending)
  const missing = async () => {
    // It may have been removed since it was named.
    if (!(await isNamed(sql, named))) return undefined
    await onFile?.(named, 'missing')
    return `${key}: missing, referenced by “${whose}”`
  }
  const isThere = listed !== undefined || (await storage.has(kind, sha256, ending))
  if (!isThere) return missing()
  if (listed && bytes !== null && listed.bytes !== bytes) {
    await onFile?.(named, listed.bytes < bytes ? 'truncated' : 'altered')
    return `${key}: ${listed.bytes} bytes, expected ${bytes} (“${whose}”)`
  }
  if (!readsAll) return undefined
  try {
    const damage = await examineFile(storage, named)
    if (damage === 'missing') return missing()
    await onFile?.(named, damage)
    return damage && `${key}: damaged, checksum doesn’t match`
  } catch (error) {
    return `${key}: unreadable (${(error as Error).message})`
  }
}
