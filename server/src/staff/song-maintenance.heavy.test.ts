import { catalogue, curation, library, merging, playlists } from '@dubplate/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { aGenre, aMember, aSong } from '../../test/makers.ts'
import { errorOf, openTestPool, type TestPool } from '../../test/pool.ts'
import { anUpload, songData } from '../../test/upload-makers.ts'
import { waitForBlocked } from '../../test/wait-until.ts'
import { COUNT_CHECKS, findSequenceConflicts, findWrongCounts } from '../backups/consistency-checks.ts'
import { findOrAddSong } from '../catalogue/additions.ts'
import { listSongs } from '../catalogue/lists.ts'
import { refreshChart } from '../charts/chart-snapshots.ts'
import { rollUpDownloads } from '../downloads/chart-outbox.ts'
import { grantDownload } from '../downloads/grants.ts'
import { rollUpListens } from '../player/chart-outbox.ts'
import { recordListen } from '../player/listens.ts'
import { expireSongs } from '../uploads/expiry.ts'
import { publishUpload } from '../uploads/publishing.ts'
import { createSong, renewSong } from '../uploads/song-saving.ts'

let pool: TestPool
let curator: Awaited<ReturnType<typeof aMember>>
beforeAll(async () => {
  pool = await openTestPool({ usesUniqueAddresses: true })
  curator = await aMember(pool.ctx, { staff_role: 'curator' })
})
afterAll(() => pool.close())

type Song = Awaited<ReturnType<typeof aSong>>
type Member = Awaited<ReturnType<typeof aMember>>

const ids = (...songs: Song[]) => songs.map(({ entity_id }) => entity_id)
const previewMerge = (target: Song, ...others: Song[]) =>
  pool.ask(merging.getMerge, { entity_ids: ids(target, ...others), keep_entity_id: target.entity_id }, curator.token)

/** Merges as the preview proposes. */
async function merge(target: Song, ...others: Song[]) {
  const { versions, state } = await previewMerge(target, ...others)
  const choices = versions
    .filter(({ conflicts_with }) => conflicts_with !== null)
    .map(({ song_version_id, proposed_label }) => ({ song_version_id, version_label: proposed_label }))
  const overrides = { entity_ids: ids(target, ...others), keep_entity_id: target.entity_id, versions: choices, state }
  return pool.ask(merging.mergeSongs, overrides, curator.token)
}

const startDownload = (member: Member, song_version_id: number) =>
  grantDownload(pool.ctx.sql, { customer_id: member.customer_id, song_version_id, limit: 2 })

let playCount = 0
const listen = (member: Member, song_version_id: number) =>
  recordListen(pool.ctx.sql, member.customer_id, {
    song_version_id,
    listen_key: `k${++playCount}`,
    playlist_id: undefined,
  })

/** The genre counts that `pool check` reports as wrong. */
const findWrongGenreCounts = async () => [
  ...(await findWrongCounts(pool.ctx.sql, COUNT_CHECKS, () => {})),
  ...(await findSequenceConflicts(pool.ctx.sql)),
]

const songOf = async (entity_id: number) => (await pool.ask(catalogue.getSong, { entity_id }, curator.token)).song
const versionsOf = async (entity_id: number) =>
  (await songOf(entity_id)).version.map(({ version_label }) => version_label).sort()

test('merging moves versions and all members’ data to the song that is kept', async () => {
  const { sql } = pool.ctx
  const [house, mood] = [await aGenre(pool.ctx, 'House'), await aGenre(pool.ctx, 'Late', { kind: 'mood' })]
  const target = await aSong(pool.ctx, {
    title: 'Night Drive',
    artist: 'Kwame',
    genres: [house],
    versions: ['Clean', 'Dirty'],
  })
  const mergedSong = await aSong(pool.ctx, {
    title: 'Nite Drive',
    artist: 'Kwame',
    genres: [mood],
    versions: ['Clean', 'Intro'],
    label: 'Night Shift',
  })
  const [both, one] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  for (const song of [target, mergedSong])
    await pool.ask(library.favouriteAddRemove, { songId: song.entity_id }, both.token)
  await pool.ask(library.favouriteAddRemove, { songId: mergedSong.entity_id }, one.token)
  await pool.ask(library.crateChange, { version_ids: mergedSong.versionIds }, one.token)
  const filler = await aSong(pool.ctx)
  const { playlist } = await pool.ask(playlists.savePlaylist, { title: 'Sunday' }, both.token)
  const last = await aSong(pool.ctx)
  for (const song of [mergedSong, filler, target, last])
    await pool.ask(
      playlists.changePlaylistSongs,
      { playlist_id: playlist.playlist_id, song_ids: [song.entity_id], action: 'add' },
      both.token,
    )
  const [list] = await sql<{ curated_list_id: number }[]>`
    insert into curated_list (title, created_by) values ('Openers', 'Staff') returning curated_list_id`
  await sql`insert into curated_list_song (curated_list_id, position, entity_id)
    values (${list?.curated_list_id ?? 0}, 1, ${filler.entity_id}), (${list?.curated_list_id ?? 0}, 2, ${target.entity_id}),
      (${list?.curated_list_id ?? 0}, 3, ${mergedSong.entity_id})`
  const [top] = await sql<
    { top20_track_id: number }[]
  >`insert into top20 (title) values ('June') returning top20_track_id`
  await sql`insert into top20_song (top20_track_id, rank, entity_id)
    values (${top?.top20_track_id ?? 0}, 1, ${mergedSong.entity_id}), (${top?.top20_track_id ?? 0}, 2, ${filler.entity_id}),
      (${top?.top20_track_id ?? 0}, 3, ${target.entity_id})`
  await sql`insert into trending_override (rank, entity_id) values (3, ${mergedSong.entity_id}), (9, ${target.entity_id})`
  const [keptClean = 0] = target.versionIds
  const [removedClean = 0, removedIntro = 0] = mergedSong.versionIds
  for (const version of [keptClean, removedClean]) await startDownload(both, version)
  await startDownload(one, removedClean)
  await listen(one, removedIntro)
  await rollUpDownloads(sql)
  // Left in the outboxes: rows that were not counted yet follow as well.
  await startDownload(one, keptClean)
  await startDownload(both, removedIntro)
  await listen(both, removedClean)
  for (const chart of ['daily', 'monthly', 'trending'] as const) await refreshChart(sql, chart, pool.ctx.now())
  expect(await findWrongGenreCounts()).toEqual([])

  const preview = await previewMerge(target, mergedSong)
  expect(preview.follows).toEqual({
    favourites: { rows: 2, doubles: 1 },
    playlists: { rows: 1, doubles: 1 },
    crates: 1,
    downloads: 2,
    listens: 0,
    lists: [
      { title: 'June', double: true },
      { title: 'Openers', double: true },
    ],
    trending: { rows: 1, doubles: 1 },
    uploads: 0,
  })
  expect(preview.versions.find(({ song_version_id }) => song_version_id === removedClean)).toMatchObject({
    proposed_label: 'Clean (2)',
    conflicts_with: keptClean,
  })
  await merge(target, mergedSong)

  expect(await findWrongGenreCounts()).toEqual([])
  await rollUpDownloads(sql)
  await rollUpListens(sql)
  expect(await findWrongGenreCounts()).toEqual([])
  // The old URL leads to the kept song, which has all versions, and the values it lacked.
  expect((await songOf(mergedSong.entity_id)).entity_id).toBe(target.entity_id)
  expect(await versionsOf(target.entity_id)).toEqual(['Clean', 'Clean (2)', 'Dirty', 'Intro'])
  const [row] = await sql`select label from song where entity_id = ${target.entity_id}`
  expect(row?.label).toBe('Night Shift')
  const inGenres = await sql<
    { genre_id: number }[]
  >`select genre_id from song_genre where entity_id = ${target.entity_id} order by 1`
  expect(inGenres.map(({ genre_id }) => genre_id)).toEqual([house, mood].sort((a, b) => a - b))
  const favourites = await sql<{ customer_id: number }[]>`
    select customer_id from favourite where entity_id = ${target.entity_id} order by 1`
  expect(favourites.map(({ customer_id }) => customer_id)).toEqual([both.customer_id, one.customer_id])
  const crate = await sql<{ song_version_id: number }[]>`
    select song_version_id from crate_item where customer_id = ${one.customer_id} and entity_id = ${target.entity_id} order by 1`
  expect(crate.map(({ song_version_id }) => song_version_id)).toEqual([removedClean, removedIntro])
  const inPlaylist = await sql`
    select entity_id, position from playlist_song where playlist_id = ${playlist.playlist_id} order by position`
  expect(inPlaylist).toEqual([
    { entity_id: target.entity_id, position: 1 },
    { entity_id: filler.entity_id, position: 2 },
    { entity_id: last.entity_id, position: 3 },
  ])
  expect(
    await sql`select position as n, entity_id from curated_list_song where curated_list_id = ${list?.curated_list_id ?? 0} order by 1`,
  ).toEqual([
    { n: 1, entity_id: filler.entity_id },
    { n: 2, entity_id: target.entity_id },
  ])
  expect(
    await sql`select rank as n, entity_id from top20_song where top20_track_id = ${top?.top20_track_id ?? 0} order by 1`,
  ).toEqual([
    { n: 1, entity_id: target.entity_id },
    { n: 2, entity_id: filler.entity_id },
  ])
  expect(await sql`select rank, entity_id from trending_override`).toEqual([{ rank: 3, entity_id: target.entity_id }])
  const [total] = await sql`select downloads, listens from song_total where entity_id = ${target.entity_id}`
  expect(total).toEqual({ downloads: 5, listens: 2 })
  // A version keeps its id, so downloads used for it stay used, and its history stays.
  const grants = await sql`select used from download_grant where song_version_id = ${removedClean} order by customer_id`
  expect(grants).toEqual([{ used: 1 }, { used: 1 }])
  // Lists, charts and the search have only the kept song.
  const { songs } = await listSongs(
    sql,
    { genre_id: mood, song_section_id: 1, page: 1, order: 'entity_id', orderDir: 'DESC' },
    2,
  )
  expect(songs.map(({ entity_id }) => entity_id)).toEqual([target.entity_id])
  const chartRows = await sql<{ entity_id: number; n: number }[]>`
    select entity_id, n from chart_snapshot where chart = 'monthly' and genre_id = 0 and song_section_id = 1 and entity_id = any(${ids(target, mergedSong)}::bigint[])`
  expect(chartRows.map(({ entity_id }) => entity_id)).toEqual([target.entity_id])
  // Each of the songs is found in the log by its number.
  const auditEntries = await sql`select action, subject from audit order by audit_id`
  expect(auditEntries).toEqual([
    { action: 'song merged into another', subject: `song ${mergedSong.entity_id}` },
    { action: 'songs merged', subject: `song ${target.entity_id}` },
  ])
  // A new file with the old name becomes a version of the kept song.
  const found = await sql.begin((sql) => findOrAddSong(sql, { title: 'Nite Drive', artist: 'Kwame' }))
  expect(found).toEqual({ entity_id: target.entity_id, added: false })
})

test('every table that refers to songs or versions is covered', async () => {
  const rows = await pool.ctx.sql<{ place: string }[]>`
    select c.conrelid::regclass || '.' || a.attname as place
    from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = any(c.conkey)
    where c.contype = 'f' and c.confrelid in ('song'::regclass, 'song_version'::regclass) order by 1`
  // A new entry here has to follow a merge and a split: merging.ts, splitting.ts and the merged-songs.ts of its module.
  expect(rows.map(({ place }) => place)).toEqual([
    'chart_count.entity_id',
    'chart_snapshot.entity_id',
    'cloud_delivery_file.song_version_id',
    'crate_item.entity_id',
    'crate_item.song_version_id',
    'curated_list_song.entity_id',
    'dig_decision.entity_id',
    'download.entity_id',
    'download.song_version_id',
    'download_grant.song_version_id',
    'download_transfer.song_version_id',
    'favourite.entity_id',
    'import_file.song_version_id',
    'listen.entity_id',
    'listen.song_version_id',
    'listen_count.entity_id',
    'merged_song.into_entity_id',
    'mute.entity_id',
    'own_library_candidate.entity_id',
    'own_library_candidate.song_version_id',
    'own_library_entry.entity_id',
    'own_library_entry.song_version_id',
    'playlist_song.entity_id',
    'song_credit.entity_id',
    'song_edit_song.entity_id',
    'song_genre.entity_id',
    'song_search.entity_id',
    'song_total.entity_id',
    'song_version.entity_id',
    'top20_song.entity_id',
    'trending_override.entity_id',
    'upload_song.entity_id',
  ])
})

test('two versions with the same name keep distinct names, or one is unpublished and crates get the other', async () => {
  const [target, mergedSong] = [await aSong(pool.ctx), await aSong(pool.ctx)]
  const member = await aMember(pool.ctx)
  await pool.ask(library.crateAddRemove, { songId: mergedSong.entity_id }, member.token)
  const { state } = await previewMerge(target, mergedSong)
  const overrides = { entity_ids: ids(target, mergedSong), keep_entity_id: target.entity_id, state }
  expect(await errorOf(pool.ask(merging.mergeSongs, overrides, curator.token))).toMatchObject({
    code: 'duplicate_version_label',
    message: 'Two versions would be named “Clean”. Rename or unpublish one of them.',
  })
  const [removedClean = 0] = mergedSong.versionIds
  const unpublished = [{ song_version_id: removedClean, version_label: 'Clean', unpublish: true }]
  await pool.ask(merging.mergeSongs, { ...overrides, versions: unpublished }, curator.token)
  expect(await versionsOf(target.entity_id)).toEqual(['Clean'])
  expect(
    await pool.ctx.sql`select song_version_id, entity_id from crate_item where customer_id = ${member.customer_id}`,
  ).toEqual([{ song_version_id: target.versionIds[0], entity_id: target.entity_id }])
  expect(await findWrongGenreCounts()).toEqual([])
})

test('a merge needs the current state of its songs, and does not republish an unpublished one', async () => {
  const [target, mergedSong] = [await aSong(pool.ctx, { versions: ['Dirty'] }), await aSong(pool.ctx)]
  const { state } = await previewMerge(target, mergedSong)
  await pool.ctx.sql`update song set title = 'Corrected', revision = revision + 1 where entity_id = ${target.entity_id}`
  const overrides = { entity_ids: ids(target, mergedSong), keep_entity_id: target.entity_id, state }
  expect((await errorOf(pool.ask(merging.mergeSongs, overrides, curator.token))).code).toBe('conflict')
  const { unpublishSong } = await import('../catalogue/publication.ts')
  await pool.ctx.sql.begin((sql) => unpublishSong(sql, mergedSong.entity_id))
  expect((await previewMerge(mergedSong, target)).blocked_reason).toMatch(/is unpublished\. Republish it first/)
  await merge(target, mergedSong)
  expect(await versionsOf(target.entity_id)).toEqual(['Dirty'])
  expect(await findWrongGenreCounts()).toEqual([])
})

test('undoing a merge restores id, name, genres and versions, and counts follow the versions', async () => {
  const { sql } = pool.ctx
  const genre = await aGenre(pool.ctx, 'Garage')
  const target = await aSong(pool.ctx, { title: 'One' })
  const mergedSong = await aSong(pool.ctx, { title: 'Two', genres: [genre], versions: ['Clean', 'Extended'] })
  const third = await aSong(pool.ctx, { title: 'Three', versions: ['Acapella'] })
  const member = await aMember(pool.ctx)
  const [removedClean = 0] = mergedSong.versionIds
  await startDownload(member, removedClean)
  await rollUpDownloads(sql)
  await merge(target, mergedSong)
  // Merged further: the URL of the first song still leads to it.
  await merge(third, target)
  expect((await songOf(mergedSong.entity_id)).entity_id).toBe(third.entity_id)
  await startDownload(await aMember(pool.ctx), removedClean)
  await listen(member, removedClean)
  const { merges } = await pool.ask(merging.getSplit, { entity_id: third.entity_id }, curator.token)
  expect(merges.map(({ title, blocked_reason }) => ({ title, blocked_reason }))).toEqual([
    { title: 'One', blocked_reason: '' },
    { title: 'Two', blocked_reason: '' },
  ])
  await pool.ask(merging.undoMerge, { entity_id: mergedSong.entity_id }, curator.token)
  expect(await findWrongGenreCounts()).toEqual([])
  const back = await songOf(mergedSong.entity_id)
  expect({ id: back.entity_id, title: back.title, genres: back.genres.map(({ name }) => name) }).toEqual({
    id: mergedSong.entity_id,
    title: 'Two',
    genres: ['Garage'],
  })
  expect(await versionsOf(mergedSong.entity_id)).toEqual(['Clean', 'Extended'])
  expect(await versionsOf(third.entity_id)).toEqual(['Acapella', 'Clean'])
  const totals =
    await sql`select entity_id, downloads, listens from song_total where entity_id = any(${ids(third, mergedSong)}::bigint[])`
  expect(totals).toEqual([{ entity_id: mergedSong.entity_id, downloads: 2, listens: 1 }])
  expect((await errorOf(pool.ask(merging.undoMerge, { entity_id: mergedSong.entity_id }, curator.token))).code).toBe(
    'unknown_song',
  )
})

test('splitting moves versions to a song of their own, with their downloads, listens and crate entries', async () => {
  const { sql } = pool.ctx
  const genre = await aGenre(pool.ctx, 'Dub')
  const song = await aSong(pool.ctx, { title: 'Mixed Up', genres: [genre], versions: ['Clean', 'Dirty'] })
  const member = await aMember(pool.ctx)
  const [clean = 0, dirty = 0] = song.versionIds
  await pool.ask(library.crateChange, { version_ids: song.versionIds }, member.token)
  await pool.ask(library.favouriteAddRemove, { songId: song.entity_id }, member.token)
  for (const version of [clean, dirty, dirty]) await startDownload(member, version)
  await listen(member, dirty)
  const { state } = await pool.ask(merging.getSplit, { entity_id: song.entity_id }, curator.token)
  const overrides = {
    entity_id: song.entity_id,
    song_version_ids: [dirty],
    title: 'Other Song',
    artist: 'Kwame',
    state,
  }
  expect(
    (await errorOf(pool.ask(merging.splitSong, { ...overrides, song_version_ids: [clean, dirty] }, curator.token)))
      .code,
  ).toBe('no_version_left')
  const { entity_id } = await pool.ask(merging.splitSong, overrides, curator.token)
  expect(await findWrongGenreCounts()).toEqual([])
  expect(await versionsOf(entity_id)).toEqual(['Dirty'])
  expect(await versionsOf(song.entity_id)).toEqual(['Clean'])
  const totals = await sql`
    select downloads, listens from song_total where entity_id in (${entity_id}, ${song.entity_id}) order by entity_id desc`
  expect(totals).toEqual([
    { downloads: 1, listens: 1 },
    { downloads: 1, listens: 0 },
  ])
  const crate =
    await sql`select song_version_id from crate_item where customer_id = ${member.customer_id} and entity_id = ${entity_id}`
  expect(crate).toEqual([{ song_version_id: dirty }])
  const { pagination } = await listSongs(
    sql,
    { genre_id: genre, song_section_id: 1, page: 1, order: 'entity_id', orderDir: 'DESC' },
    2,
  )
  expect(pagination.totalCount).toBe(2)
  const again = await pool.ask(merging.getSplit, { entity_id: song.entity_id }, curator.token)
  expect(
    (
      await errorOf(
        pool.ask(merging.splitSong, { ...overrides, song_version_ids: [clean], state: again.state }, curator.token),
      )
    ).code,
  ).toBe('no_version_left')
})

test('an expired upload that was merged takes only its own versions out of the pool, and renewing restores them', async () => {
  const { sql } = pool.ctx
  const genre = await aGenre(pool.ctx, 'Amapiano')
  const uploader = await aMember(pool.ctx)
  const file = await anUpload(pool.ctx, uploader)
  const [kind] = await sql<{ version_kind_id: number }[]>`select version_kind_id from version_kind where name = 'Dirty'`
  const { entity_id: uploadId } = await createSong(pool.ctx, uploader.customer_id, {
    songData: songData({ title: 'Sent In', genres: [genre] }),
    versions: [
      {
        version_id: kind?.version_kind_id,
        song: file,
        new_label: '',
        start_min: 0,
        start_sec: 0,
        song_version_id: undefined,
      },
    ],
  } as never)
  const poolId = await sql.begin((sql) =>
    publishUpload(pool.ctx, sql, { entity_id: uploadId, version: 1, staff_id: curator.customer_id }),
  )
  const own = await aSong(pool.ctx, { versions: ['Clean'] })
  await merge(own, { ...own, entity_id: poolId })
  expect(await versionsOf(own.entity_id)).toEqual(['Clean', 'Dirty'])
  await sql`update upload_song set expires_at = now() - interval '1 day' where upload_song_id = ${uploadId}`
  await expireSongs(pool.ctx)
  expect(await versionsOf(own.entity_id)).toEqual(['Clean'])
  await renewSong(pool.ctx, uploader.customer_id, uploadId)
  expect(await versionsOf(own.entity_id)).toEqual(['Clean', 'Dirty'])
  // After the split it is again the upload of that song.
  await pool.ask(merging.undoMerge, { entity_id: poolId }, curator.token)
  const [row] = await sql`select entity_id from upload_song where upload_song_id = ${uploadId}`
  expect(row?.entity_id).toBe(poolId)
  expect(await findWrongGenreCounts()).toEqual([])
})

async function aSpotlight(...songs: Song[]): Promise<number> {
  const { sql } = pool.ctx
  const [list] = await sql<{ curated_list_id: number }[]>`
    insert into curated_list (title, created_by) values ('Openers', 'Staff') returning curated_list_id`
  const listId = list?.curated_list_id ?? 0
  await sql`
    insert into curated_list_song (curated_list_id, position, entity_id)
    select ${listId}, n, entity_id from unnest(${ids(...songs)}::bigint[]) with ordinality songs (entity_id, n)`
  return listId
}

/**
 * Merges, and runs these actions at the same time: they begin while the merge has locked its songs, and it continues
 * when they wait.
 */
async function duringMerge<T>(target: Song, mergedSong: Song, ...what: (() => Promise<T>)[]): Promise<T[]> {
  const { sql } = pool.ctx
  const listId = await aSpotlight(mergedSong)
  const concurrentEdit = await sql.begin(async (lockingSql) => {
    await lockingSql`select 1 from curated_list where curated_list_id = ${listId} for update`
    const mergeRequest = merge(target, mergedSong)
    await waitForBlocked(sql, 1)
    const work = what.map((one) => one())
    await waitForBlocked(sql, 1 + work.length)
    return { underWay: mergeRequest, work }
  })
  await concurrentEdit.underWay
  return Promise.all(concurrentEdit.work)
}

test('a favourite or crate entry added during a merge belongs to the kept song', async () => {
  const [target, mergedSong] = [await aSong(pool.ctx, { versions: ['Dirty'] }), await aSong(pool.ctx)]
  const [one, two] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  const [songId, versionId] = [mergedSong.entity_id, mergedSong.versionIds[0] ?? 0]
  await duringMerge<object>(
    target,
    mergedSong,
    () => pool.ask(library.favouriteAddRemove, { songId }, one.token),
    () => pool.ask(library.crateAddRemove, { songId, versionId }, one.token),
    () => pool.ask(library.crateChange, { version_ids: [versionId] }, two.token),
  )
  const favourites = await pool.ask(library.getFavouriteSongs, {}, one.token)
  expect(favourites.favouriteSongs).toEqual([target.entity_id])
  for (const { token } of [one, two])
    expect(await pool.ask(library.getCrates, {}, token)).toEqual({
      version: [versionId],
      crates: [target.entity_id],
      count: 1,
    })
})

test('adding a song that is being merged away to a list counts it as unpublished', async () => {
  const [target, mergedSong] = [await aSong(pool.ctx, { versions: ['Dirty'] }), await aSong(pool.ctx)]
  const [one, two] = [await aMember(pool.ctx), await aMember(pool.ctx)]
  const { playlist } = await pool.ask(playlists.savePlaylist, { title: 'Sunday' }, one.token)
  const song_ids = [target.entity_id, mergedSong.entity_id]
  const codeOf = async (call: Promise<object>) => (await errorOf(call)).code
  const outcomes = await duringMerge<unknown>(
    target,
    mergedSong,
    () => pool.ask(library.favouriteChange, { song_ids }, one.token),
    () => codeOf(pool.ask(playlists.savePlaylist, { title: 'Monday', song_ids }, two.token)),
    () =>
      codeOf(
        pool.ask(
          playlists.changePlaylistSongs,
          { playlist_id: playlist.playlist_id, song_ids, action: 'add' },
          one.token,
        ),
      ),
  )
  expect(outcomes).toEqual([{ changed: 1 }, 'unknown_song', 'unknown_song'])
  expect((await pool.ask(playlists.getPlaylists, {}, two.token)).playlists.map(({ title }) => title)).not.toContain(
    'Monday',
  )
})

test('a playlist that is changed during a merge has both changes', async () => {
  const [target, mergedSong] = [await aSong(pool.ctx, { versions: ['Dirty'] }), await aSong(pool.ctx)]
  const last = await aSong(pool.ctx)
  const { token } = await aMember(pool.ctx)
  const overrides = { title: 'Sunday', song_ids: [mergedSong.entity_id] }
  const { playlist_id } = (await pool.ask(playlists.savePlaylist, overrides, token)).playlist
  const song_ids = ids(target, last)
  // It has locked the playlist and waits for the song; the merge has locked the song and waits for the playlist.
  const add = () => pool.ask(playlists.changePlaylistSongs, { playlist_id, song_ids, action: 'add' }, token)
  await duringMerge(target, mergedSong, add)
  const { songs } = await pool.ask(playlists.viewPlaylist, { playlist_id }, token)
  expect(songs.map(({ entity_id }) => entity_id)).toEqual(song_ids)
})

test('saving a list during a merge is not an internal error', async () => {
  const [target, mergedSong] = [await aSong(pool.ctx, { versions: ['Dirty'] }), await aSong(pool.ctx)]
  const draft = { kind: 'top20', title: 'November', entity_ids: ids(mergedSong) } as const
  const { list } = await pool.ask(curation.saveList, draft, curator.token)
  const { kind, list_id, version } = list
  const again = { kind, list_id, version, title: 'December', entity_ids: ids(mergedSong, target) }
  // One of the two is retried: the merge has changed the list, or changes the saved one.
  const save = () => pool.request(curation.saveList, again, curator.token)
  const [saved] = await duringMerge(target, mergedSong, save)
  expect(saved?.json().message ?? 'saved').toMatch(/^saved$|^Someone else changed this list\./)
  const now = (await pool.ask(curation.getList, { kind, list_id }, curator.token)).list
  expect(now.entity_ids).toEqual(ids(target))
})

test('undoing a merge during another merge waits for additions to the song that has it by then', async () => {
  const { sql } = pool.ctx
  const [mergedSong, between] = [await aSong(pool.ctx), await aSong(pool.ctx, { versions: ['Dirty'] })]
  const target = await aSong(pool.ctx, { versions: ['Intro'] })
  const { customer_id, token } = await aMember(pool.ctx)
  await merge(between, mergedSong)
  const listId = await aSpotlight(between)
  // The merge waits for the list, and undoing the first one waits for the merge; then it waits for a listen.
  const listening = await sql.reserve()
  const crate = await sql.reserve()
  const concurrentEdit = await sql.begin(async (lockingSql) => {
    await lockingSql`select 1 from curated_list where curated_list_id = ${listId} for update`
    const mergeRequest = merge(target, between)
    await waitForBlocked(sql, 1)
    const undoRequest = pool.ask(merging.undoMerge, { entity_id: mergedSong.entity_id }, curator.token)
    await waitForBlocked(sql, 2)
    await listening`begin`
    const playCount = listening`lock table listen_outbox in row exclusive mode`.execute()
    await waitForBlocked(sql, 3)
    return { underWay: mergeRequest, undoing: undoRequest, heard: playCount }
  })
  await Promise.all([concurrentEdit.underWay, concurrentEdit.heard])
  await waitForBlocked(sql, 1)
  await crate`begin`
  await crate`
    insert into crate_item (customer_id, song_version_id, entity_id)
    values (${customer_id}, ${mergedSong.versionIds[0] ?? 0}, ${target.entity_id})`
  await listening`commit`
  await Promise.race([concurrentEdit.undoing, waitForBlocked(sql, 1)])
  await crate`commit`
  await concurrentEdit.undoing
  listening.release()
  crate.release()
  const { crates } = await pool.ask(library.getCrates, {}, token)
  expect(crates).toEqual([mergedSong.entity_id])
})

test('a download during a merge waits, and belongs to the kept song', async () => {
  const { sql } = pool.ctx
  const [target, mergedSong] = [await aSong(pool.ctx, { versions: ['Dirty'] }), await aSong(pool.ctx)]
  const member = await aMember(pool.ctx)
  await duringMerge<unknown>(
    target,
    mergedSong,
    () => startDownload(member, mergedSong.versionIds[0] ?? 0),
    () => listen(member, mergedSong.versionIds[0] ?? 0),
  )
  await rollUpDownloads(sql)
  await rollUpListens(sql)
  expect(await findWrongGenreCounts()).toEqual([])
  const [total] = await sql`select downloads, listens from song_total where entity_id = ${target.entity_id}`
  expect(total).toEqual({ downloads: 1, listens: 1 })
})

test('a download and a merge at once have the same result as one after the other', async () => {
  const { sql } = pool.ctx
  const [target, mergedSong] = [await aSong(pool.ctx, { versions: ['Dirty'] }), await aSong(pool.ctx)]
  const members = await Promise.all(Array.from({ length: 12 }, () => aMember(pool.ctx)))
  const [version = 0] = mergedSong.versionIds
  await Promise.all([
    ...members.map((member) => startDownload(member, version)),
    rollUpDownloads(sql),
    merge(target, mergedSong),
    ...members.map((member) => listen(member, version)),
    rollUpDownloads(sql),
  ])
  await rollUpDownloads(sql)
  await rollUpListens(sql)
  expect(await findWrongGenreCounts()).toEqual([])
  const [total] = await sql`select downloads, listens from song_total where entity_id = ${target.entity_id}`
  expect(total).toEqual({ downloads: 12, listens: 12 })
})

test('each version keeps its tempo and key when songs are merged and split, and the songs show those of their versions', async () => {
  const slow = await aSong(pool.ctx, { min_bpm: 100, bpm_source: 'tag', song_key: 'C', key_source: 'tag' })
  const fast = await aSong(pool.ctx, {
    min_bpm: 128,
    bpm_source: 'tag',
    song_key: 'Em',
    key_source: 'tag',
    versions: ['Dirty'],
  })
  const tempoOf = async (entityId: number) => {
    const { min_bpm, max_bpm, song_key, version } = await songOf(entityId)
    return [min_bpm, max_bpm, song_key, version.map(({ bpm, song_key }) => `${bpm} ${song_key}`)]
  }
  const separate = [
    [100, 100, 'C', ['100 C']],
    [128, 128, 'Em', ['128 Em']],
  ]
  const merged = [100, 128, 'C', ['100 C', '128 Em']]
  await merge(slow, fast)
  expect(await tempoOf(slow.entity_id)).toEqual(merged)
  await pool.ask(merging.undoMerge, { entity_id: fast.entity_id }, curator.token)
  expect([await tempoOf(slow.entity_id), await tempoOf(fast.entity_id)]).toEqual(separate)
  await merge(slow, fast)
  const { state } = await pool.ask(merging.getSplit, { entity_id: slow.entity_id }, curator.token)
  const { entity_id } = await pool.ask(
    merging.splitSong,
    { entity_id: slow.entity_id, song_version_ids: fast.versionIds, title: 'On its own', artist: 'Kwame', state },
    curator.token,
  )
  expect([await tempoOf(slow.entity_id), await tempoOf(entity_id)]).toEqual(separate)
})
