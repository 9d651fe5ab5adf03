import { waveOf } from '../analysis/wave.ts'
import type { AppContext } from '../app-context.ts'
import { type PublishedVersion, publishSong } from '../catalogue/publication.ts'
import type { Origins } from '../catalogue/value-sources.ts'
import type { SongTempo } from '../catalogue/version-tempo.ts'
import type { StoredVersion } from '../catalogue/version-values.ts'
import { customerReference } from '../membership/emails.ts'
import { wantsEmail } from '../notices/notification-choices.ts'
import { notify } from '../notices/notifications.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { queueMail } from '../platform/outbox.ts'
import { planTempo } from './published-tempo.ts'
import { lockSong, type OwnSong, rejectStale, resolveExpiry } from './song-saving.ts'
import { stateOf } from './song-state.ts'
import { songDeclinedEmail, songPublishedEmail, type UploaderContact } from './upload-emails.ts'
import { type DecisionBatch, decisionNotification } from './upload-notifications.ts'

type ReviewDecision = {
  entity_id: number
  version: number
  staff_id: number
  /** Other songs decided in the same action: each uploader gets one notification for all of them. */
  atOnce?: DecisionBatch
}
type UploadContext = Pick<AppContext, 'settings' | 'now'>

/**
 * Publishes a member's song as last saved, and notifies them. Part of the caller's transaction. Throws `unknown_song`,
 * `conflict`, `song_not_ready` (no version, or one that is being analysed or cannot be published), `date_in_past` and
 * `already_in_catalogue`. Returns the song in the pool.
 */
export async function publishUpload(ctx: UploadContext, sql: Sql, reviewDecision: ReviewDecision): Promise<number> {
  const song = await lockSong(sql, reviewDecision.entity_id)
  rejectStale(song, reviewDecision.version)
  await rejectUnready(sql, song, ctx.now())
  const isNew = song.entity_id === null
  const expires_at = computeListedUntil(song, ctx)
  if (expires_at <= ctx.now()) throw new ApiError('date_in_past', 'The expiry date has passed. Set a new one first.')
  const tempo = await planTempo(sql, song)
  const entityId = await publishSong(
    sql,
    song.entity_id,
    await buildPublication(sql, song, tempo.song),
    await listPublishedVersions(sql, song, tempo.versions),
  )
  await sql`
    update upload_song set entity_id = ${entityId}, review = 'published', reason = '', version = version + 1,
      published_at = coalesce(published_at, now()), expires_at = ${expires_at}, expired_at = null
    where upload_song_id = ${song.upload_song_id}`
  await recordReview(sql, reviewDecision, 'published', '')
  await notifyUploader(sql, song, (uploader) =>
    songPublishedEmail(ctx.settings.emailSender, uploader, { ...song, isNew, entityId }),
  )
  const publication = { ...song, entity_id: entityId, isNew, decision: 'published' as const }
  await notify(sql, { customer_id: song.customer_id, ...decisionNotification(publication, reviewDecision.atOnce) })
  return entityId
}

/** A chosen date applies, as does a future one of a song that is in the pool; otherwise the days count from now. */
function computeListedUntil({ entity_id, expires_at, has_custom_expiry }: OwnSong, ctx: UploadContext): Date {
  if (has_custom_expiry || (entity_id !== null && expires_at > ctx.now())) return expires_at
  return resolveExpiry(ctx, undefined, undefined).expires_at
}

/** Declines a member's song with a reason, which is emailed. A published version of the song stays in the pool. */
export async function rejectUpload(
  ctx: UploadContext,
  sql: Sql,
  reviewDecision: ReviewDecision & { reason: string },
): Promise<void> {
  const song = await lockSong(sql, reviewDecision.entity_id)
  rejectStale(song, reviewDecision.version)
  if (song.review !== 'open') throw new ApiError('already_decided', 'This song is no longer awaiting review.')
  await sql`
    update upload_song set review = 'declined', reason = ${reviewDecision.reason}, version = version + 1
    where upload_song_id = ${song.upload_song_id}`
  await recordReview(sql, reviewDecision, 'declined', reviewDecision.reason)
  await notifyUploader(sql, song, (uploader) =>
    songDeclinedEmail(ctx.settings.emailSender, uploader, { ...song, reason: reviewDecision.reason }),
  )
  const publication = { ...song, isNew: song.entity_id === null, decision: 'declined' as const }
  await notify(sql, { customer_id: song.customer_id, ...decisionNotification(publication, reviewDecision.atOnce) })
}

export async function recordReview(
  sql: Sql,
  { entity_id, staff_id }: Omit<ReviewDecision, 'version'>,
  decision: 'published' | 'declined' | 'edited',
  reason: string,
): Promise<void> {
  await sql`insert into upload_review (upload_song_id, staff_id, decision, reason)
    values (${entity_id}, ${staff_id}, ${decision}, ${reason})`
}

async function notifyUploader(
  sql: Sql,
  { customer_id }: OwnSong,
  email: (uploader: UploaderContact) => Parameters<typeof queueMail>[1],
): Promise<void> {
  const [uploader] = await sql<UploaderContact[]>`
    select email, dj_name from customer where customer_id = ${customer_id} and status = 'active'`
  if (uploader && (await wantsEmail(sql, customer_id, 'upload')))
    await queueMail(sql, email(uploader), { reference: customerReference(customer_id) })
}

const NOT_READY_REASONS: Record<string, string> = {
  published: 'There are no changes to publish.',
  expired: 'This song has expired. Its uploader can renew it.',
  analysing: 'Its files are still being analysed. Try again when the analysis has finished.',
  draft: 'This song has no version yet, or one of its versions is invalid.',
}

async function rejectUnready(sql: Sql, { upload_song_id }: OwnSong, now: Date): Promise<void> {
  const [songRow] = await sql<{ status: string }[]>`
    select ${stateOf(sql, now)} as status from upload_song s where upload_song_id = ${upload_song_id}`
  const notReadyReason = NOT_READY_REASONS[songRow?.status ?? '']
  if (notReadyReason) throw new ApiError('song_not_ready', notReadyReason)
  // A declined song can still be published, if its versions are fine.
  const [open] = await sql<{ ready: boolean }[]>`
    select count(*) > 0 and bool_and(u.playable is true) as ready
    from upload_version v join upload u using (upload_id) where v.upload_song_id = ${upload_song_id}`
  if (!open?.ready) throw new ApiError('song_not_ready', NOT_READY_REASONS.draft ?? '')
}

async function buildPublication(sql: Sql, song: OwnSong, tempo: SongTempo) {
  const [cover] = await sql<{ artwork_id: number }[]>`
    select u.artwork_id from upload_version v join upload u using (upload_id)
    where v.upload_song_id = ${song.upload_song_id} and u.artwork_id is not null order by v.position limit 1`
  const { title, artist, year, song_section_id, genres, sources } = song
  return {
    ...{ title, artist, year, song_section_id, ...tempo },
    artwork_id: cover?.artwork_id ?? null,
    origins: buildOrigins(sources, cover !== undefined),
    genreIds: genres,
    upload_song_id: song.upload_song_id,
  }
}

/** Tempo and key have their sources in their own columns; a cover comes from the tags. */
const buildOrigins = ({ title, artist, year, genres }: OwnSong['sources'], hasCover: boolean): Origins => ({
  ...{ title, artist, year, genres },
  ...(hasCover ? { artwork: 'tag' as const } : {}),
})

type VersionRow = Omit<PublishedVersion, 'wave' | 'tempo'> & { overview: Buffer }

async function listPublishedVersions(
  sql: Sql,
  { upload_song_id }: OwnSong,
  tempos: readonly StoredVersion[],
): Promise<PublishedVersion[]> {
  const tempoById = new Map(tempos.map((tempo) => [tempo.song_version_id, tempo]))
  const rows = await sql<VersionRow[]>`
    select v.song_version_id, v.version_label as label, v.position, u.file_id, a.duration_seconds, a.loudness_lufs, p.overview,
      u.name as uploaded_name, v.start_seconds as preview_start_seconds, u.tag
    from upload_version v join upload u using (upload_id) join analysis a using (file_id) join peaks p using (file_id)
    where v.upload_song_id = ${upload_song_id} order by v.position`
  return rows.flatMap(({ overview, ...row }) => {
    const tempo = tempoById.get(row.song_version_id)
    return tempo ? [{ ...row, wave: waveOf(overview), tempo }] : []
  })
}
