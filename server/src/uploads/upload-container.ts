import type { uploads } from '@dubplate/contract'
import type { PendingQuery, Row } from 'postgres'
import { sealOf } from '../analysis/quality-seal.ts'
import type { AppContext } from '../app-context.ts'
import { type Fault, isWarning } from '../audio-files/faults.ts'
import type { Caller } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Pool } from '../platform/db.ts'
import { DAILY_LIMIT_FAULT, hasReachedLimit } from './analysis-usage.ts'
import { createUploadUrl } from './upload-media.ts'

type UploadRow = {
  upload_id: number
  name: string
  bytes: number
  uploaded_at: Date
  state: uploads.UploadAnalysis['state']
  progress: number
  tag: Partial<uploads.Tag>
  faults: uploads.Fault[]
  has_sound: boolean
  waits_until_tomorrow: boolean
  format: string | null
  bpm: number | null
  bpm_confidence: number | null
  bpm_alternatives: number[] | null
  song_key: string | null
  key_confidence: number | null
  duration_seconds: number | null
  sample_rate: number | null
  bitrate_kbps: number | null
  analyser_version: number | null
  bit_depth: number | null
  analysis_faults: Fault[] | null
  loudness_lufs: number | null
  true_peak_db: number | null
  /** A song in the pool with the same recording, from another uploader or none. */
  pooled: { title: string; artist: string; version_label: string; is_same_file: boolean } | null
}

/**
 * Files as their uploader (or staff) sees them.
 * @param chosen a query of upload_id: which, newest first
 */
export async function listFiles(
  ctx: Pick<AppContext, 'sql' | 'signing' | 'now'>,
  viewer: Pick<Caller, 'session_id'>,
  condition: PendingQuery<Row[]>,
): Promise<uploads.ContainerFile[]> {
  const rows = await ctx.sql<UploadRow[]>`
    select u.upload_id, u.name, u.bytes, u.uploaded_at, u.state, u.progress, u.tag, u.faults, u.file_id is not null as has_sound,
      u.state = 'queued' and ${hasReachedLimit(ctx.sql)} as waits_until_tomorrow,
      a.analyser_version, a.bit_depth, a.faults as analysis_faults, f.format, a.bpm, a.bpm_confidence, a.bpm_alternatives, a.song_key, a.key_confidence, a.duration_seconds, a.sample_rate,
      a.bitrate_kbps, a.loudness_lufs, a.true_peak_db, (${poolDuplicateQuery(ctx.sql)}) as pooled
    from upload u left join file f using (file_id) left join analysis a using (file_id)
    where u.upload_id in (${condition}) order by u.upload_id desc`
  return rows.map((row) => toContainerFile(ctx, viewer, row))
}

/** The most similar recording in the pool that is not the uploader's own, as a JSON object. */
const poolDuplicateQuery = (sql: Pool) => sql`
  select json_build_object('title', s.title, 'artist', s.artist, 'version_label', v.version_label,
    'is_same_file', near.similarity = 1)
  from (select u.file_id, 1::real as similarity where u.file_id is not null
    union all select t.file_id, least(t.similarity, 0.999) from upload_duplicate t where t.upload_id = u.upload_id) near
  join song_version v on v.file_id = near.file_id and v.status = 'published'
  join song s on s.entity_id = v.entity_id and s.status = 'published'
  where not exists (
    select 1 from upload_song o where o.entity_id = s.entity_id and o.customer_id = u.customer_id)
  order by near.similarity desc, s.entity_id limit 1`

function toContainerFile(
  ctx: Pick<AppContext, 'signing' | 'now'>,
  viewer: Pick<Caller, 'session_id'>,
  row: UploadRow,
): uploads.ContainerFile {
  return {
    upload_id: row.upload_id,
    file: row.name,
    bytes: row.bytes,
    uploaded_at: row.uploaded_at.toISOString(),
    tag: { ...EMPTY_TAG, ...row.tag },
    analysis: {
      state: row.state,
      progress: row.progress,
      format: row.format,
      bpm: row.bpm,
      bpm_confidence: row.bpm_confidence ?? 0,
      bpm_alternatives: row.bpm_alternatives ?? [],
      song_key: row.song_key,
      key_confidence: row.key_confidence ?? 0,
      duration_seconds: row.duration_seconds ?? 0,
      sample_rate: row.sample_rate ?? 0,
      bitrate_kbps: row.bitrate_kbps ?? 0,
      loudness_lufs: row.loudness_lufs,
      true_peak_db: row.true_peak_db,
      faults: [
        ...row.faults,
        ...(row.waits_until_tomorrow ? [DAILY_LIMIT_FAULT] : []),
        ...(row.pooled ? [toDuplicateReply(row.pooled)] : []),
      ],
      seal: sealOf({ ...row, faults: row.analysis_faults }),
    },
    mp3: row.has_sound ? createUploadUrl(ctx, viewer, row.upload_id, 'preview.mp3') : '',
    peaks: row.has_sound ? createUploadUrl(ctx, viewer, row.upload_id, 'peaks.bin') : '',
  }
}

const EMPTY_TAG: uploads.Tag = {
  title: '',
  artist: '',
  version_label: '',
  year: null,
  bpm: null,
  song_key: null,
  genres: [],
  genre_ids: [],
}

function toDuplicateReply({
  title,
  artist,
  version_label,
  is_same_file,
}: NonNullable<UploadRow['pooled']>): uploads.Fault {
  const fileLabel = is_same_file ? 'This file' : 'The same recording'
  return {
    code: 'already_in_catalogue',
    message: `${fileLabel} is already in the catalogue: ${artist} – ${title} (${version_label}).`,
    blocks: is_same_file,
  }
}

/** Converts a fault of the analysis for the API, with its position as in its sentence. */
export const toFault = ({ at_seconds, ...fault }: Omit<uploads.Fault, 'blocks'>): uploads.Fault => ({
  ...fault,
  ...(at_seconds === undefined ? {} : { at_seconds: Math.floor(at_seconds) }),
  blocks: !isWarning(fault),
})

/** Returns the member's files that are not in a song. */
export const listContainer = (ctx: Pick<AppContext, 'sql' | 'signing' | 'now'>, member: Caller) =>
  listFiles(
    ctx,
    member,
    ctx.sql`select upload_id from upload o where customer_id = ${member.customer_id} and removed_at is null
      and not exists (select 1 from upload_version v where v.upload_id = o.upload_id)`,
  )

/** Removes a file from the container. Throws `unknown_upload` and `upload_in_use`. */
export async function removeUpload(pool: Pool, customerId: number, uploadId: number): Promise<void> {
  await pool.begin(async (sql) => {
    // Locked first, as saving a song locks its files: whichever comes second sees the other's change.
    const [lockedUpload] = await sql`
      select 1 from upload where upload_id = ${uploadId} and customer_id = ${customerId} and removed_at is null for update`
    if (!lockedUpload) throw new ApiError('unknown_upload', 'File not found. It may have been deleted.')
    const [usingSong] = await sql<{ title: string }[]>`
      select s.title from upload_version v join upload_song s using (upload_song_id) where v.upload_id = ${uploadId}`
    if (usingSong)
      throw new ApiError(
        'upload_in_use',
        `This file is used as a version of “${usingSong.title}”. Remove it from that song first.`,
      )
    await sql`update upload set removed_at = now() where upload_id = ${uploadId}`
  })
}
