import type { AppContext } from '../app-context.ts'
import { clearDamagedFile, type DamageKind, recordDamagedFile } from '../platform/damaged-files.ts'
import { isStoreError } from '../platform/serve.ts'
import { hashFile } from '../platform/storage.ts'

type Deps = Pick<AppContext, 'sql' | 'storage' | 'log' | 'now'>

/** A stored original, as the database last saw it. */
export type Original = {
  file_id: number
  sha256: string
  bytes: number
  /** It was missing or damaged. */
  missing: boolean
  /** Length of what was found in its place; equal to `bytes` where its content could not be read or was wrong. */
  found_bytes: number | null
}

/** Files looked up at once: a bucket takes some milliseconds to answer. */
const LOOKUP_CONCURRENCY = 16

/**
 * Whether the store has the original in its full length. Only its length is compared, so that this can be asked before
 * every download. What changed since the last check is recorded.
 */
export async function checkOriginal(deps: Deps, original: Original): Promise<boolean> {
  const found = await deps.storage.size('audio', original.sha256)
  // Once its content was found wrong, its length says nothing: it stays damaged until its content is checked.
  const isIntact = found === original.bytes && original.found_bytes !== original.bytes
  const before = original.missing ? original.found_bytes : original.bytes
  if (original.missing === isIntact || (found ?? null) !== before)
    await recordState(deps, original, isIntact ? 'intact' : (found ?? null))
  return isIntact
}

/** The originals that the store has in their full length. */
export async function findIntact<O extends Original>(deps: Deps, originals: readonly O[]): Promise<Set<O>> {
  const intact = new Set<O>()
  for (let n = 0; n < originals.length; n += LOOKUP_CONCURRENCY) {
    const batch = originals.slice(n, n + LOOKUP_CONCURRENCY)
    const checked = await Promise.all(batch.map((original) => checkOriginal(deps, original)))
    for (const [index, original] of batch.entries()) if (checked[index]) intact.add(original)
  }
  return intact
}

/** Of these contents, those that the pool has and whose stored originals are intact. */
export async function findIntactContents(deps: Deps, hashes: readonly string[]): Promise<Set<string>> {
  const known = await deps.sql<Original[]>`
    select ${columns(deps)} from file f
    where f.sha256 = any(select decode(hash, 'hex') from unnest(${[...hashes]}::text[]) hash)`
  return new Set([...(await findIntact(deps, known))].map(({ sha256 }) => sha256))
}

/** The columns of an `Original` of file `f`. */
const columns = ({ sql }: Pick<Deps, 'sql'>) =>
  sql`f.file_id, encode(f.sha256, 'hex') as sha256, f.bytes, f.missing_since is not null as missing, f.found_bytes`

/**
 * Records that reading an original failed. Answers false for trouble that passes, such as a bucket that does not answer:
 * the same transfer may succeed in a moment.
 */
export async function recordReadFailure(deps: Deps, original: Original, error: unknown): Promise<boolean> {
  const isUnreadable = (error as { code?: string }).code === 'EIO'
  if (!isUnreadable && isStoreError(error)) return false
  if (isUnreadable) await recordState(deps, original, original.bytes)
  else await checkOriginal(deps, original)
  return true
}

/** Records what reading an original whole has shown: it is offered, or no longer offered, from now on. */
export async function recordContent(deps: Deps, sha256: string, damage: DamageKind | undefined): Promise<void> {
  const [original] = await deps.sql<Original[]>`
    select ${columns(deps)} from file f where f.sha256 = decode(${sha256}, 'hex')`
  if (!original) return
  if (damage === undefined) await recordState(deps, original, 'intact')
  else if (damage === 'altered') await recordState(deps, original, original.bytes)
  else await checkOriginal(deps, original)
}

/**
 * Stores the content of a known original again from a file, if the stored one is missing or damaged. Answers whether it
 * was.
 */
export async function restoreOriginal(deps: Deps, sha256: string, from: string): Promise<boolean> {
  const [original] = await deps.sql<Original[]>`
    select ${columns(deps)} from file f where f.sha256 = decode(${sha256}, 'hex')`
  if (!original || (await checkOriginal(deps, original))) return false
  // The store replaces what has another length; the same length with other content has to be removed first.
  if ((await deps.storage.size('audio', sha256)) === original.bytes) await deps.storage.remove('audio', sha256)
  const stored = await deps.storage.putFile('audio', from)
  if (stored.sha256 === sha256) await recordState(deps, original, 'intact')
  return true
}

/** Originals of the right length whose content was wrong are read whole: some of them in each round. */
const MAX_REREADS = 20

/** Checks originals that were missing or damaged again; those that were restored are offered again. */
export async function findRestoredOriginals(deps: Deps): Promise<void> {
  const { sql } = deps
  const unavailable = await sql<Original[]>`
    select ${columns(deps)} from file f where f.missing_since is not null and f.found_bytes is distinct from f.bytes`
  for (const original of unavailable) await checkOriginal(deps, original)
  const unreadable = await sql<Original[]>`
    select ${columns(deps)} from file f where f.found_bytes = f.bytes order by random() limit ${MAX_REREADS}`
  for (const original of unreadable) {
    if (await hasExpectedContent(deps, original)) await recordState(deps, original, 'intact')
  }
}

async function hasExpectedContent({ storage }: Deps, { sha256 }: Original): Promise<boolean> {
  const file = await storage.onDisk('audio', sha256).catch(() => undefined)
  if (!file) return false
  try {
    return (await hashFile(file.path).catch(() => '')) === sha256
  } finally {
    await file.done()
  }
}

/** `state` is the length of what was found in place of the original, null where nothing was. */
async function recordState(
  { sql, log, now }: Deps,
  { file_id, sha256, bytes }: Original,
  state: 'intact' | number | null,
): Promise<void> {
  const isIntact = state === 'intact'
  const found = isIntact ? null : state
  const changed = await sql`
    update file set missing_since = ${isIntact ? null : sql`coalesce(missing_since, ${now()})`}, found_bytes = ${found}
    where file_id = ${file_id}
      and (missing_since is null, found_bytes) is distinct from (${isIntact}::boolean, ${found}::bigint)
    returning 1`
  if (changed.length === 0) return
  // The register of the whole store, which staff and /metrics read.
  if (isIntact) await clearDamagedFile(sql, sha256)
  else await recordDamagedFile(sql, sha256, found === null ? 'missing' : found < bytes ? 'truncated' : 'altered')
  if (isIntact) log.info({ file_id, sha256 }, 'A media file is intact again.')
  else if (found === null) log.error({ file_id, sha256 }, 'A media file is missing from the store.')
  else log.error({ file_id, sha256, bytes, found_bytes: found }, 'A media file in the store is damaged.')
}
