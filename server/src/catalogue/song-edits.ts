import type { staffSongs } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'
import type { Pool, Sql } from '../platform/db.ts'
import { withDeadlockRetry } from '../platform/deadlock-retry.ts'
import { changesTempo, withDerived } from './derived-values.ts'
import { rebuildAnchors } from './lists.ts'
import { changedOf, type LockedSong, lockSong, readValues, type Values } from './song-values.ts'
import { rejectImpossible } from './value-checks.ts'
import { writeValues } from './written-values.ts'

export type EditKind = (typeof staffSongs.EDIT_KINDS)[number]

/** One song of an edit: the values it changed, before and after. */
type ChangedSong = { entity_id: number; title: string; before: Values; after: Values }

export type SongEditRequest = {
  kind: EditKind
  /** Null for a change that no staff member requested. */
  staff_id: number | null
  /** The edit that this one undoes. */
  undoes?: number
  songs: readonly { entity_id: number; revision?: number | undefined }[]
  /** The values that a song should have, which may include current ones. Throws if they are impossible. */
  wanted(sql: Sql, song: LockedSong): Values | Promise<Values>
  /** Anything else to do in the transaction that changes a song. */
  onSongChanged?(sql: Sql, changed: ChangedSong & { song_edit_id: number }, song: LockedSong): Promise<void>
  /** Returns only the outcome, without changing anything. */
  preview?: boolean
}

export type EditOutcome = {
  song_edit_id: number | null
  changed: number[]
  same: number
  left: { entity_id: number; title: string; apiError: ApiError }[]
}

/** Songs per transaction: others wait for the songs it has locked. */
const BATCH_SIZE = 20
/** When at least this many songs were listed or unlisted, the anchors of far pages are rebuilt at once. */
const MIN_RELISTED_FOR_REBUILD = 24

/** A unique constraint detected two simultaneous changes. */
const isConflict = (error: unknown): boolean => (error as { code?: string }).code === '23505'

/**
 * Changes songs independently: one that cannot be changed does not prevent the others, and is returned with the reason.
 * The changes are stored for undoing them. Throws errors that are not caused by a song.
 */
export async function editSongs(pool: Pool, edit: SongEditRequest): Promise<EditOutcome> {
  const songs = [...edit.songs].sort((a, b) => a.entity_id - b.entity_id)
  const outcome: EditOutcome = { song_edit_id: null, changed: [], same: 0, left: [] }
  let relistedCount = 0
  for (let at = 0; at < songs.length; at += BATCH_SIZE)
    relistedCount += await editBatch(pool, { ...edit, songs: songs.slice(at, at + BATCH_SIZE) }, outcome)
  if (relistedCount >= MIN_RELISTED_FOR_REBUILD && !edit.preview) await rebuildAnchors(pool)
  return outcome
}

/** Returns how many songs were listed or unlisted. */
async function editBatch(pool: Pool, edit: SongEditRequest, outcome: EditOutcome): Promise<number> {
  try {
    const batchOutcome = await withDeadlockRetry(pool, (sql) => editTogether(sql, edit, outcome.song_edit_id))
    outcome.song_edit_id = batchOutcome.song_edit_id
    outcome.changed.push(...batchOutcome.changed)
    outcome.same += batchOutcome.same
    outcome.left.push(...batchOutcome.left)
    return batchOutcome.moved
  } catch (error) {
    const [song] = edit.songs
    if (!isConflict(error) || !song) throw error
    if (edit.songs.length > 1) {
      let relistedCount = 0
      for (const one of edit.songs) relistedCount += await editBatch(pool, { ...edit, songs: [one] }, outcome)
      return relistedCount
    }
    const apiError = new ApiError('conflict', 'Someone else made a change at the same time. Try again.')
    outcome.left.push({ entity_id: song.entity_id, title: '', apiError })
    return 0
  }
}

async function editTogether(sql: Sql, edit: SongEditRequest, begun: number | null) {
  const batchOutcome: EditOutcome & { moved: number } = {
    song_edit_id: begun,
    changed: [],
    same: 0,
    left: [],
    moved: 0,
  }
  const fields = new Set<string>()
  for (const params of edit.songs) {
    let song: LockedSong | undefined
    try {
      song = await (edit.preview ? readValues : lockSong)(sql, params.entity_id)
      rejectStale(song, params.revision)
      const wanted = await edit.wanted(sql, song)
      const after = changedOf(song, changesTempo(wanted) ? withDerived(song, wanted) : wanted)
      if (Object.keys(after).length === 0) {
        batchOutcome.same += 1
        continue
      }
      await rejectImpossible(sql, song, after)
      batchOutcome.changed.push(song.entity_id)
      if (edit.preview) continue
      batchOutcome.song_edit_id ??= await beginEdit(sql, edit)
      await editSong(sql, edit, { song_edit_id: batchOutcome.song_edit_id, song, after })
      for (const field of Object.keys(after)) fields.add(field.split('.')[0] ?? field)
      if (after.status || after.genres || after.song_section_id) batchOutcome.moved += 1
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      batchOutcome.left.push({ entity_id: params.entity_id, title: song?.title ?? '', apiError: error })
    }
  }
  if (batchOutcome.song_edit_id !== null && fields.size > 0)
    await countIn(sql, batchOutcome.song_edit_id, batchOutcome.changed.length, fields)
  return batchOutcome
}

/** Adds further songs and fields to the record of an edit. */
async function countIn(sql: Sql, songEditId: number, songs: number, fields: ReadonlySet<string>): Promise<void> {
  await sql`
    update song_edit set songs = songs + ${songs},
      fields = array(select distinct field from unnest(fields || ${[...fields]}::text[]) field order by field)
    where song_edit_id = ${songEditId}`
}

function rejectStale(song: LockedSong, read: number | undefined): void {
  if (read === undefined || read === song.revision) return
  throw new ApiError('conflict', 'Someone else changed this song. Reload to see the changes.')
}

async function beginEdit(sql: Sql, { kind, staff_id, undoes }: SongEditRequest): Promise<number> {
  const [begun] = await sql<{ song_edit_id: number }[]>`
    insert into song_edit (staff_id, kind, undoes) values (${staff_id}, ${kind}, ${undoes ?? null}) returning song_edit_id`
  if (!begun) throw new Error('Edit insert returned no id')
  return begun.song_edit_id
}

async function editSong(
  sql: Sql,
  edit: SongEditRequest,
  { song_edit_id, song, after }: { song_edit_id: number; song: LockedSong; after: Values },
): Promise<void> {
  const fields = Object.keys(after)
  const before = Object.fromEntries(fields.map((field) => [field, song.values[field as keyof Values]])) as Values
  const { tagsChanged } = await writeValues(sql, song, after)
  await sql`
    insert into song_edit_song (song_edit_id, entity_id, before, after, tags_changed_before, tags_changed_after)
    values (${song_edit_id}, ${song.entity_id}, ${sql.json(before as never)}, ${sql.json(after as never)},
      ${tagsChanged ? song.tags_changed_at : null}::text::timestamptz, ${tagsChanged ? sql`now()` : null})`
  await edit.onSongChanged?.(sql, { entity_id: song.entity_id, title: song.title, before, after, song_edit_id }, song)
}

/** Throws the error if the single song of an edit could not be changed. */
export function singleOutcome(outcome: EditOutcome): EditOutcome {
  const [left] = outcome.left
  if (left) throw left.apiError
  return outcome
}
