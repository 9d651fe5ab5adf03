import type { downloads, ParsedInputOf, ReplyOf } from '@dubplate/contract'
import { knownBpm, knownKey } from '../catalogue/version-values.ts'
import { toDateRange } from '../platform/calendar.ts'
import type { Sql } from '../platform/db.ts'
import { idsIfFew } from '../platform/few-rows.ts'
import { isCorrected, isInProgress } from './grants.ts'
import { isRescuable, type RescueWindow } from './source-files.ts'

type RescueParams = ParsedInputOf<typeof downloads.downloadRescue>
type HistoryFilter = Pick<RescueParams, 'startDate' | 'endDate' | 'search'>
type RescueReply = ReplyOf<typeof downloads.downloadRescue>
type HistoryRow = Omit<RescueReply['results'][number], 'created_at' | 'limit'> & { at: Date }

/**
 * Returns one page of a member's downloads, newest first. Refunded downloads are left out. Throws `invalid_request` for
 * a date that does not exist.
 */
export async function downloadHistory(
  sql: Sql,
  customerId: number,
  rescueParams: RescueParams,
  { downloadLimit: limit, rescueDays }: { downloadLimit: number; rescueDays: number },
): Promise<RescueReply> {
  const { page, pageLimit, search } = rescueParams
  const found = ownDownloads(sql, customerId, rescueParams)
  // Without a search, counting is a scan of an index.
  const few = search.trim() === '' ? undefined : await idsIfFew(sql, sql`select d.download_id as id ${found}`)
  const ownQuery = few ? sql`from download d where d.download_id = any(${few}::bigint[])` : found
  const [rows, [counted]] = await Promise.all([
    readPage(sql, { customer_id: customerId, days: rescueDays }, ownQuery, rescueParams),
    few ? [{ n: few.length }] : sql<{ n: number }[]>`select count(*)::int as n ${ownQuery}`,
  ])
  return {
    results: rows.map(({ at, ...row }) => ({ ...row, created_at: at.toISOString(), limit })),
    pagination: { page, perPageLimit: pageLimit, totalCount: counted?.n ?? 0 },
  }
}

/** The from and where clauses: a scan of the index `download_customer`; only a search reads the songs. */
function ownDownloads(sql: Sql, customerId: number, { startDate, endDate, search }: HistoryFilter) {
  const { from, to } = toDateRange(startDate, endDate)
  const patterns = wordsOf(search).map(containsPattern)
  return sql`
    from download d where d.customer_id = ${customerId} and d.refunded_at is null and not d.free
      ${from ? sql`and d.at >= ${from}` : sql``} ${to ? sql`and d.at < ${to}` : sql``}
      ${patterns.length > 0 ? sql`and ${isNamedLike(sql, patterns)}` : sql``}`
}

/** The most versions of a library file: more than a DJ plays, and few enough to lay out in a second. */
const MAX_LIBRARY_VERSIONS = 5_000

/** Returns the versions that a member has downloaded, each once, the last downloaded first. Throws as `downloadHistory`. */
export async function downloadedVersions(sql: Sql, customerId: number, filter: HistoryFilter): Promise<number[]> {
  const rows = await sql<{ song_version_id: number }[]>`
    select d.song_version_id ${ownDownloads(sql, customerId, filter)}
    group by d.song_version_id order by max(d.download_id) desc limit ${MAX_LIBRARY_VERSIONS}`
  return rows.map(({ song_version_id }) => song_version_id)
}

/**
 * A word contains no space, so it cannot match across the end of the title. Checked for each download, not for all
 * songs.
 */
const isNamedLike = (sql: Sql, patterns: string[]) => sql`exists (
  select 1 from song s
  where s.entity_id = d.entity_id and s.title || ' ' || s.artist ilike all(${patterns}::text[]) offset 0)`

const wordsOf = (search: string) => search.split(/\s+/).filter((word) => word !== '')

/** Returns a pattern for texts that contain the word, with `%` and `_` escaped. */
const containsPattern = (word: string) => `%${word.replace(/[\\%_]/g, '\\$&')}%`

/** The page is selected before anything is joined to it, so that a late page only costs steps in the index. */
const readPage = (
  sql: Sql,
  rescueWindow: RescueWindow,
  ownQuery: ReturnType<typeof ownDownloads>,
  { page, pageLimit }: RescueParams,
) => sql<HistoryRow[]>`
  select s.title, s.artist, json_build_object('version_label', v.version_label, 'song_version_id', v.song_version_id) as version,
    ${knownBpm(sql)} as min_bpm, coalesce(v.bpm_to, ${knownBpm(sql)}) as max_bpm, ${knownKey(sql)} as song_key, d.at, s.entity_id, s.song_section_id, coalesce(g.used, 0) as used,
    s.status = 'published' as listed,
    (s.status = 'published' and v.status = 'published' or ${isRescuable(sql, rescueWindow)}) and f.missing_since is null as available,
    coalesce(${isInProgress(sql)} or ${isCorrected(sql)}, false) as can_fetch_free,
    coalesce(${isCorrected(sql)}, false) as is_corrected
  from (
    select d.download_id, d.song_version_id, d.entity_id, d.at ${ownQuery}
    order by d.at desc, d.download_id desc limit ${pageLimit} offset ${(page - 1) * pageLimit}) d
  join song s on s.entity_id = d.entity_id
  join song_version v on v.song_version_id = d.song_version_id
  left join file f on f.file_id = v.file_id
  left join download_grant g on g.customer_id = ${rescueWindow.customer_id} and g.song_version_id = d.song_version_id
  order by d.at desc, d.download_id desc`

/** Selects the downloads of a song since a time, a PostgreSQL timestamp as text. */
export const downloadsSince = (sql: Sql, entityId: number, since: string) =>
  sql`select 1 from download where entity_id = ${entityId} and at >= ${since}::text::timestamptz`
