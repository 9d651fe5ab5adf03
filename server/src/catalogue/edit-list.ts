import { type ParsedInputOf, type ReplyOf, staffSongs } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import type { Values } from './song-values.ts'

const { EDITS_PER_PAGE } = staffSongs

type EditRow = Omit<staffSongs.SongEdit, 'at'> & { at: Date }

/** The columns of listed edits: the staff member, the songs and how much was undone. */
const editColumns = (sql: Sql) => sql`
  select e.song_edit_id, e.at, coalesce(c.dj_name, '') as by, e.kind, e.fields, e.songs,
    (select json_build_object('entity_id', s.entity_id, 'title', s.title, 'artist', s.artist)
      from song_edit_song x join song s using (entity_id) where x.song_edit_id = e.song_edit_id
      order by x.entity_id limit 1) as example,
    case when o.song_edit_id is null then null
      else json_build_object('song_edit_id', o.song_edit_id, 'kind', o.kind) end as undoes,
    (select count(*)::int from song_edit_song x where x.song_edit_id = e.song_edit_id and x.undone) as undone
  from song_edit e left join customer c on c.customer_id = e.staff_id left join song_edit o on o.song_edit_id = e.undoes`

const toEdit = <R extends EditRow>({ at, ...row }: R) => ({ ...row, at: at.toISOString() })

/** One page of the changes by staff, newest first. */
export async function listEdits(
  sql: Sql,
  staffId: number,
  { mine, page }: ParsedInputOf<typeof staffSongs.getEdits>,
): Promise<ReplyOf<typeof staffSongs.getEdits>> {
  const staffFilter = mine ? sql`e.staff_id = ${staffId}` : sql`true`
  const [rows, [counted]] = await Promise.all([
    sql<EditRow[]>`${editColumns(sql)} where e.songs > 0 and ${staffFilter}
      order by e.song_edit_id desc limit ${EDITS_PER_PAGE} offset ${(page - 1) * EDITS_PER_PAGE}`,
    sql<{ n: number }[]>`select count(*)::int as n from song_edit e where e.songs > 0 and ${staffFilter}`,
  ])
  return {
    edits: rows.map(toEdit),
    pagination: { page, perPageLimit: EDITS_PER_PAGE, totalCount: counted?.n ?? 0 },
  }
}

const MAX_EDITS_PER_SONG = 30

/** The changes of one song, newest first, value by value. */
export async function editsOfSong(sql: Sql, entityId: number): Promise<ReplyOf<typeof staffSongs.getSong>['edits']> {
  const rows = await sql<(EditRow & { before: Values; after: Values })[]>`
    select edit.*, x.before, x.after from song_edit_song x join (${editColumns(sql)}) edit using (song_edit_id)
    where x.entity_id = ${entityId} order by x.song_edit_id desc limit ${MAX_EDITS_PER_SONG}`
  const names = await genreNames(sql, rows)
  return rows.map(({ before, after, ...row }) => ({ ...toEdit(row), changes: changesOf(before, after, names) }))
}

async function genreNames(sql: Sql, rows: readonly { before: Values; after: Values }[]): Promise<Map<number, string>> {
  const ids = rows.flatMap(({ before, after }) => [...(before.genres?.[0] ?? []), ...(after.genres?.[0] ?? [])])
  if (ids.length === 0) return new Map()
  const genres = await sql<{ genre_id: number; name: string }[]>`
    select genre_id, name from genre where genre_id = any(${[...new Set(ids)]}::int[])`
  return new Map(genres.map(({ genre_id, name }) => [genre_id, name]))
}

/** The changed values of a song by readable names: `version 12 name`. */
export function toRecord(values: Values): Record<string, string> {
  const fieldLabel = (field: string) => field.replaceAll('.', ' ')
  return Object.fromEntries(
    Object.entries(values).map(([field, value]) => [fieldLabel(field), describeValue(field, value, new Map())]),
  )
}

/**
 * The changed values of a song as text; '' for a side that was empty. A tempo or key that a version has in common with
 * its song is not repeated.
 */
function changesOf(before: Values, after: Values, genres: ReadonlyMap<number, string>) {
  const changeOf = (field: string) => ({
    field: fieldName(field),
    before: describeValue(field, before[field as keyof Values], genres),
    after: describeValue(field, after[field as keyof Values], genres),
  })
  return Object.keys(after).flatMap((field) => {
    const change = changeOf(field)
    const songField = { 'version bpm': 'bpm', 'version key': 'song_key' }[change.field]
    if (!songField || !(songField in after)) return [change]
    const ofSong = changeOf(songField)
    return change.before === ofSong.before && change.after === ofSong.after ? [] : [change]
  })
}

/** `version.12.name` → `version name`. */
const fieldName = (field: string): string => field.replace(/^version\.\d+\./, 'version ')

function describeValue(field: string, value: unknown, genres: ReadonlyMap<number, string>): string {
  if (field === 'genres') {
    const [ids] = value as [number[]]
    return ids.map((id) => genres.get(id) ?? String(id)).join(', ')
  }
  if (field === 'song_section_id') return value === 1 ? 'Songs' : 'Kuts'
  if (field === 'artwork')
    return (value as [number | null])[0] === null ? 'generated cover' : `picture ${(value as [number])[0]}`
  if (field === 'bpm' || field.endsWith('.bpm')) {
    const [min, max] = value as [number | null, number | null]
    return min === null ? '' : max === null || min === max ? String(min) : `${min}–${max}`
  }
  const plain = Array.isArray(value) ? value[0] : value
  if (field.endsWith('.place')) return String(Number(plain) + 1)
  return plain === null || plain === undefined ? '' : String(plain)
}
