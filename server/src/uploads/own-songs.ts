import { type ParsedInputOf, type ReplyOf, uploadedSongs } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import type { Caller } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { checkLengths, formatFaults } from './length-checks.ts'
import { listedCondition, stateOf } from './song-state.ts'
import { listSlots } from './version-slots.ts'

export type SongRow = Omit<
  uploadedSongs.SongEntry,
  'corrupt_version' | 'faults' | 'search_version_term' | 'expire_date' | 'created_at'
> & {
  expires_at: Date
  created_at: Date
}

/** The columns of a song `s`, for everyone who may see it. */
export const songColumns = (sql: Sql, now: Date) => sql`
  s.upload_song_id as entity_id, s.title, s.artist, s.year, s.song_key, s.min_bpm, s.max_bpm, s.genres, s.song_section_id,
  ${stateOf(sql, now)} as status, s.reason, ${listedCondition(sql)} as is_listed, s.entity_id as listed_entity_id, s.sources, s.version,
  s.expires_at, s.created_at`

/** Combines a row with its slots. */
export function toSongEntry(row: SongRow, slots: readonly uploadedSongs.Slot[]): uploadedSongs.SongEntry {
  const { expires_at, created_at, ...song } = row
  const faults = checkLengths(slots)
  return {
    ...song,
    corrupt_version: formatFaults(faults),
    faults,
    search_version_term: slots.map(({ name }) => name).join(', '),
    expire_date: expires_at.toISOString(),
    created_at: created_at.toISOString(),
  }
}

export const filterSlots = (slots: readonly uploadedSongs.Slot[], entityId: number): uploadedSongs.Slot[] =>
  slots.filter(({ entity_id }) => entity_id === entityId)

type UploadContext = Pick<AppContext, 'sql' | 'signing' | 'now'>

/** Returns one page of a member's own songs, with the number in each state. */
export async function listOwnSongs(
  ctx: UploadContext,
  member: Caller,
  filters: ParsedInputOf<typeof uploadedSongs.getUploadedSongs>,
): Promise<ReplyOf<typeof uploadedSongs.getUploadedSongs>> {
  const { sql } = ctx
  const section = filters.song_sectoin_id || null
  const ownSongs = sql`
    select ${songColumns(sql, ctx.now())} from upload_song s
    where s.customer_id = ${member.customer_id} and s.deleted_at is null
      and (${section}::int is null or s.song_section_id = ${section})`
  const [rows, counted] = await Promise.all([
    sql<SongRow[]>`
      select * from (${ownSongs}) own where (${filters.status ?? null}::text is null or status = ${filters.status ?? null})
      order by ${orderClause(sql, filters)} limit ${filters.pageLimit} offset ${(filters.page - 1) * filters.pageLimit}`,
    sql<
      { status: uploadedSongs.SongState; n: number }[]
    >`select status, count(*)::int as n from (${ownSongs}) own group by 1`,
  ])
  const slots = await listSlots(
    ctx,
    member,
    rows.map(({ entity_id }) => entity_id),
  )
  const counts = countsOf(counted)
  const totalCount = filters.status
    ? (counts[filters.status] ?? 0)
    : Object.values(counts).reduce((sum, n) => sum + n, 0)
  return {
    data: rows.map((row) => toSongEntry(row, filterSlots(slots, row.entity_id))),
    counts,
    pagination: { page: filters.page, perPageLimit: filters.pageLimit, totalCount },
  }
}

/** Returns the number in each state, including states without songs. */
export const countsOf = (counted: readonly { status: uploadedSongs.SongState; n: number }[]): Record<string, number> =>
  Object.fromEntries(
    uploadedSongs.SONG_STATES.map((state) => [state, counted.find(({ status }) => status === state)?.n ?? 0]),
  )

function orderClause(sql: Sql, { order, orderDir }: ParsedInputOf<typeof uploadedSongs.getUploadedSongs>) {
  const direction = orderDir === 'ASC' ? sql`asc` : sql`desc`
  const columns = {
    entity_id: sql`entity_id`,
    title: sql`lower(title)`,
    artist: sql`lower(artist)`,
    expire_date: sql`expires_at`,
  }[order]
  return sql`${columns} ${direction}, entity_id ${direction}`
}

export const unknownSongError = () => new ApiError('unknown_song', 'Song not found. It may have been deleted.')

/** Returns the member's own song as last saved. Throws `unknown_song`, also for someone else's. */
export async function getOwnSong(
  ctx: UploadContext,
  member: Caller,
  entityId: number,
): Promise<uploadedSongs.SongEntry> {
  const [row] = await ctx.sql<SongRow[]>`
    select ${songColumns(ctx.sql, ctx.now())} from upload_song s
    where s.upload_song_id = ${entityId} and s.customer_id = ${member.customer_id} and s.deleted_at is null`
  if (!row) throw unknownSongError()
  return toSongEntry(row, await listSlots(ctx, member, [entityId]))
}

/** Returns the slots of the member's own song. Throws `unknown_song`. */
export async function listOwnSlots(
  ctx: UploadContext,
  member: Caller,
  entityId: number,
): Promise<uploadedSongs.Slot[]> {
  await getOwnSong(ctx, member, entityId)
  return listSlots(ctx, member, [entityId])
}
