import type { PendingQuery, Row } from 'postgres'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { isFree } from './grants.ts'

/**
 * The versions in a member’s DJ library as a query of song_version_id: implemented by `own-library`, for the modules
 * before it.
 */
export type LibraryVersions = (sql: Sql, customerId: number) => PendingQuery<Row[]>

/** What a member leaves out of a download. */
export type LeftOut = {
  /** Versions downloaded before, unless they can be downloaded again for free. */
  skip_downloaded: boolean
  /** Versions in their DJ library that were never downloaded here. */
  skip_in_library: boolean
}

export type LeaveOut = (versionIds: number[]) => Promise<number[]>

type Member = { sql: Sql; customer_id: number; libraryVersions: LibraryVersions }

/**
 * Returns a function that removes what a member leaves out from the versions of a download, and keeps their order. It
 * throws `nothing_to_download` if none are left.
 */
export function leaveOutOf(member: Member, { skip_downloaded, skip_in_library }: LeftOut): LeaveOut {
  const { sql, customer_id, libraryVersions } = member
  return async (versionIds) => {
    if (!skip_downloaded && !skip_in_library) return versionIds
    const rows = await sql<{ song_version_id: number }[]>`
      select v.song_version_id from song_version v join song s using (entity_id)
      left join download_grant g on g.customer_id = ${customer_id} and g.song_version_id = v.song_version_id
      where v.song_version_id = any(${versionIds}::bigint[]) and (
        ${skip_downloaded} and g.used > 0 and not ${isFree(sql)}
        or ${skip_in_library} and coalesce(g.used, 0) = 0
          and v.song_version_id in (${libraryVersions(sql, customer_id)}))`
    const leftOut = new Set(rows.map(({ song_version_id }) => song_version_id))
    const others = versionIds.filter((versionId) => !leftOut.has(versionId))
    if (others.length === 0)
      throw new ApiError('nothing_to_download', nothingLeft({ skip_downloaded, skip_in_library }))
    return others
  }
}

function nothingLeft({ skip_downloaded, skip_in_library }: LeftOut): string {
  if (!skip_in_library) return 'You’ve already downloaded all of these files.'
  return skip_downloaded
    ? 'You’ve already downloaded all of these files or have them in your DJ library.'
    : 'All of these files are in your DJ library.'
}
