import { songDetails } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'

let pool: TestPool
let song: Awaited<ReturnType<typeof aSong>>
beforeAll(async () => {
  pool = await openTestPool()
  song = await aSong(pool.ctx, { versions: ['Original', 'Clean'], seconds: 2 })
})
afterAll(() => pool.close())

const ask = (token?: string, entity_id = song.entity_id) => pool.ask(songDetails.getSongDetails, { entity_id }, token)

async function aSpotlight(title: string, publishedAt: string | null) {
  const { sql } = pool.ctx
  const [list] = await sql<{ curated_list_id: number }[]>`
    insert into curated_list (title, created_by, published_at) values (${title}, '', ${publishedAt}) returning curated_list_id`
  await sql`insert into curated_list_song (curated_list_id, position, entity_id)
    values (${list?.curated_list_id ?? 0}, 1, ${song.entity_id})`
  return list?.curated_list_id
}

async function aPlaylist(title: string, customerId: number, isPublic: boolean) {
  const { sql } = pool.ctx
  const [playlist] = await sql<{ playlist_id: number }[]>`
    insert into playlist (customer_id, title, folded_title, public)
    values (${customerId}, ${title}, ${title.toLowerCase()}, ${isPublic}) returning playlist_id`
  await sql`insert into playlist_song (playlist_id, position, entity_id)
    values (${playlist?.playlist_id ?? 0}, 1, ${song.entity_id})`
}

test('label, album, ISRC and remixer are null when they are unknown', async () => {
  expect(await ask()).toMatchObject({ label: null, album: null, isrc: null, remixer: null, appearances: [] })
  await pool.ctx.sql`
    update song set label = 'Night Shift', isrc = 'GBAYE0601498', remixer = 'Halo' where entity_id = ${song.entity_id}`
  expect(await ask()).toMatchObject({ label: 'Night Shift', album: null, isrc: 'GBAYE0601498', remixer: 'Halo' })
})

test('each version has its format and size; a missing file has none', async () => {
  const [original, clean] = song.files
  expect((await ask()).versions).toMatchObject([
    { song_version_id: song.versionIds[0], format: 'mp3', bytes: original?.bytes.length },
    { song_version_id: song.versionIds[1], format: 'mp3', bytes: clean?.bytes.length },
  ])
  await pool.ctx.sql`update file set missing_since = now() where file_id = ${clean?.file_id ?? 0}`
  expect((await ask()).versions[1]?.bytes).toBeNull()
})

test('names charts, top 20s and visible spotlights, charts first', async () => {
  const { sql } = pool.ctx
  const id = await aSpotlight('Peak time', '2026-01-01')
  await aSpotlight('Next week', '2999-01-01')
  await aSpotlight('A draft', null)
  await sql`insert into chart_snapshot (chart, genre_id, rank, entity_id, n, song_section_id)
    values ('weekly', 0, 3, ${song.entity_id}, 9, 1), ('weekly', 7, 1, ${song.entity_id}, 9, 1),
      ('trending', 0, 1, ${song.entity_id}, 9, 1)`
  const [top20] = await sql<{ top20_track_id: number }[]>`
    insert into top20 (title, published_at) values ('May', now()) returning top20_track_id`
  await sql`insert into top20_song (top20_track_id, rank, entity_id) values (${top20?.top20_track_id ?? 0}, 2, ${song.entity_id})`
  expect((await ask()).appearances).toEqual([
    { kind: 'chart', chart_type: 'weekly', rank: 3 },
    { kind: 'top20', id: top20?.top20_track_id, title: 'May', rank: 2 },
    { kind: 'spotlight', id, title: 'Peak time' },
  ])
})

test('a member sees public playlists and their own, own first; a visitor sees none', async () => {
  const owner = await aMember(pool.ctx)
  const other = await aMember(pool.ctx)
  await aPlaylist('Mine', owner.customer_id, false)
  await aPlaylist('For everyone', other.customer_id, true)
  await aPlaylist('Private', other.customer_id, false)
  const playlistsOf = async (token?: string) =>
    (await ask(token)).appearances.flatMap((each) => (each.kind === 'playlist' ? each.title : []))
  expect(await playlistsOf(owner.token)).toEqual(['Mine', 'For everyone'])
  expect(await playlistsOf()).toEqual([])
})

test('hidden sections are left out', async () => {
  const { settings } = pool.ctx
  pool.ctx.settings = { ...settings, hidden: new Set(['charts', 'top20', 'spotlights']) } as typeof settings
  expect((await ask()).appearances).toEqual([])
  pool.ctx.settings = settings
})

test('an unpublished song has no details', async () => {
  const draft = await aSong(pool.ctx)
  await pool.ctx.sql`update song set status = 'unpublished' where entity_id = ${draft.entity_id}`
  expect(await errorOf(ask(undefined, draft.entity_id))).toMatchObject({ code: 'unknown_song' })
})
