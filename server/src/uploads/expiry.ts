import { uploadedSongs } from '@dubplate/contract'
import { withdrawUploaded } from '../catalogue/publication.ts'
import { ofCustomer } from '../membership/letters.ts'
import { wantsMail } from '../notices/choices.ts'
import { notify } from '../notices/notices.ts'
import type { Sql } from '../platform/db.ts'
import { queueMail } from '../platform/outbox.ts'
import { untangled } from '../platform/untangled.ts'
import type { World } from '../world.ts'
import { isListed } from './song-state.ts'
import { songsLeave, type Told } from './upload-letters.ts'
import { leavingNews } from './upload-notices.ts'

const { REMINDED_DAYS } = uploadedSongs
const AT_ONCE = 50

/**
 * Takes songs whose day has come out of the pool, each by itself: one that cannot be taken out keeps no other one in it.
 * Answers whether there may be more.
 */
export async function expireSongs({ sql: pool, now, log }: Pick<World, 'sql' | 'now' | 'log'>): Promise<boolean> {
  const due = await pool<{ upload_song_id: number }[]>`
    select s.upload_song_id from upload_song s join song p using (entity_id)
    where s.expires_at <= ${now()} and s.left_at is null and s.deleted_at is null and p.status = 'published'
    order by s.expires_at limit ${AT_ONCE}`
  let gone = 0
  for (const { upload_song_id } of due) {
    try {
      await untangled(pool, (sql) => expire(sql, upload_song_id, now()))
      gone += 1
    } catch (error) {
      log.error({ err: error, upload_song_id }, 'Could not unpublish an expired song')
    }
  }
  return gone > 0 && due.length === AT_ONCE
}

async function expire(sql: Sql, uploadSongId: number, now: Date): Promise<void> {
  // Renewed this very moment: it stays.
  const [still] = await sql<{ entity_id: number }[]>`
    select entity_id from upload_song
    where upload_song_id = ${uploadSongId} and expires_at <= ${now} and deleted_at is null and entity_id is not null for update`
  if (!still || !(await withdrawUploaded(sql, { entityId: still.entity_id, uploadSongId, at: now }))) return
  await sql`update upload_song set left_at = ${now} where upload_song_id = ${uploadSongId}`
}

type Leaving = Told & { customer_id: number }
type Song = { upload_song_id: number; title: string; artist: string; expires_at: Date }

/**
 * Tells uploaders whose songs leave the pool within a week, one letter and one notice for these and what leaves within a day of them;
 * each song is named once for each of its expiries. Answers whether there may be more.
 */
export async function remindUploaders(world: Pick<World, 'sql' | 'now' | 'settings'>): Promise<boolean> {
  const { sql: pool } = world
  const [uploader] = await pool<Leaving[]>`
    select c.customer_id, c.email, c.dj_name from upload_song s join customer c using (customer_id)
    where ${leavesWithin(pool, world.now(), REMINDED_DAYS)} and c.status = 'active' order by s.expires_at limit 1`
  if (!uploader) return false
  await pool.begin(async (sql) => {
    const songs = await sql<Song[]>`
      select s.upload_song_id, s.title, s.artist, s.expires_at from upload_song s
      where s.customer_id = ${uploader.customer_id} and ${leavesWithin(sql, world.now(), REMINDED_DAYS + 1)}
      order by s.expires_at, s.upload_song_id for update of s`
    if (songs.length === 0) return
    if (await wantsMail(sql, uploader.customer_id, 'upload'))
      await queueMail(sql, songsLeave(world.settings, uploader, songs), { whose: ofCustomer(uploader.customer_id) })
    await notify(sql, { customer_id: uploader.customer_id, ...leavingNews(songs) })
    await sql`update upload_song set reminded_at = ${world.now()}
      where upload_song_id = any(${songs.map(({ upload_song_id }) => upload_song_id)}::bigint[])`
  })
  return true
}

/** Whether song `s` of upload_song stands in the pool, also while a change of it waits, and was not told of yet. */
const leavesWithin = (sql: Sql, now: Date, days: number) => {
  const within = new Date(now.getTime() + days * 24 * 3600 * 1000)
  return sql`s.deleted_at is null and s.left_at is null and s.reminded_at is null
    and s.expires_at > ${now} and s.expires_at <= ${within} and ${isListed(sql)}`
}
