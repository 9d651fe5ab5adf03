import { type ParsedInputOf, type ReplyOf, uploadedSongs } from '@dubplate/contract'
import type { Asker } from '../membership/asker.ts'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import { faultsInWords, faultsOf } from './slot-faults.ts'
import { isListed, stateOf } from './song-state.ts'
import { slotsOf } from './version-slots.ts'

export type SongRow = Omit<
  uploadedSongs.SongEntry,
  'corrupt_version' | 'faults' | 'search_version_term' | 'expire_date' | 'created_at'
> & {
  expires_at: Date
  created_at: Date
}

/** The columns of a song `s` as everybody who may see it sees them. */
export const songColumns = (sql: Sql, now: Date) => sql`
  s.upload_song_id as entity_id, s.title, s.artist, s.year, s.song_key, s.min_bpm, s.max_bpm, s.genres, s.song_section_id,
  ${stateOf(sql, now)} as status, s.reason, ${isListed(sql)} as is_listed, s.entity_id as listed_entity_id, s.sources, s.version,
  s.expires_at, s.created_at`

/** A row with what its slots say. */
export function showSong(row: SongRow, slots: readonly uploadedSongs.Slot[]): uploadedSongs.SongEntry {
  const { expires_at, created_at, ...song } = row
  const faults = faultsOf(slots)
  return {
    ...song,
    corrupt_version: faultsInWords(faults),
    faults,
    search_version_term: slots.map(({ name }) => name).join(', '),
    expire_date: expires_at.toISOString(),
    created_at: created_at.toISOString(),
  }
}

export const slotsOfSong = (slots: readonly uploadedSongs.Slot[], entityId: number): uploadedSongs.Slot[] =>
  slots.filter(({ entity_id }) => entity_id === entityId)

type Tools = Pick<World, 'sql' | 'signing' | 'now'>

/** One page of a member's own songs, with how many there are of each state. */
export async function listOwnSongs(
  world: Tools,
  member: Asker,
  wish: ParsedInputOf<typeof uploadedSongs.getUploadedSongs>,
): Promise<ReplyOf<typeof uploadedSongs.getUploadedSongs>> {
  const { sql } = world
  const section = wish.song_sectoin_id || null
  const own = sql`
    select ${songColumns(sql, world.now())} from upload_song s
    where s.customer_id = ${member.customer_id} and s.deleted_at is null
      and (${section}::int is null or s.song_section_id = ${section})`
  const [rows, counted] = await Promise.all([
    sql<SongRow[]>`
      select * from (${own}) own where (${wish.status ?? null}::text is null or status = ${wish.status ?? null})
      order by ${orderOf(sql, wish)} limit ${wish.pageLimit} offset ${(wish.page - 1) * wish.pageLimit}`,
    sql<
      { status: uploadedSongs.SongState; n: number }[]
    >`select status, count(*)::int as n from (${own}) own group by 1`,
  ])
  const slots = await slotsOf(
    world,
    member,
    rows.map(({ entity_id }) => entity_id),
  )
  const counts = countsOf(counted)
  const totalCount = wish.status ? (counts[wish.status] ?? 0) : Object.values(counts).reduce((sum, n) => sum + n, 0)
  return {
    data: rows.map((row) => showSong(row, slotsOfSong(slots, row.entity_id))),
    counts,
    pagination: { page: wish.page, perPageLimit: wish.pageLimit, totalCount },
  }
}

/** How many of each state, also of those that none is in. */
export const countsOf = (counted: readonly { status: uploadedSongs.SongState; n: number }[]): Record<string, number> =>
  Object.fromEntries(
    uploadedSongs.SONG_STATES.map((state) => [state, counted.find(({ status }) => status === state)?.n ?? 0]),
  )

function orderOf(sql: Sql, { order, orderDir }: ParsedInputOf<typeof uploadedSongs.getUploadedSongs>) {
  const way = orderDir === 'ASC' ? sql`asc` : sql`desc`
  const by = {
    entity_id: sql`entity_id`,
    title: sql`lower(title)`,
    artist: sql`lower(artist)`,
    expire_date: sql`expires_at`,
  }[order]
  return sql`${by} ${way}, entity_id ${way}`
}

export const noSuchSong = () => new Refusal('unknown_song', 'Song not found. It may have been deleted.')

/** One's own song as it was last saved. Refuses `unknown_song`, also for somebody else's. */
export async function readOwnSong(world: Tools, member: Asker, entityId: number): Promise<uploadedSongs.SongEntry> {
  const [row] = await world.sql<SongRow[]>`
    select ${songColumns(world.sql, world.now())} from upload_song s
    where s.upload_song_id = ${entityId} and s.customer_id = ${member.customer_id} and s.deleted_at is null`
  if (!row) throw noSuchSong()
  return showSong(row, await slotsOf(world, member, [entityId]))
}

/** The slots of one's own song. Refuses `unknown_song`. */
export async function readOwnSlots(world: Tools, member: Asker, entityId: number): Promise<uploadedSongs.Slot[]> {
  await readOwnSong(world, member, entityId)
  return slotsOf(world, member, [entityId])
}
