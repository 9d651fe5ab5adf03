import type { AppContext } from '../app-context.ts'
import type { Pool, Sql } from '../platform/db.ts'
import type { LibraryMatch } from './entry-match.ts'
import {
  type ClaimedLibrary,
  claimLibrary,
  delayLibrary,
  failLibrary,
  finishLibrary,
  releaseLibrary,
} from './library-claims.ts'
import { indexPaths, matchBatch, type PathIndex } from './match-library.ts'
import { findProfilePaths } from './profile-paths.ts'
import { SqlCatalogue } from './sql-catalogue.ts'

/** Matches libraries with the pool, in the background. */

/** Small enough that a process which also answers requests is not busy for long at a time. */
const BATCH_SIZE = 200
const MAX_ATTEMPTS = 3

/** Matches the next library of the queue. Returns false if there is none. Safe to be killed at any point. */
export async function matchNext({ sql, log }: Pick<AppContext, 'sql' | 'log'>, signal: AbortSignal): Promise<boolean> {
  const claimed = await claimLibrary(sql)
  if (!claimed) return false
  if (claimed.attempts > MAX_ATTEMPTS) {
    log.error({ library_id: claimed.library_id }, 'Could not match a library')
    await failLibrary(sql, claimed)
    return true
  }
  try {
    await matchClaimed(sql, claimed, signal)
  } catch (error) {
    await delayLibrary(sql, claimed)
    throw error
  }
  return true
}

async function matchClaimed(sql: Pool, claimed: ClaimedLibrary, signal: AbortSignal): Promise<void> {
  const catalogue = new SqlCatalogue(sql)
  const paths = indexPaths(await findProfilePaths(sql, claimed.customer_id))
  for (let from = claimed.done; ; ) {
    if (signal.aborted) return releaseLibrary(sql, claimed)
    const entries = await readEntries(sql, claimed, from)
    const to = entries.length < BATCH_SIZE ? claimed.entries : entries.at(-1)!.n + 1
    const isSaved = await matchEntries(sql, claimed, { entries, catalogue, paths, to })
    if (!isSaved) return
    if (to === claimed.entries) return finishLibrary(sql, claimed)
    from = to
  }
}

type StoredEntry = {
  entry_id: number
  n: number
  artist: string
  title: string
  version: string
  remixer: string
  isrc: string
  duration_seconds: number | null
  path_parts: string[]
}

/** When a library is compared again, entries whose version is known stay as they are. */
const readEntries = (sql: Sql, { library_id, is_listed }: ClaimedLibrary, from: number) => sql<StoredEntry[]>`
  select entry_id, n, artist, title, version, remixer, isrc, duration_seconds, path_parts from own_library_entry
  where library_id = ${library_id} and n >= ${from}
    ${is_listed ? sql`and (found is null or found <> 'certain' or song_version_id is null)` : sql``}
  order by n limit ${BATCH_SIZE}`

type Batch = { entries: StoredEntry[]; catalogue: SqlCatalogue; paths: PathIndex; to: number }

/** Returns false if the library was deleted, or another worker has it. */
async function matchEntries(sql: Pool, claimed: ClaimedLibrary, batch: Batch): Promise<boolean> {
  const { entries, catalogue, paths, to } = batch
  const matchable = entries.map((entry) => ({ ...entry, file_name: entry.path_parts.at(-1) ?? '' }))
  const matches = await matchBatch(matchable, catalogue, paths)
  return sql.begin(async (transaction) => {
    const [current] = await transaction`
      update own_library set done = ${to}, claimed_until = now() + interval '2 minutes'
      where library_id = ${claimed.library_id} and attempts = ${claimed.attempts} and state = 'matching' returning 1`
    if (!current) return false
    await saveMatches(
      transaction,
      entries.map(({ entry_id }, n) => ({ entry_id, match: matches[n]! })),
    )
    return true
  })
}

const candidatesOf = (match: LibraryMatch) =>
  match.kind === 'review' ? match.candidates : match.kind === 'certain' ? [match] : []

/** A song that was merged or deleted since it was read is left out. Decisions of the member stay. */
async function saveMatches(sql: Sql, matches: readonly { entry_id: number; match: LibraryMatch }[]): Promise<void> {
  const entries = matches.map(({ entry_id, match }) => ({
    entry_id,
    found: match.kind,
    ...(match.kind === 'certain' ? match : {}),
  }))
  const candidates = matches.flatMap(({ entry_id, match }) =>
    candidatesOf(match).map(({ entity_id, song_version_id, confidence }, n) => ({
      ...{ entry_id, rank: n + 1, entity_id, song_version_id, confidence },
    })),
  )
  await sql`delete from own_library_candidate where entry_id = any(${entries.map(({ entry_id }) => entry_id)}::bigint[])`
  await sql`
    insert into own_library_candidate (entry_id, rank, entity_id, song_version_id, confidence)
    select c.entry_id, c.rank, c.entity_id, c.song_version_id, c.confidence
    from jsonb_to_recordset(${sql.json(candidates as never)}) as c (entry_id bigint, rank smallint, entity_id bigint,
      song_version_id bigint, confidence real) join song using (entity_id)`
  await sql`
    update own_library_entry e set
      found = case when m.entity_id is not null and s.entity_id is null then 'none' else m.found end, reason = m.reason,
      entity_id = case when e.decision is null then s.entity_id else e.entity_id end,
      song_version_id = case when e.decision is null and s.entity_id is not null then m.song_version_id
        when e.decision is not null then e.song_version_id end
    from jsonb_to_recordset(${sql.json(entries as never)}) as m (entry_id bigint, found text, reason text, entity_id bigint,
      song_version_id bigint) left join song s using (entity_id)
    where e.entry_id = m.entry_id`
}
