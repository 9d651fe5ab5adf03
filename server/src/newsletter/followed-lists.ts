import { catalogue, newsletter, type ParsedInputOf } from '@dubplate/contract'
import type { PendingQuery, Row } from 'postgres'
import type { AppContext } from '../app-context.ts'
import { currentGenre } from '../catalogue/genres.ts'
import { chartTitle, getCollection } from '../collections/collections.ts'
import { isVisible } from '../curation/visibility.ts'
import { findPlaylist } from '../library/playlists.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { tooManyFollowedError } from './followed-names.ts'

const { FOLLOW_LIMIT } = newsletter
const { ALL_SECTIONS, SECTIONS } = catalogue

/** Also within a transaction. */
export type ListContext = { sql: Sql; settings: AppContext['settings'] }
type Reference = ParsedInputOf<typeof newsletter.openFollowedList>

/** Identifies a followed list, as stored: the top 20 and charts of all genres have the id 0. */
export type ListKey = {
  kind: newsletter.FollowedList['kind']
  list_id: number
  chart: '' | Reference['chart_type']
  song_section_id: number
}

const toKey = ({ kind, id, chart_type, song_section_id }: Reference): ListKey => ({
  kind,
  list_id: kind === 'top20' ? 0 : id,
  chart: kind === 'chart' ? chart_type : '',
  song_section_id: kind === 'chart' ? song_section_id : 0,
})

const isKey = (sql: Sql, { kind, list_id, chart, song_section_id }: ListKey) => sql`
  kind = ${kind} and list_id = ${list_id} and chart = ${chart} and song_section_id = ${song_section_id}`

export type ListNews = ListKey & {
  /** The list to link to: of the top 20, the newest. */
  id: number
  /** Of a chart, the name of its genre, if it is limited to one. */
  title: string | null
  new_count: number
  /** The new songs; of the top 20, the songs of the new ones. */
  song_ids: number[]
}

/**
 * Returns those of the lists that members can see now, with the songs added to them in a period.
 * @param lists a query of ListKey with the period: `since` (inclusive) and `until`
 */
export async function readListNews({ sql, settings }: ListContext, lists: PendingQuery<Row[]>): Promise<ListNews[]> {
  const isShown = (part: 'spotlights' | 'top20' | 'charts' | 'kuts' | 'moods') => !settings.hidden.has(part)
  const isNew = (at: PendingQuery<Row[]>) => sql`${at} >= f.since and ${at} < f.until`
  const counted = sql`count(*)::int as new_count, coalesce(array_agg(entity_id), '{}') as song_ids`
  return sql<ListNews[]>`
    with f as materialized (${lists}),
    shown_top20 as (
      select top20_track_id, title, published_at from top20 where ${isVisible(sql)} and ${isShown('top20')})
    select f.kind, f.list_id, f.chart, f.song_section_id, list.* from f cross join lateral (
      select p.playlist_id as id, p.title, added.* from playlist p, lateral (
        select ${counted} from playlist_song c join song s using (entity_id)
        where c.playlist_id = p.playlist_id and s.status = 'published' and ${isNew(sql`c.added_at`)}) added
      where f.kind = 'playlist' and p.playlist_id = f.list_id and p.public and p.deleted_at is null
      union all
      select l.curated_list_id, l.title, added.* from curated_list l, lateral (
        select ${counted} from curated_list_song c join song s using (entity_id)
        where c.curated_list_id = l.curated_list_id and s.status = 'published' and ${isNew(sql`c.added_at`)}) added
      where f.kind = 'spotlight' and l.curated_list_id = f.list_id and ${isVisible(sql)} and ${isShown('spotlights')}
      union all
      select newest.top20_track_id, newest.title,
        (select count(*)::int from shown_top20 t where ${isNew(sql`t.published_at`)}),
        array(select entity_id from shown_top20 t join top20_song using (top20_track_id) join song s using (entity_id)
          where ${isNew(sql`t.published_at`)} and s.status = 'published')
      from (select * from shown_top20 order by published_at desc, top20_track_id desc limit 1) newest
      where f.kind = 'top20'
      union all
      select f.list_id, g.name, added.* from (select 1) one left join genre g on g.genre_id = f.list_id, lateral (
        select ${counted} from chart_snapshot c join song s using (entity_id)
        where c.chart = f.chart and c.genre_id = f.list_id and c.song_section_id = f.song_section_id
          and s.status = 'published' and ${isNew(sql`c.entered_at`)}) added
      where f.kind = 'chart' and ${isShown('charts')} and (f.list_id = 0 or g.genre_id is not null)
        and (${isShown('kuts')} or f.song_section_id <> ${SECTIONS.kuts})
        and (${isShown('moods')} or g.kind is distinct from 'mood')) list
    order by f.kind, lower(list.title) nulls first, f.list_id, f.chart, f.song_section_id`
}

/** “Friday finds”, “Monthly top 20”, “Weekly chart, House”. */
export function listName({ kind, title, chart, song_section_id }: ListNews): string {
  if (kind === 'top20') return 'Monthly top 20'
  if (kind !== 'chart' || !chart) return title ?? ''
  const name = chartTitle(chart, title ?? undefined)
  if (song_section_id === SECTIONS.kuts) return `${name} (kuts)`
  return song_section_id === ALL_SECTIONS ? `${name} (songs and kuts)` : name
}

/** Returns the lists a member follows and can see, with the number of songs added since they last opened each. */
export async function listFollowedLists(ctx: ListContext, customerId: number): Promise<newsletter.FollowedList[]> {
  const lists = await readListNews(
    ctx,
    ctx.sql`
      select kind, list_id, chart, song_section_id, opened_at as since, 'infinity'::timestamptz as until
      from followed_list where customer_id = ${customerId}`,
  )
  return lists.map((list) => ({
    kind: list.kind,
    id: list.id,
    chart_type: list.chart || 'daily',
    song_section_id: list.kind === 'chart' ? list.song_section_id : SECTIONS.songs,
    name: listName(list),
    new_count: list.new_count,
  }))
}

/**
 * Follows or unfollows a list, and returns all that the member follows. Throws `unknown_playlist`, `unknown_list`,
 * `unknown_genre`, `section_disabled`, `forbidden` for the member's own playlist, and `too_many_followed`; a list that has
 * been unpublished since can still be unfollowed.
 */
export async function followList(
  ctx: Pick<AppContext, 'sql' | 'settings'>,
  customerId: number,
  { follow, ...reference }: Reference & { follow: boolean },
): Promise<newsletter.FollowedList[]> {
  const { sql } = ctx
  const id = reference.kind === 'chart' ? await currentGenre(sql, reference.id) : reference.id
  const key = toKey({ ...reference, id })
  if (follow) {
    await requireFollowable(ctx, customerId, reference)
    const [saved] = await sql`
      insert into followed_list (customer_id, kind, list_id, chart, song_section_id)
      select ${customerId}, ${key.kind}, ${key.list_id}, ${key.chart}, ${key.song_section_id}
      where (select count(*) from followed_list where customer_id = ${customerId} and not (${isKey(sql, key)})) < ${FOLLOW_LIMIT}
      on conflict (customer_id, kind, list_id, chart, song_section_id)
        do update set followed_at = followed_list.followed_at returning 1`
    if (!saved) throw tooManyFollowedError('lists')
  } else {
    await sql`delete from followed_list where customer_id = ${customerId} and ${isKey(sql, key)}`
  }
  return listFollowedLists(ctx, customerId)
}

async function requireFollowable(
  ctx: Pick<AppContext, 'sql' | 'settings'>,
  customerId: number,
  { kind, id, ...chart }: Reference,
) {
  if (kind !== 'playlist')
    return void (await getCollection(ctx, { type: kind, id: id || undefined, name: '', ...chart }))
  const { mine } = await findPlaylist(ctx.sql, customerId, id)
  if (mine) throw new ApiError('forbidden', 'This is your own playlist. You can follow playlists of others.')
}

/** What is in the list now no longer counts as new. Opening an older top 20 leaves those published after it new. */
export async function markListOpened(sql: Sql, customerId: number, reference: Reference): Promise<void> {
  const opened =
    reference.kind === 'top20'
      ? sql`(select published_at + interval '1 microsecond' from top20 where top20_track_id = ${reference.id} and ${isVisible(sql)})`
      : sql`now()`
  await sql`
    update followed_list set opened_at = greatest(opened_at, ${opened})
    where customer_id = ${customerId} and ${isKey(sql, toKey(reference))}`
}

/** Deletes what members followed that has been deleted since. An unpublished list may be published again. */
export async function sweepFollowedLists(sql: Sql): Promise<void> {
  await sql`
    delete from followed_list f where
      (kind = 'playlist' and not exists (select 1 from playlist where playlist_id = f.list_id))
      or (kind = 'spotlight' and not exists (select 1 from curated_list where curated_list_id = f.list_id))
      or (kind = 'chart' and list_id > 0 and not exists (select 1 from genre where genre_id = f.list_id))`
}
