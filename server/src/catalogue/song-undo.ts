import type { Pool, Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { readGenreTree, refuseUnknownGenres } from './genre-change.ts'
import { type Edit, type EditKind, type EditOutcome, editSongs } from './song-edits.ts'
import { type HeldSong, isSame, type Values } from './song-values.ts'

type Past = {
  entity_id: number
  before: Values
  after: Values
  tags_changed_before: string | null
  tags_changed_after: string | null
}

export type EditHead = { song_edit_id: number; kind: EditKind; undoes: number | null }

/**
 * Puts back what an edit changed, exactly, of every song where the values it set still stand; the others are answered with
 * what was changed since. Taking back is an edit itself, and can be taken back. Refuses `unknown_edit`, `already_undone`.
 */
export async function undoEdit(
  pool: Pool,
  songEditId: number,
  { staff_id, also }: Pick<Edit, 'staff_id' | 'also'>,
): Promise<EditOutcome> {
  const edit = await readEdit(pool, songEditId)
  const past = await pool<Past[]>`
    select entity_id, before, after, tags_changed_before::text, tags_changed_after::text
    from song_edit_song where song_edit_id = ${songEditId} and not undone`
  if (past.length === 0) throw new Refusal('already_undone', 'This edit has already been undone.')
  const byId = new Map(past.map((one) => [one.entity_id, one]))
  const pastOf = (song: Pick<HeldSong, 'entity_id'>): Past => byId.get(song.entity_id) as Past
  return editSongs(pool, {
    ...{ kind: 'undone', staff_id, undoes: songEditId, songs: past },
    wanted: async (sql, song) => {
      const { before, after } = pastOf(song)
      refuseChanged(song, after)
      if (before.genres) refuseUnknownGenres(await readGenreTree(sql), before.genres[0])
      return before
    },
    also: async (sql, changed, song) => {
      await markUndone(sql, edit, changed.entity_id)
      await takeTagMarkBack(sql, pastOf(changed), song)
      await also?.(sql, changed, song)
    },
  })
}

async function readEdit(sql: Sql, songEditId: number): Promise<EditHead> {
  const [edit] = await sql<EditHead[]>`
    select song_edit_id, kind, undoes from song_edit where song_edit_id = ${songEditId}`
  if (!edit) throw new Refusal('unknown_edit', 'Edit not found.')
  return edit
}

function refuseChanged(song: HeldSong, after: Values): void {
  const since = Object.entries(after)
    .filter(([field, value]) => !isSame(value, song.values[field as keyof Values]))
    .map(([field]) => nameOf(field))
  if (since.length === 0) return
  throw new Refusal('conflict', `Changed since then: ${[...new Set(since)].join(', ')}.`)
}

const NAMES: Record<string, string> = {
  isrc: 'ISRC',
  bpm: 'BPM',
  song_key: 'key',
  song_section_id: 'section',
  artwork: 'cover',
  status: 'publication status',
}

const nameOf = (field: string): string => (field.startsWith('version.') ? 'versions' : (NAMES[field] ?? field))

/** What took another edit back and is taken back itself leaves that other one standing again. */
async function markUndone(sql: Sql, edit: EditHead, entityId: number): Promise<void> {
  let undone = true
  for (let each: EditHead | undefined = edit; each; undone = !undone) {
    await sql`
      update song_edit_song set undone = ${undone}
      where song_edit_id = ${each.song_edit_id} and entity_id = ${entityId}`
    each = each.undoes === null ? undefined : await readEdit(sql, each.undoes)
  }
}

/** Where nobody fetched the song in between, nobody has wrong tags: they count as they did before. */
async function takeTagMarkBack(sql: Sql, past: Past, { tags_changed_at }: HeldSong): Promise<void> {
  if (past.tags_changed_after === null || past.tags_changed_after !== tags_changed_at) return
  await sql`
    update song set tags_changed_at = ${past.tags_changed_before}::text::timestamptz
    where entity_id = ${past.entity_id} and ${past.tags_changed_after}::text::timestamptz > now() - interval '1 hour'
      and not exists (
        select 1 from download where entity_id = ${past.entity_id} and at >= ${past.tags_changed_after}::text::timestamptz)`
}
