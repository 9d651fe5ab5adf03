import { type ParsedInputOf, type ReplyOf, review, type uploadedSongs } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import type { Caller } from '../membership/caller.ts'
import { ApiError, throwAllErrors, throwCombined } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parse-input.ts'
import { findDifferences } from './differences.ts'
import { countsOf, filterSlots, type SongRow, songColumns, toSongEntry, unknownSongError } from './own-songs.ts'
import { recordReview } from './publishing.ts'
import {
  findSong,
  lockSong,
  rejectStale,
  rejectUnknownGenres,
  republish,
  resolveExpiry,
  submit,
  toValues,
  updateValues,
} from './song-saving.ts'
import { stateOf } from './song-state.ts'
import { resolveSources } from './value-sources.ts'
import { listSlots, nameSlots, rejectStart, startSeconds } from './version-slots.ts'

const PAGE_SIZE = 24

type UploadContext = Pick<AppContext, 'sql' | 'signing' | 'now' | 'settings'>

/** Counts songs in review. */
export async function countInReview(sql: Sql, now: Date): Promise<number> {
  const [counted] = await sql<{ n: number }[]>`
    select count(*)::int as n from upload_song s
    where s.review = 'open' and s.deleted_at is null and ${stateOf(sql, now)} = 'in_review'`
  return counted?.n ?? 0
}

type ReviewRow = SongRow & { customer_id: number; dj_name: string; submitted_at: Date | null }

const reviewColumns = (sql: Sql, now: Date) => sql`
  ${songColumns(sql, now)}, s.customer_id, c.dj_name, s.submitted_at`

const toReviewedSong = (row: ReviewRow, slots: readonly uploadedSongs.Slot[]) => {
  const { customer_id, dj_name, submitted_at, ...song } = row
  return {
    ...toSongEntry(song, slots),
    uploader: { customer_id, dj_name },
    submitted_at: submitted_at?.toISOString() ?? null,
    is_edit: row.listed_entity_id !== null,
  }
}

const REVIEW_STATES: Record<uploadedSongs.SongState, 'open' | 'published' | 'declined'> = {
  draft: 'open',
  analysing: 'open',
  in_review: 'open',
  published: 'published',
  expired: 'published',
  declined: 'declined',
}

/** Returns one page of members' songs in a state, and the number in each state. */
export async function listUploads(
  ctx: UploadContext,
  staff: Caller,
  slotInput: ParsedInputOf<typeof review.getUploads>,
): Promise<ReplyOf<typeof review.getUploads>> {
  const { sql } = ctx
  const pattern = `%${slotInput.search.replace(/[\\%_]/g, '\\$&')}%`
  const reviewRows = (reviewCondition: ReturnType<typeof sql>) => sql`
    select ${reviewColumns(sql, ctx.now())} from upload_song s join customer c using (customer_id)
    where s.deleted_at is null and ${reviewCondition}
      and (${slotInput.search} = '' or s.title ilike ${pattern} or s.artist ilike ${pattern} or c.dj_name ilike ${pattern})`
  const order = slotInput.status === 'in_review' ? sql`submitted_at, entity_id` : sql`entity_id desc`
  const count = (reviewCondition: ReturnType<typeof sql>) => sql`
    select status, count(*)::int as n from (${reviewRows(reviewCondition)}) every group by 1`
  const [rows, counted] = await Promise.all([
    sql<ReviewRow[]>`
      select * from (${reviewRows(sql`s.review = ${REVIEW_STATES[slotInput.status]}`)}) every where status = ${slotInput.status}
      order by ${order} limit ${PAGE_SIZE} offset ${(slotInput.page - 1) * PAGE_SIZE}`,
    // A separate query, because only the few open songs need their files to determine the state.
    sql<{ status: uploadedSongs.SongState; n: number }[]>`
      ${count(sql`s.review = 'open'`)} union all ${count(sql`s.review <> 'open'`)}`,
  ])
  const slots = await listSlots(
    ctx,
    staff,
    rows.map(({ entity_id }) => entity_id),
  )
  const counts = countsOf(counted)
  return {
    songs: rows.map((row) => toReviewedSong(row, filterSlots(slots, row.entity_id))),
    counts,
    pagination: { page: slotInput.page, perPageLimit: PAGE_SIZE, totalCount: counts[slotInput.status] ?? 0 },
  }
}

/** Returns one member's song with all details. Throws `unknown_song`. */
export async function getUpload(ctx: UploadContext, staff: Caller, entityId: number): Promise<review.ReviewedSong> {
  const { sql } = ctx
  const [row] = await sql<ReviewRow[]>`
    select ${reviewColumns(sql, ctx.now())} from upload_song s join customer c using (customer_id)
    where s.upload_song_id = ${entityId} and s.deleted_at is null`
  if (!row) throw unknownSongError()
  const [versions, differences, duplicates, history] = await Promise.all([
    listSlots(ctx, staff, [entityId]),
    findDifferences(sql, entityId),
    findDuplicates(sql, entityId, row.listed_entity_id),
    listHistory(sql, entityId),
  ])
  return { song: toReviewedSong(row, versions), versions, differences, twins: duplicates, history }
}

/** Returns other songs in the pool with the same recording. */
async function findDuplicates(
  sql: Sql,
  uploadSongId: number,
  listedId: number | null,
): Promise<review.UploadDuplicate[]> {
  return sql<review.UploadDuplicate[]>`
    select v.version_label, p.entity_id, p.title, p.artist, pv.version_label as duplicate_label, max(near.similarity) as similarity
    from upload_version v
    cross join lateral (
      select u.file_id, 1::real as similarity from upload u where u.upload_id = v.upload_id and u.file_id is not null
      union all select t.file_id, least(t.similarity, 0.999) from upload_duplicate t where t.upload_id = v.upload_id) near
    join song_version pv on pv.file_id = near.file_id and pv.status = 'published'
    join song p on p.entity_id = pv.entity_id and p.status = 'published' and p.entity_id is distinct from ${listedId}
    where v.upload_song_id = ${uploadSongId}
    group by v.version_label, v.position, p.entity_id, p.title, p.artist, pv.version_label
    order by similarity desc, v.position, p.entity_id limit 20`
}

async function listHistory(sql: Sql, uploadSongId: number): Promise<review.ReviewedSong['history']> {
  const rows = await sql<{ at: Date; by: string; decision: 'published' | 'declined' | 'edited'; reason: string }[]>`
    select r.at, c.dj_name as by, r.decision, r.reason from upload_review r join customer c on c.customer_id = r.staff_id
    where r.upload_song_id = ${uploadSongId} order by r.upload_review_id desc limit 50`
  return rows.map(({ at, ...row }) => ({ ...row, at: at.toISOString() }))
}

type EditUploadParams = ParsedInputOf<typeof review.editUpload> & { staff_id: number }

/**
 * Saves staff's changes of a member's song, in the caller's transaction. Throws the errors of `editUpload` in the
 * contract.
 */
export async function editUpload(
  ctx: Pick<AppContext, 'now' | 'settings'>,
  sql: Sql,
  edit: EditUploadParams,
): Promise<void> {
  const values = toValues(edit.songData)
  const before = await lockSong(sql, edit.entity_id)
  rejectStale(before, edit.version)
  const slots = await applySlotEdits(sql, edit)
  await throwAllErrors([
    () => rejectUnknownGenres(sql, values.genres),
    () => resolveExpiry(ctx, edit.songData.expire_date, before),
    () => rejectSlots(sql, slots),
  ])
  const sources = resolveSources(values, [], 'staff', { values: before, sources: before.sources })
  const expiry = resolveExpiry(ctx, edit.songData.expire_date, before)
  await updateValues(sql, before.upload_song_id, values, sources, expiry)
  if (expiry.expires_at > ctx.now()) await republish(sql, before)
  await sql`update upload_song set song_section_id = ${edit.song_section_id} where upload_song_id = ${edit.entity_id}`
  await updateSlots(sql, slots)
  await submit(sql, edit.entity_id)
  await recordReview(sql, edit, 'edited', '')
}

/** Runs the checks that are possible while other fields of the edit are invalid. */
export async function checkEdit(
  { sql, ...ctx }: Pick<AppContext, 'sql' | 'now' | 'settings'>,
  input: { entity_id?: unknown; songData?: unknown; versions?: unknown },
): Promise<void> {
  const { entity_id, songData, versions } = review.editUpload.input.shape
  const id = parsed(entity_id, input.entity_id)
  const before = id === undefined ? undefined : await findSong(sql, id)
  if (!before) return
  const data = (input.songData ?? {}) as Record<string, unknown>
  const genres = parsed(songData.shape.genres, data.genres)
  const day = songData.shape.expire_date.safeParse(data.expire_date)
  const wantedSlots = parsed(versions, input.versions)
  await throwAllErrors([
    () => genres && rejectUnknownGenres(sql, [...new Set(genres)]),
    () => day.success && resolveExpiry(ctx, day.data, before),
    async () =>
      wantedSlots &&
      rejectSlots(sql, await applySlotEdits(sql, { entity_id: before.upload_song_id, versions: wantedSlots })),
  ])
}

type OldSlot = {
  song_version_id: number
  version_id: number | null
  new_label: string
  duration_seconds: number | null
}

type SlotEdit = Pick<EditUploadParams, 'entity_id' | 'versions'>
type NextSlot = Omit<OldSlot, 'duration_seconds' | 'version_id'> & {
  version_id: number | undefined
  start_min: number | undefined
  start_sec: number
  duration_seconds: number | null
}

/** Returns all slots of a song after an edit; without `start_min` if the preview start does not change. */
async function applySlotEdits(sql: Sql, edit: SlotEdit): Promise<NextSlot[]> {
  const slots = await sql<OldSlot[]>`
    select v.song_version_id, v.version_kind_id as version_id, v.version_label as new_label, a.duration_seconds
    from upload_version v join upload u using (upload_id) left join analysis a using (file_id)
    where v.upload_song_id = ${edit.entity_id} order by v.position`
  const unknown = edit.versions.find(
    (slotInput) => !slots.some((slot) => slot.song_version_id === slotInput.song_version_id),
  )
  if (unknown) throw new ApiError('conflict', 'The uploader changed the versions. Reload to see the changes.')
  return slots.map((slot) => {
    const slotInput = edit.versions.find((each) => each.song_version_id === slot.song_version_id)
    return { ...slot, version_id: slot.version_id ?? undefined, start_min: undefined, start_sec: 0, ...slotInput }
  })
}

/** Throws the errors of `nameSlots`, and `preview_start_out_of_range`, at once. */
const rejectSlots = (sql: Sql, slots: readonly NextSlot[]): Promise<void> =>
  throwAllErrors([
    () => nameSlots(sql, slots),
    () =>
      throwCombined(
        slots.flatMap(({ start_min, start_sec, duration_seconds }, n) =>
          start_min === undefined ? [] : rejectStart({ start_min, start_sec }, duration_seconds, n),
        ),
      ),
  ])

async function updateSlots(sql: Sql, slots: readonly NextSlot[]): Promise<void> {
  const namedSlots = await nameSlots(sql, slots)
  for (const [n, { song_version_id, start_min, start_sec }] of slots.entries()) {
    const { version_kind_id, version_label } = namedSlots[n] as (typeof namedSlots)[number]
    const start = start_min === undefined ? sql`start_seconds` : sql`${startSeconds({ start_min, start_sec })}`
    await sql`
      update upload_version set version_kind_id = ${version_kind_id}, version_label = ${version_label}, start_seconds = ${start}
      where song_version_id = ${song_version_id}`
  }
}
