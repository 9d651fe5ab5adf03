import { uploadedSongs } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { unpublishUploaded } from '../catalogue/publication.ts'
import { customerReference } from '../membership/emails.ts'
import { wantsEmail } from '../notices/notification-choices.ts'
import { notify } from '../notices/notifications.ts'
import type { Sql } from '../platform/db.ts'
import { withDeadlockRetry } from '../platform/deadlock-retry.ts'
import { queueMail } from '../platform/outbox.ts'
import { listedCondition } from './song-state.ts'
import { songsExpiringEmail, type UploaderContact } from './upload-emails.ts'
import { expiryNotification } from './upload-notifications.ts'

const { REMINDER_DAYS } = uploadedSongs
const BATCH_SIZE = 50

/**
 * Unpublishes expired songs, each separately: one that fails does not affect the others. Returns whether there may be
 * more.
 */
export async function expireSongs({ sql: pool, now, log }: Pick<AppContext, 'sql' | 'now' | 'log'>): Promise<boolean> {
  const due = await pool<{ upload_song_id: number }[]>`
    select s.upload_song_id from upload_song s join song p using (entity_id)
    where s.expires_at <= ${now()} and s.expired_at is null and s.deleted_at is null and p.status = 'published'
    order by s.expires_at limit ${BATCH_SIZE}`
  let expiredCount = 0
  for (const { upload_song_id } of due) {
    try {
      await withDeadlockRetry(pool, (sql) => expire(sql, upload_song_id, now()))
      expiredCount += 1
    } catch (error) {
      log.error({ err: error, upload_song_id }, 'Could not unpublish an expired song')
    }
  }
  return expiredCount > 0 && due.length === BATCH_SIZE
}

async function expire(sql: Sql, uploadSongId: number, now: Date): Promise<void> {
  // It was renewed at this moment and stays published.
  const [listedSong] = await sql<{ entity_id: number }[]>`
    select entity_id from upload_song
    where upload_song_id = ${uploadSongId} and expires_at <= ${now} and deleted_at is null and entity_id is not null for update`
  if (!listedSong || !(await unpublishUploaded(sql, { entityId: listedSong.entity_id, uploadSongId, at: now }))) return
  await sql`update upload_song set expired_at = ${now} where upload_song_id = ${uploadSongId}`
}

type ExpiringSong = UploaderContact & { customer_id: number }
type ExpiringUpload = { upload_song_id: number; title: string; artist: string; expires_at: Date }

/**
 * Notifies uploaders of songs that expire within a week, with one email and one notification for these and all that
 * expire within a day of them; each song is listed once per expiry date. Returns whether there may be more.
 */
export async function remindUploaders(ctx: Pick<AppContext, 'sql' | 'now' | 'settings'>): Promise<boolean> {
  const { sql: pool } = ctx
  const [uploader] = await pool<ExpiringSong[]>`
    select c.customer_id, c.email, c.dj_name from upload_song s join customer c using (customer_id)
    where ${expiresWithin(pool, ctx.now(), REMINDER_DAYS)} and c.status = 'active' order by s.expires_at limit 1`
  if (!uploader) return false
  await pool.begin(async (sql) => {
    const songs = await sql<ExpiringUpload[]>`
      select s.upload_song_id, s.title, s.artist, s.expires_at from upload_song s
      where s.customer_id = ${uploader.customer_id} and ${expiresWithin(sql, ctx.now(), REMINDER_DAYS + 1)}
      order by s.expires_at, s.upload_song_id for update of s`
    if (songs.length === 0) return
    if (await wantsEmail(sql, uploader.customer_id, 'upload'))
      await queueMail(sql, songsExpiringEmail(ctx.settings, uploader, songs), {
        reference: customerReference(uploader.customer_id),
      })
    await notify(sql, { customer_id: uploader.customer_id, ...expiryNotification(songs) })
    await sql`update upload_song set reminded_at = ${ctx.now()}
      where upload_song_id = any(${songs.map(({ upload_song_id }) => upload_song_id)}::bigint[])`
  })
  return true
}

/** Whether song `s` of upload_song is in the pool, also while a change of it is in review, and was not reported yet. */
const expiresWithin = (sql: Sql, now: Date, days: number) => {
  const expiresBefore = new Date(now.getTime() + days * 24 * 3600 * 1000)
  return sql`s.deleted_at is null and s.expired_at is null and s.reminded_at is null
    and s.expires_at > ${now} and s.expires_at <= ${expiresBefore} and ${listedCondition(sql)}`
}
