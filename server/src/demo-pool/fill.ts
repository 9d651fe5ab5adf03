import { encodedBytes } from '@dubplate/demo/encode'
import { renderedSeconds } from '@dubplate/demo/song'
import { buildWorld, DEMO_PASSWORD, type DemoSong, type DemoWorld, HOUSE } from '@dubplate/demo/world'
import { addVersion, countNewSong, findOrAddSong, listSong, versionCode } from '../catalogue/additions.ts'
import { recountWords } from '../catalogue/search-index.ts'
import { refreshDueCharts } from '../charts/chart-snapshots.ts'
import { hashPassword } from '../membership/password.ts'
import type { Pool, Sql } from '../platform/db.ts'
import type { InvoiceSettings } from '../platform/payment-config.ts'
import { fillActivity } from './fill-activity.ts'
import { fillAudit } from './fill-audit.ts'
import { fillBilling } from './fill-billing.ts'
import { fillHelp } from './fill-help.ts'
import { fillMembers } from './fill-members.ts'
import { fillPlaylists } from './fill-playlists.ts'
import { fillSite } from './fill-site.ts'

/** Moods are stored in the table of genres; their ids start above those of the genres. */
const MOOD_IDS_FROM = 2000
const HOUR = 3_600_000

/** A song of the demo as it is stored in the database. */
export type AddedSong = { entity_id: number; versionIds: number[] }

/**
 * Fills an empty pool with the demo data, in one transaction: a start that is killed leaves it empty for the next one.
 * @param options.maxSongs how many songs, the newest ones; all when undefined
 */
export async function fillDemoPool(
  pool: Pool,
  { now, maxSongs, invoice }: { now: Date; maxSongs?: number | undefined; invoice: InvoiceSettings },
): Promise<{ songs: number; versions: number }> {
  const world = buildWorld(now)
  const songs = maxSongs === undefined ? world.songs : world.songs.slice(-maxSongs)
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  const addedSongs = await pool.begin(async (sql) => {
    await addGenres(sql, world)
    const addedSongs = await addSongs(sql, songs)
    await addCollections(sql, world, addedSongs)
    await addSite(sql, world)
    const members = await fillMembers(sql, world, passwordHash)
    await fillHelp(sql, members, now)
    await fillSite(sql, { ...members, now })
    const subscribers = world.memberships.flatMap(({ subscription }, n) =>
      subscription ? [{ customer_id: members.crowd[n] ?? 0, subscription }] : [],
    )
    const access = await fillBilling(sql, { ...members, subscribers, now, invoice })
    // Before the activity, which counts all listens.
    await fillPlaylists(sql, world, addedSongs, members)
    await fillActivity(sql, { ...world, songs }, addedSongs, { ...members, access })
    await fillAudit(sql, members.staff)
    await refreshDueCharts(sql, now)
    await recountWords(sql)
    return addedSongs
  })
  return {
    songs: songs.length,
    versions: [...addedSongs.values()].reduce((sum, song) => sum + song.versionIds.length, 0),
  }
}

async function addGenres(sql: Sql, { genres, moods }: DemoWorld): Promise<void> {
  const rows = [
    ...genres.map((genre) => ({
      genre_id: genre.genre_id,
      parent_id: genre.parent_id,
      name: genre.name,
      description: genre.description,
      position: genre.sort_order,
      home_chip: genre.parent_id === null,
      kind: 'genre',
    })),
    ...moods.map((mood) => ({
      genre_id: MOOD_IDS_FROM + mood.mood_id,
      parent_id: null,
      name: mood.name,
      description: '',
      position: mood.sort_order,
      home_chip: false,
      kind: 'mood',
    })),
  ]
  // Main genres first, because sub-genres refer to them. The home genre is the first chip.
  rows.sort(
    (a, b) =>
      Number(a.parent_id !== null) - Number(b.parent_id !== null) ||
      Number(b.genre_id === HOUSE) - Number(a.genre_id === HOUSE),
  )
  await sql`insert into genre ${sql(rows)}`
}

async function addSongs(sql: Sql, songs: readonly DemoSong[]): Promise<Map<number, AddedSong>> {
  const addedSongs = new Map<number, AddedSong>()
  for (const song of songs) {
    const { entity_id } = await findOrAddSong(sql, {
      ...song,
      bpm_source: song.min_bpm === song.max_bpm ? 'staff' : null,
      key_source: 'staff',
      created_at: song.released_at,
    })
    const versionIds: number[] = []
    for (const [position, { label, recipe }] of song.versions.entries()) {
      versionIds.push(
        await addVersion(sql, entity_id, {
          label,
          position,
          recipe,
          recipe_bytes: encodedBytes(recipe),
          duration_seconds: renderedSeconds(recipe),
          uploaded_name: `${versionCode(`${song.artist} ${song.title} ${label}`)}.mp3`,
          created_at: song.released_at,
          tempo: {
            ...{ bpm: recipe.bpm, bpm_to: recipe.bpm_to ?? null, bpm_source: 'staff' },
            ...{ song_key: song.song_key, key_source: 'staff' },
          },
        }),
      )
    }
    await countNewSong(sql, song.song_section_id)
    await listSong(sql, entity_id, [...song.genre_ids, ...song.mood_ids.map((mood) => MOOD_IDS_FROM + mood)])
    addedSongs.set(song.song_id, { entity_id, versionIds })
  }
  return addedSongs
}

async function addCollections(sql: Sql, world: DemoWorld, addedSongs: Map<number, AddedSong>): Promise<void> {
  const songIds = (ids: readonly number[]) => ids.flatMap((id) => addedSongs.get(id)?.entity_id ?? [])
  for (const genre of world.curated_genres) {
    await sql`insert into curated_genre (curated_genre_id, parent_id, title, position) overriding system value
      values (${genre.curated_genre_id}, ${genre.parent_id}, ${genre.title}, ${genre.curated_genre_id})`
  }
  // The ids above were set explicitly, so the sequence continues after them.
  await sql`
    select setval(pg_get_serial_sequence('curated_genre', 'curated_genre_id'), max(curated_genre_id)) from curated_genre`
  for (const list of world.curated_lists) {
    const songs = songIds(list.song_ids)
    if (songs.length === 0) continue
    await sql`
      with list as (
        insert into curated_list (curated_genre_id, title, description, created_by, cover_seed, suggested, published_at)
        values (${list.curated_genre_id}, ${list.title}, ${list.description}, ${list.created_by}, ${list.cover_seed},
          ${world.suggested.includes(list.curated_list_id)}, ${list.created_at}) returning curated_list_id)
      insert into curated_list_song (curated_list_id, position, entity_id)
      select curated_list_id, n, entity_id from list, unnest(${songs}::bigint[]) with ordinality songs (entity_id, n)`
  }
  for (const [n, collection] of world.top20.entries()) {
    const songs = songIds(collection.song_ids)
    if (songs.length === 0) continue
    const published = new Date(`${collection.month}-01T09:00:00Z`)
    await sql`
      with collection as (
        insert into top20 (title, description, cover_seed, published_at)
        values (${collection.title}, ${collection.description}, ${collection.cover_seed}, ${Number.isNaN(published.getTime()) ? new Date(world.now.getTime() - n * 1000) : published})
        returning top20_track_id)
      insert into top20_song (top20_track_id, rank, entity_id)
      select top20_track_id, n, entity_id from collection, unnest(${songs}::bigint[]) with ordinality songs (entity_id, n)`
  }
}

async function addSite(sql: Sql, { announcements, merchandise, now }: DemoWorld): Promise<void> {
  const notices = announcements.map(({ page_name, message, hours_ago }) => ({
    page_name,
    message,
    published_at: new Date(now.getTime() - hours_ago * HOUR),
  }))
  await sql`insert into announcement ${sql(notices)}`
  await sql`insert into merchandise ${sql(merchandise.map((product, n) => ({ ...product, position: n + 1 })))}`
}
