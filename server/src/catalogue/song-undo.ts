import type { PendingQuery, Row } from 'postgres'
import { ApiError } from '../platform/api-error.ts'
import type { Pool, Sql } from '../platform/db.ts'
import { spreadToVersions, withDerived } from './derived-values.ts'
import { readGenreTree, rejectUnknownGenres } from './genre-change.ts'
import { type EditKind, type EditOutcome, editSongs, type SongEditRequest } from './song-edits.ts'
import { isSame, type LockedSong, type Values } from './song-values.ts'

type PastEdit = {
  entity_id: number
  before: Values
  after: Values
  tags_changed_before: string | null
  tags_changed_after: string | null
}

/** Selects the downloads of a song since a time, a PostgreSQL timestamp as text. */
export type DownloadsSince = (sql: Sql, entityId: number, since: string) => PendingQuery<Row[]>

type EditHead = { song_edit_id: number; kind: EditKind; undoes: number | null; is_before_version_tempo: boolean }

/**
 * Restores exactly what an edit changed, for every song that still has the values it set; the others are returned with
 * what was changed since. Undoing is an edit itself, and can be undone. Throws `unknown_edit` or `already_undone`.
 */
export async function undoEdit(
  pool: Pool,
  songEditId: number,
  { staff_id, onSongChanged: also }: Pick<SongEditRequest, 'staff_id' | 'onSongChanged'>,
  downloadsSince: DownloadsSince,
): Promise<EditOutcome> {
  const edit = await readEdit(pool, songEditId)
  const pastEdits = await pool<PastEdit[]>`
    select entity_id, before, after, tags_changed_before::text, tags_changed_after::text
    from song_edit_song where song_edit_id = ${songEditId} and not undone`
  if (pastEdits.length === 0) throw new ApiError('already_undone', 'This edit has already been undone.')
  const byId = new Map(pastEdits.map((one) => [one.entity_id, one]))
  const pastEditOf = (song: Pick<LockedSong, 'entity_id'>): PastEdit => byId.get(song.entity_id) as PastEdit
  return editSongs(pool, {
    ...{ kind: 'undone', staff_id, undoes: songEditId, songs: pastEdits },
    wanted: async (sql, song) => {
      const { before, after } = pastEditOf(song)
      rejectChanged(song, after)
      if (before.genres) rejectUnknownGenres(await readGenreTree(sql), before.genres[0])
      return restoredTempo(song, before, edit)
    },
    onSongChanged: async (sql, changed, song) => {
      await markUndone(sql, edit, changed.entity_id)
      await restoreTagMark(sql, pastEditOf(changed), song, downloadsSince)
      await also?.(sql, changed, song)
    },
  })
}

async function readEdit(sql: Sql, songEditId: number): Promise<EditHead> {
  const [edit] = await sql<EditHead[]>`
    select song_edit_id, kind, undoes,
      exists (select from migration where name = '0046-version-tempo.sql' and applied_at > song_edit.at) as is_before_version_tempo
    from song_edit where song_edit_id = ${songEditId}`
  if (!edit) throw new ApiError('unknown_edit', 'Edit not found.')
  return edit
}

/**
 * The values to restore. An edit from before versions had a tempo and key of their own names only those of the song.
 * Undoing a re-analysis is a decision of staff: the measurement itself is new.
 */
function restoredTempo(song: LockedSong, before: Values, { kind, is_before_version_tempo }: EditHead): Values {
  const wanted = is_before_version_tempo ? spreadToVersions(song, before) : before
  if (kind !== 'analysed') return wanted
  const derived = withDerived(song, wanted)
  return Object.fromEntries(
    Object.entries(wanted).map(([field, value]) => {
      const isMeasured = /^version\.\d+\.(?:bpm|key)$/.test(field) && !isSame(value, derived[field as keyof Values])
      return [field, isMeasured ? [...(value as unknown[]).slice(0, -1), 'staff'] : value]
    }),
  ) as Values
}

function rejectChanged(song: LockedSong, after: Values): void {
  const since = Object.entries(after)
    .filter(([field, value]) => !isSame(value, song.values[field as keyof Values]))
    .map(([field]) => nameOf(field))
  if (since.length === 0) return
  throw new ApiError('conflict', `Changed since then: ${[...new Set(since)].join(', ')}.`)
}

const FIELD_NAMES: Record<string, string> = {
  isrc: 'ISRC',
  bpm: 'BPM',
  song_key: 'key',
  song_section_id: 'section',
  artwork: 'cover',
  status: 'publication status',
}

const nameOf = (field: string): string => (field.startsWith('version.') ? 'versions' : (FIELD_NAMES[field] ?? field))

/** When an edit that undid another one is undone itself, that other one is in effect again. */
async function markUndone(sql: Sql, edit: EditHead, entityId: number): Promise<void> {
  let undone = true
  for (let each: EditHead | undefined = edit; each; undone = !undone) {
    await sql`
      update song_edit_song set undone = ${undone}
      where song_edit_id = ${each.song_edit_id} and entity_id = ${entityId}`
    each = each.undoes === null ? undefined : await readEdit(sql, each.undoes)
  }
}

/** If nobody downloaded the song in between, nobody has wrong tags: they count as before. */
async function restoreTagMark(
  sql: Sql,
  pastEdits: PastEdit,
  { tags_changed_at }: LockedSong,
  downloadsSince: DownloadsSince,
): Promise<void> {
  if (pastEdits.tags_changed_after === null || pastEdits.tags_changed_after !== tags_changed_at) return
  await sql`
    update song set tags_changed_at = ${pastEdits.tags_changed_before}::text::timestamptz
    where entity_id = ${pastEdits.entity_id} and ${pastEdits.tags_changed_after}::text::timestamptz > now() - interval '1 hour'
      and not exists (${downloadsSince(sql, pastEdits.entity_id, pastEdits.tags_changed_after)})`
}
