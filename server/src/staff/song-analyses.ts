import type { ParsedInputOf, ReplyOf, reanalyses, staffSongs } from '@dubplate/contract'
import { queueReanalysis } from '../media/reanalysis.ts'
import type { Sql } from '../platform/db.ts'

type StaffCall = ParsedInputOf<typeof reanalyses.analyseSongs>
type ExcludedSongs = ReplyOf<typeof reanalyses.analyseSongs>['left']

type VersionRow = {
  entity_id: number
  title: string
  version_label: string | null
  file_id: number | null
  missing: boolean
}

/**
 * Queues the files of songs for re-analysis, except unpublished versions. Returns the number of files, and the songs
 * that cannot be analysed. Part of the caller's transaction.
 */
export async function analyseAgain(
  sql: Sql,
  { entity_ids }: StaffCall,
  staffId: number,
): Promise<{ files: number; left: ExcludedSongs; songs: number[] }> {
  const rows = await sql<VersionRow[]>`
    select s.entity_id, s.title, v.version_label, v.file_id, f.missing_since is not null as missing
    from unnest(${entity_ids}::bigint[]) asked (entity_id) join song s using (entity_id)
    left join song_version v on v.entity_id = s.entity_id and v.status <> 'unpublished' left join file f using (file_id)
    order by s.entity_id, v.position`
  const analysable = rows.filter((row) => row.file_id !== null && !row.missing)
  const files = [...new Set(analysable.flatMap(({ file_id }) => file_id ?? []))]
  await queueReanalysis(sql, files, staffId)
  const songs = [...new Set(analysable.map(({ entity_id }) => entity_id))]
  return { files: files.length, left: listExcluded(entity_ids, rows), songs }
}

function listExcluded(entityIds: readonly number[], rows: readonly VersionRow[]): ExcludedSongs {
  const known = new Set(rows.map(({ entity_id }) => entity_id))
  const missingIds = [...new Set(entityIds)].filter((id) => !known.has(id))
  const unknownSongs = missingIds.map((entity_id) => ({
    ...{ entity_id, title: '', code: 'unknown_song' },
    message: 'Song not found.',
  }))
  return [...unknownSongs, ...rows.flatMap(exclusionReason)]
}

function exclusionReason({ entity_id, title, version_label, file_id, missing }: VersionRow): ExcludedSongs {
  const song = { entity_id, title }
  if (version_label === null)
    return [{ ...song, code: 'no_published_version', message: 'This song has no published versions.' }]
  if (file_id === null)
    return [
      {
        ...song,
        code: 'made_on_demand',
        message: `“${version_label}” is generated on demand, so there is no file to analyse.`,
      },
    ]
  if (missing)
    return [{ ...song, code: 'file_unavailable', message: `The file for “${version_label}” is missing from storage.` }]
  return []
}

const MAX_FAILED_SHOWN = 20

/** Returns the progress of re-analyses that staff requested in the last day. */
export async function getReanalyses(sql: Sql): Promise<ReplyOf<typeof reanalyses.getAnalyses>> {
  const [[counts], failed] = await Promise.all([
    sql<{ waiting: number; running: number; done: number }[]>`
      select count(*) filter (where state = 'queued')::int as waiting, count(*) filter (where state = 'running')::int as running,
        count(*) filter (where state = 'done')::int as done
      from reanalysis where requested_at > now() - interval '1 day' or state in ('queued', 'running')`,
    sql<ReplyOf<typeof reanalyses.getAnalyses>['failed']>`
      select s.entity_id, s.title, v.version_label, r.last_error
      from reanalysis r join song_version v using (file_id) join song s using (entity_id)
      where r.state = 'failed' and r.requested_at > now() - interval '1 day'
      order by r.updated_at desc limit ${MAX_FAILED_SHOWN}`,
  ])
  return { ...(counts ?? { waiting: 0, running: 0, done: 0 }), failed: [...failed] }
}

type AnalysisStates = ReplyOf<typeof staffSongs.getSong>['analysing']

/** The same for one song, by version. */
export async function getSongAnalyses(sql: Sql, entityId: number): Promise<AnalysisStates> {
  const rows = await sql<(AnalysisStates[string] & { song_version_id: number })[]>`
    select v.song_version_id, r.state, r.progress, r.last_error from song_version v join reanalysis r using (file_id)
    where v.entity_id = ${entityId} and (r.requested_at > now() - interval '1 day' or r.state in ('queued', 'running'))`
  return Object.fromEntries(rows.map(({ song_version_id, ...analysing }) => [String(song_version_id), analysing]))
}
