import type { ErrorCode, ParsedInputOf, uploadedSongs, uploads } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { versionCode } from '../catalogue/additions.ts'
import type { Caller } from '../membership/caller.ts'
import { type ApiError, fieldError, throwAllErrors, throwCombined } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { listFiles } from './upload-container.ts'
import { findSameAsDirty, SAME_AS_DIRTY_FAULT } from './version-comparisons.ts'

export type WantedSlot = ParsedInputOf<typeof uploadedSongs.createSong>['versions'][number]

/** Returns the version types for a slot, in the operator's order. */
export async function listVersionKinds(sql: Sql) {
  const kinds = await sql<{ version_id: number; name: string }[]>`
    select version_kind_id as version_id, name from version_kind where offered order by position = 0, position, name`
  return kinds.map((kind) => ({ ...kind, new_label: '' }))
}

type SlotRow = {
  song_version_id: number
  entity_id: number
  version_id: number
  name: string
  new_label: string
  song: number
  start_seconds: number
}

/** Returns the slots of songs, with their files, in order. */
export async function listSlots(
  ctx: Pick<AppContext, 'sql' | 'signing' | 'now'>,
  viewer: Pick<Caller, 'session_id'>,
  uploadSongIds: readonly number[],
): Promise<uploadedSongs.Slot[]> {
  if (uploadSongIds.length === 0) return []
  const chosen = ctx.sql`${[...uploadSongIds]}::bigint[]`
  const rows = await ctx.sql<SlotRow[]>`
    select song_version_id, upload_song_id as entity_id, coalesce(version_kind_id, 0) as version_id, version_label as name,
      case when version_kind_id is null then version_label else '' end as new_label, upload_id as song, start_seconds
    from upload_version where upload_song_id = any(${chosen}) order by upload_song_id, position, song_version_id`
  const files = await listFiles(
    ctx,
    viewer,
    ctx.sql`select upload_id from upload_version where upload_song_id = any(${chosen})`,
  )
  const fileOf = new Map(files.map((file) => [file.upload_id, file]))
  const sameAsDirty = await findSameAsDirty(ctx.sql, uploadSongIds)
  return rows.map(({ start_seconds, ...row }) => ({
    ...row,
    start_min: Math.floor(start_seconds / 60),
    start_sec: Math.floor(start_seconds % 60),
    file: withFaults(
      fileOf.get(row.song) as uploads.ContainerFile,
      sameAsDirty.has(row.song_version_id) ? [SAME_AS_DIRTY_FAULT] : [],
    ),
  }))
}

const withFaults = (file: uploads.ContainerFile, faults: uploads.Fault[]): uploads.ContainerFile => ({
  ...file,
  analysis: { ...file.analysis, faults: [...file.analysis.faults, ...faults] },
})

export const startSeconds = ({ start_min, start_sec }: { start_min: number; start_sec: number }): number =>
  start_min * 60 + start_sec

type VersionName = { version_kind_id: number | null; version_label: string }

type NamedSlot = Pick<WantedSlot, 'version_id' | 'new_label'>

/**
 * Determines the names of slots. Throws `unknown_version_type`, and `duplicate_version_label` for two with the same
 * name. A slot that is undefined was already rejected and stays undefined.
 */
export async function nameSlots<S extends NamedSlot | undefined>(
  sql: Sql,
  slots: readonly S[],
): Promise<(S extends undefined ? VersionName | undefined : VersionName)[]>
export async function nameSlots(
  sql: Sql,
  slots: readonly (NamedSlot | undefined)[],
): Promise<(VersionName | undefined)[]> {
  const kinds = await sql<VersionKind[]>`select version_kind_id, name, version_code, offered from version_kind`
  const namedSlots = slots.map((slot) => slot && nameSlot(slot, kinds))
  const codes = namedSlots.map((name) => name && versionCode(name.version_label))
  throwCombined(
    slots.flatMap((slot, n) => {
      const label = namedSlots[n]?.version_label
      if (slot && label === undefined)
        return [slotError('unknown_version_type', 'Choose a version type or enter a name.', n, 'version_id')]
      if (label === undefined || codes.indexOf(codes[n]) === n) return []
      return [slotError('duplicate_version_label', `There are two versions named “${label}”.`, n, 'version_id')]
    }),
  )
  return namedSlots
}

type VersionKind = { version_kind_id: number; name: string; version_code: string; offered: boolean }

function nameSlot({ version_id, new_label }: NamedSlot, kinds: readonly VersionKind[]): VersionName | undefined {
  const kind = kinds.find((each) =>
    version_id === undefined ? each.version_code === versionCode(new_label) : each.version_kind_id === version_id,
  )
  // A custom label stays a label: as a type it could not be selected in the form.
  if (kind) return { version_kind_id: kind.offered ? kind.version_kind_id : null, version_label: kind.name }
  if (version_id === undefined && new_label !== '') return { version_kind_id: null, version_label: new_label }
  return undefined
}

const slotError = (code: ErrorCode, sentence: string, n: number, field: string): ApiError =>
  fieldError(code, `versions.${n}.${field}`, sentence)

type SlotFile = { upload_id: number; name: string; duration_seconds: number | null; used_in: string | null }

/** The id of a song that is not saved yet. */
export const NEW_SONG_ID = 0

type SlotOwner = { upload_song_id: number; customer_id: number }

/**
 * Checks the slots of a song; one that is undefined was already rejected. Throws `unknown_upload`, `upload_in_use`,
 * `preview_start_out_of_range`, and the errors of `nameSlots`, all at once.
 */
export const checkSlots = (
  sql: Sql,
  owner: SlotOwner,
  wantedSlots: readonly (WantedSlot | undefined)[],
): Promise<void> => throwAllErrors([() => nameSlots(sql, wantedSlots), () => rejectFiles(sql, owner, wantedSlots)])

/**
 * Saves the slots of a song; the file of an omitted slot returns to the container. Throws the errors of `checkSlots`.
 */
export async function saveVersionSlots(sql: Sql, song: SlotOwner, wantedSlots: readonly WantedSlot[]): Promise<void> {
  await checkSlots(sql, song, wantedSlots)
  const namedSlots = await nameSlots(sql, wantedSlots)
  // Two slots may swap their files: for a moment one file would be in both.
  const ids = await existingIds(sql, song.upload_song_id)
  await sql`delete from upload_version where upload_song_id = ${song.upload_song_id}`
  for (const [position, slot] of wantedSlots.entries()) {
    const { version_kind_id, version_label } = namedSlots[position] as VersionName
    const id = slot.song_version_id !== undefined && ids.delete(slot.song_version_id) ? slot.song_version_id : undefined
    await sql`
      insert into upload_version (${id ? sql`song_version_id,` : sql``} upload_song_id, version_kind_id, version_label, position,
        upload_id, start_seconds)
      values (${id ? sql`${id},` : sql``} ${song.upload_song_id}, ${version_kind_id}, ${version_label}, ${position},
        ${slot.song}, ${startSeconds(slot)})`
  }
}

async function existingIds(sql: Sql, uploadSongId: number): Promise<Set<number>> {
  const rows = await sql<{ song_version_id: number }[]>`
    select song_version_id from upload_version where upload_song_id = ${uploadSongId}`
  return new Set(rows.map(({ song_version_id }) => song_version_id))
}

async function rejectFiles(
  sql: Sql,
  { upload_song_id, customer_id }: SlotOwner,
  wantedSlots: readonly (WantedSlot | undefined)[],
): Promise<void> {
  const uploadIds = wantedSlots.flatMap((slot) => (slot ? [slot.song] : []))
  // Locked before it is checked: another song saved with it in the meantime is seen.
  await sql`
    select 1 from upload where upload_id = any(${uploadIds}::bigint[]) and customer_id = ${customer_id}
    order by upload_id for update`
  const files = await sql<SlotFile[]>`
    select u.upload_id, u.name, a.duration_seconds,
      (select s.title from upload_version v join upload_song s using (upload_song_id)
        where v.upload_id = u.upload_id and v.upload_song_id <> ${upload_song_id}) as used_in
    from upload u left join analysis a using (file_id)
    where u.upload_id = any(${uploadIds}::bigint[]) and u.customer_id = ${customer_id} and u.removed_at is null`
  throwCombined(
    wantedSlots.flatMap((slot, n) => {
      if (!slot) return []
      const file = files.find(({ upload_id }) => upload_id === slot.song)
      if (!file) return [slotError('unknown_upload', 'This file is no longer in your uploads.', n, 'song')]
      const isUsedTwice = wantedSlots.findIndex((other) => other?.song === slot.song) !== n
      const usedWhere = file.used_in ?? (isUsedTwice ? 'another version' : undefined)
      return [
        ...(usedWhere
          ? [slotError('upload_in_use', `“${file.name}” is already used in “${usedWhere}”.`, n, 'song')]
          : []),
        ...rejectStart(slot, file.duration_seconds, n),
      ]
    }),
  )
}

/** Creates `preview_start_out_of_range` for a preview that would begin after the end of the music. */
export const rejectStart = (
  slot: { start_min: number; start_sec: number },
  duration_seconds: number | null,
  n: number,
): ApiError[] =>
  duration_seconds === null || startSeconds(slot) < Math.max(1, duration_seconds)
    ? []
    : [slotError('preview_start_out_of_range', 'The preview start is after the end of the file.', n, 'start_min')]
