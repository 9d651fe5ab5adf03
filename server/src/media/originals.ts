import type { AppContext } from '../app-context.ts'
import { clearDamagedFile, type DamageKind, recordDamagedFile } from '../platform/damaged-files.ts'
import { isStoreError } from '../platform/error-replies.ts'
import { hashFile } from '../platform/storage.ts'

type Deps = Pick<AppContext, 'sql' | 'storage' | 'log' | 'now'>

/** A stored original, as recorded in the database. */
export type Original = {
  file_id: number
  sha256: string
  bytes: number
  /** It was missing or damaged at the last check. */
  missing: boolean
  /** Length of the file found in the store; equal to `bytes` when its content could not be read or was wrong. */
  found_bytes: number | null
}

/** Files looked up concurrently: a bucket takes some milliseconds to respond. */
const LOOKUP_CONCURRENCY = 16

/**
 * Returns whether the store has the original in its full length. Compares only the length, so it is cheap enough to
 * call before every download. Records any change since the last check.
 */
export async function checkOriginal(deps: Deps, original: Original): Promise<boolean> {
  const found = await deps.storage.size('audio', original.sha256)
  // Once its content was found to be wrong, a correct length proves nothing: it stays damaged until its content is
  // checked.
  const isIntact = found === original.bytes && original.found_bytes !== original.bytes
  const before = original.missing ? original.found_bytes : original.bytes
  if (original.missing === isIntact || (found ?? null) !== before)
    await recordState(deps, original, isIntact ? 'intact' : (found ?? null))
  return isIntact
}

/** Returns the originals that the store has in their full length. */
export async function findIntact<O extends Original>(deps: Deps, originals: readonly O[]): Promise<Set<O>> {
  const intact = new Set<O>()
  for (let n = 0; n < originals.length; n += LOOKUP_CONCURRENCY) {
    const batch = originals.slice(n, n + LOOKUP_CONCURRENCY)
    const checked = await Promise.all(batch.map((original) => checkOriginal(deps, original)))
    for (const [index, original] of batch.entries()) if (checked[index]) intact.add(original)
  }
  return intact
}

/** Returns those of these SHA-256 hashes whose originals are in the pool and intact. */
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
 * Records that reading an original failed. Returns false for a temporary error, such as a bucket that does not respond:
 * the same transfer may succeed a moment later.
 */
export async function recordReadFailure(deps: Deps, original: Original, error: unknown): Promise<boolean> {
  const isUnreadable = (error as { code?: string }).code === 'EIO'
  if (!isUnreadable && isStoreError(error)) return false
  if (isUnreadable) await recordState(deps, original, original.bytes)
  else await checkOriginal(deps, original)
  return true
}

/** Records the result of reading a complete original, which makes it available or unavailable for download. */
export async function recordContent(deps: Deps, sha256: string, damage: DamageKind | undefined): Promise<void> {
  const [original] = await deps.sql<Original[]>`
    select ${columns(deps)} from file f where f.sha256 = decode(${sha256}, 'hex')`
  if (!original) return
  if (damage === undefined) await recordState(deps, original, 'intact')
  else if (damage === 'altered') await recordState(deps, original, original.bytes)
  else await checkOriginal(deps, original)
}

/**
 * Stores the content of a known original again from a file if the stored one is missing or damaged. Returns whether it
 * was.
 */
export async function restoreOriginal(deps: Deps, sha256: string, from: string): Promise<boolean> {
  const [original] = await deps.sql<Original[]>`
    select ${columns(deps)} from file f where f.sha256 = decode(${sha256}, 'hex')`
  if (!original || (await checkOriginal(deps, original))) return false
  // The store replaces a file of another length; one of the same length with other content must be removed first.
  if ((await deps.storage.size('audio', sha256)) === original.bytes) await deps.storage.remove('audio', sha256)
  const stored = await deps.storage.putFile('audio', from)
  if (stored.sha256 === sha256) await recordState(deps, original, 'intact')
  return true
}

/** Originals of the right length whose content was wrong are read in full, up to this many per run. */
const MAX_REREADS = 20

/** Checks missing or damaged originals again; restored ones become available again. */
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

/** `state` is the length of the file found in place of the original, or null when there was none. */
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
  // The list of damaged files in the whole store, which staff and /metrics read.
  if (isIntact) await clearDamagedFile(sql, sha256)
  else await recordDamagedFile(sql, sha256, found === null ? 'missing' : found < bytes ? 'truncated' : 'altered')
  if (isIntact) log.info({ file_id, sha256 }, 'A media file is intact again.')
  else if (found === null) log.error({ file_id, sha256 }, 'A media file is missing from storage.')
  else log.error({ file_id, sha256, bytes, found_bytes: found }, 'A media file in storage is damaged.')
}
