import type { ownLibrary } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'
import type { Pool, Sql } from '../platform/db.ts'

type Decision = ownLibrary.MatchDecision
type EntryRow = { entry_id: number; entity_id: number | null; song_version_id: number | null; found: string | null }
type SongChoice = { entity_id: number; song_version_id: number | null }

/**
 * Stores what the member decided about files, all or nothing; of several decisions about a file the last one counts.
 * Throws `unknown_match`, `unknown_song` and `unknown_version`.
 */
export async function decideMatches(pool: Pool, customerId: number, decisions: readonly Decision[]): Promise<void> {
  await pool.begin(async (sql) => {
    const byEntry = new Map(decisions.map((decision) => [decision.entry_id, decision]))
    const entries = await lockEntries(sql, customerId, [...byEntry.keys()])
    const candidates = await readCandidates(sql, [...byEntry.keys()])
    const changes = entries.map((entry) => ({
      entry_id: entry.entry_id,
      ...changeOf(byEntry.get(entry.entry_id)!, entry, candidates.get(entry.entry_id) ?? []),
    }))
    await checkSongs(
      sql,
      changes.filter(({ decision }) => decision === 'confirmed'),
    )
    await sql`
      update own_library_entry e set decision = c.decision, entity_id = c.entity_id, song_version_id = c.song_version_id
      from jsonb_to_recordset(${sql.json(changes)}) as c (entry_id bigint, decision text, entity_id bigint, song_version_id bigint)
      where e.entry_id = c.entry_id`
  })
}

/** In the order of their ids, so that two requests at once do not wait for each other. */
async function lockEntries(sql: Sql, customerId: number, entryIds: readonly number[]): Promise<EntryRow[]> {
  const entries = await sql<EntryRow[]>`
    select e.entry_id, e.entity_id, e.song_version_id, e.found
    from own_library_entry e join own_library l using (library_id)
    where e.entry_id = any(${[...entryIds]}::bigint[]) and l.customer_id = ${customerId} and l.is_listed
    order by e.entry_id for no key update of e`
  if (entries.length < entryIds.length)
    throw new ApiError('unknown_match', 'This file is no longer in your library. Reload the page.')
  return entries
}

async function readCandidates(sql: Sql, entryIds: readonly number[]): Promise<Map<number, SongChoice[]>> {
  const rows = await sql<(SongChoice & { entry_id: number })[]>`
    select entry_id, entity_id, song_version_id from own_library_candidate
    where entry_id = any(${[...entryIds]}::bigint[]) order by entry_id, rank`
  const byEntry = new Map<number, SongChoice[]>(entryIds.map((entryId) => [entryId, []]))
  for (const { entry_id, ...choice } of rows) byEntry.get(entry_id)?.push(choice)
  return byEntry
}

type Change = { decision: 'confirmed' | 'rejected' | null; entity_id: number | null; song_version_id: number | null }

const NO_SONG = { entity_id: null, song_version_id: null }

function changeOf(decision: Decision, entry: EntryRow, candidates: readonly SongChoice[]): Change {
  const [best] = candidates
  if (decision.action === 'reject') return { decision: 'rejected', ...NO_SONG }
  if (decision.action === 'undo')
    return { decision: null, ...(entry.found === 'certain' && best ? songOf(best) : NO_SONG) }
  const entityId = decision.entity_id ?? entry.entity_id ?? best?.entity_id
  if (entityId === undefined) throw new ApiError('unknown_song', 'Choose a song for this file.')
  const found = candidates.find(({ entity_id }) => entity_id === entityId)
  return {
    decision: 'confirmed',
    entity_id: entityId,
    song_version_id: decision.song_version_id ?? found?.song_version_id ?? null,
  }
}

const songOf = ({ entity_id, song_version_id }: SongChoice): SongChoice => ({ entity_id, song_version_id })

async function checkSongs(sql: Sql, changes: readonly Change[]): Promise<void> {
  const songs = changes.flatMap(({ entity_id }) => entity_id ?? [])
  const [missing] = await sql`
    select 1 from unnest(${songs}::bigint[]) given (entity_id)
    where not exists (select 1 from song s where s.entity_id = given.entity_id and s.status = 'published')`
  if (missing) throw new ApiError('unknown_song', 'Song not found. It may have been unpublished.')
  const versions = changes.flatMap(({ entity_id, song_version_id }) =>
    song_version_id === null ? [] : { entity_id, song_version_id },
  )
  const [foreign] = await sql`
    select 1 from unnest(${versions.map(({ entity_id }) => entity_id)}::bigint[],
      ${versions.map(({ song_version_id }) => song_version_id)}::bigint[]) given (entity_id, song_version_id)
    where not exists (select 1 from song_version v
      where (v.entity_id, v.song_version_id) = (given.entity_id, given.song_version_id))`
  if (foreign) throw new ApiError('unknown_version', 'This song doesn’t have this version. Reload the page.')
}
