import { waveOf } from '../audio/wave.ts'
import type { Origins } from '../catalogue/origins.ts'
import { type PublishedVersion, publishSong } from '../catalogue/publication.ts'
import { ofCustomer } from '../membership/letters.ts'
import { wantsMail } from '../notices/choices.ts'
import { notify } from '../notices/notices.ts'
import type { Sql } from '../platform/db.ts'
import { queueMail } from '../platform/outbox.ts'
import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import { expiryOf, lockSong, type OwnSong, refuseStale } from './song-saving.ts'
import { stateOf } from './song-state.ts'
import { songPublished, songRefused, type Told } from './upload-letters.ts'
import { type AtOnce, decidedNews } from './upload-notices.ts'

type Decision = {
  entity_id: number
  version: number
  staff_id: number
  /** What was decided along with it: their uploaders are told of all of it in one notice. */
  atOnce?: AtOnce
}
type Tools = Pick<World, 'settings' | 'now'>

/**
 * Puts a member's song into the pool as it was last saved, and tells them. Part of the caller's transaction. Refuses
 * `unknown_song`, `conflict`, `song_not_ready` (no version, one that is analysed or cannot go in), `date_in_past`
 * and `already_in_catalogue`. Answers with the song in the pool.
 */
export async function publishUpload(world: Tools, sql: Sql, made: Decision): Promise<number> {
  const song = await lockSong(sql, made.entity_id)
  refuseStale(song, made.version)
  await refuseUnready(sql, song, world.now())
  const isNew = song.entity_id === null
  const expires_at = listedUntil(song, world)
  if (expires_at <= world.now()) throw new Refusal('date_in_past', 'The expiry date has passed. Set a new one first.')
  const entityId = await publishSong(sql, song.entity_id, await publicationOf(sql, song), await versionsOf(sql, song))
  await sql`
    update upload_song set entity_id = ${entityId}, review = 'published', reason = '', version = version + 1,
      published_at = coalesce(published_at, now()), expires_at = ${expires_at}, left_at = null
    where upload_song_id = ${song.upload_song_id}`
  await noteReview(sql, made, 'published', '')
  await tell(sql, song, (told) => songPublished(world.settings.letterhead, told, { ...song, isNew, entityId }))
  const news = { ...song, entity_id: entityId, isNew, decision: 'published' as const }
  await notify(sql, { customer_id: song.customer_id, ...decidedNews(news, made.atOnce) })
  return entityId
}

/** A day that was picked holds, as does one to come of a song that is in the pool; otherwise the days begin now. */
function listedUntil({ entity_id, expires_at, expires_picked }: OwnSong, world: Tools): Date {
  if (expires_picked || (entity_id !== null && expires_at > world.now())) return expires_at
  return expiryOf(world, undefined, undefined).expires_at
}

/** Refuses a member's song with a reason, which is mailed. What stands in the pool of it stays there. */
export async function refuseUpload(world: Tools, sql: Sql, made: Decision & { reason: string }): Promise<void> {
  const song = await lockSong(sql, made.entity_id)
  refuseStale(song, made.version)
  if (song.review !== 'open') throw new Refusal('already_decided', 'This song is no longer awaiting review.')
  await sql`
    update upload_song set review = 'refused', reason = ${made.reason}, version = version + 1
    where upload_song_id = ${song.upload_song_id}`
  await noteReview(sql, made, 'refused', made.reason)
  await tell(sql, song, (told) => songRefused(world.settings.letterhead, told, { ...song, reason: made.reason }))
  const news = { ...song, isNew: song.entity_id === null, decision: 'refused' as const }
  await notify(sql, { customer_id: song.customer_id, ...decidedNews(news, made.atOnce) })
}

export async function noteReview(
  sql: Sql,
  { entity_id, staff_id }: Omit<Decision, 'version'>,
  decision: 'published' | 'refused' | 'edited',
  reason: string,
): Promise<void> {
  await sql`insert into upload_review (upload_song_id, staff_id, decision, reason)
    values (${entity_id}, ${staff_id}, ${decision}, ${reason})`
}

async function tell(
  sql: Sql,
  { customer_id }: OwnSong,
  letter: (told: Told) => Parameters<typeof queueMail>[1],
): Promise<void> {
  const [told] = await sql<Told[]>`
    select email, dj_name from customer where customer_id = ${customer_id} and status = 'active'`
  if (told && (await wantsMail(sql, customer_id, 'upload')))
    await queueMail(sql, letter(told), { whose: ofCustomer(customer_id) })
}

const WHY_NOT: Record<string, string> = {
  published: 'There are no changes to publish.',
  expired: 'This song has expired. Its uploader can renew it.',
  analysing: 'Its files are still being analysed. Try again when the analysis has finished.',
  draft: 'This song has no version yet, or one of its versions is invalid.',
}

async function refuseUnready(sql: Sql, { upload_song_id }: OwnSong, now: Date): Promise<void> {
  const [found] = await sql<{ status: string }[]>`
    select ${stateOf(sql, now)} as status from upload_song s where upload_song_id = ${upload_song_id}`
  const why = WHY_NOT[found?.status ?? '']
  if (why) throw new Refusal('song_not_ready', why)
  // What was refused can be published after all, if its versions are sound.
  const [open] = await sql<{ ready: boolean }[]>`
    select count(*) > 0 and bool_and(u.playable is true) as ready
    from upload_version v join upload u using (upload_id) where v.upload_song_id = ${upload_song_id}`
  if (!open?.ready) throw new Refusal('song_not_ready', WHY_NOT.draft ?? '')
}

async function publicationOf(sql: Sql, song: OwnSong) {
  const [cover] = await sql<{ artwork_id: number }[]>`
    select u.artwork_id from upload_version v join upload u using (upload_id)
    where v.upload_song_id = ${song.upload_song_id} and u.artwork_id is not null order by v.position limit 1`
  const { title, artist, year, song_key, min_bpm, max_bpm, song_section_id, genres, sources } = song
  return {
    ...{ title, artist, year, song_key, min_bpm, max_bpm, song_section_id },
    bpm_source: sources.bpm,
    key_source: sources.song_key,
    artwork_id: cover?.artwork_id ?? null,
    origins: originsOf(sources, cover !== undefined),
    genreIds: genres,
    upload_song_id: song.upload_song_id,
  }
}

/** Tempo and key have their sources in columns of their own; a cover is the one in the tags. */
const originsOf = ({ title, artist, year, genres }: OwnSong['sources'], hasCover: boolean): Origins => ({
  ...{ title, artist, year, genres },
  ...(hasCover ? { artwork: 'tag' as const } : {}),
})

type VersionRow = Omit<PublishedVersion, 'wave'> & { overview: Buffer }

async function versionsOf(sql: Sql, { upload_song_id }: OwnSong): Promise<PublishedVersion[]> {
  const rows = await sql<VersionRow[]>`
    select v.song_version_id, v.version_label as label, v.position, u.file_id, a.duration_seconds, a.loudness_lufs, p.overview,
      u.name as uploaded_name, v.start_seconds as preview_start_seconds, u.tag
    from upload_version v join upload u using (upload_id) join analysis a using (file_id) join peaks p using (file_id)
    where v.upload_song_id = ${upload_song_id} order by v.position`
  return rows.map(({ overview, ...row }) => ({ ...row, wave: waveOf(overview) }))
}
