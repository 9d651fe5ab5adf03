import { merging, type ParsedInputOf, type ReplyOf } from '@dubplate/contract'
import { followsInCatalogue, lookAtMerge } from '../catalogue/merge-preview.ts'
import type { Splitting } from '../catalogue/merged-songs.ts'
import { forgetMerged, mergeInCatalogue, type PlannedMerge, planMerge, replacedBy } from '../catalogue/merging.ts'
import { refreshCharts } from '../catalogue/moved-counts.ts'
import { lookAtSplit, splitInCatalogue, undoInCatalogue } from '../catalogue/splitting.ts'
import { holdSongs, type UpkeepSong } from '../catalogue/upkeep-songs.ts'
import { mergeDownloads, splitDownloads } from '../downloads/merged-songs.ts'
import { holdImports } from '../imports/song-shelf.ts'
import { followsInLibrary, mergeInLibrary, splitInLibrary } from '../library/merged-songs.ts'
import { type Asker, on } from '../membership/asker.ts'
import type { Sql } from '../platform/db.ts'
import type { Call } from '../platform/serve.ts'
import { untangled } from '../platform/untangled.ts'
import { mergeListens, splitListens } from '../player/merged-songs.ts'
import { holdUploads, mergeUploads, sendersOf, splitUploads } from '../uploads/merged-songs.ts'
import type { World } from '../world.ts'
import { type Deed, recordDeed } from './audit.ts'

/** Songs that are one come together, and one that is several is taken apart: each in one transaction over all rooms. */
export const songUpkeepRoutes = (world: World): Call<Asker>[] => [
  on(merging.getMerge, async ({ input }) => previewMerge(world.sql, input)),
  on(merging.mergeSongs, async ({ input, member, request }) =>
    mergeSongs(world, input, { staff_id: member.customer_id, ip: request.ip }),
  ),
  on(merging.getSplit, async ({ input }) => {
    const { song, ...split } = await lookAtSplit(world.sql, input.entity_id)
    const [shown] = await withSenders(world.sql, [song])
    return { song: shown ?? { ...song, sent_by: [] }, ...split }
  }),
  on(merging.splitSong, async ({ input, member, request }) =>
    splitSong(world, input, { staff_id: member.customer_id, ip: request.ip }),
  ),
  on(merging.undoMerge, async ({ input, member, request }) =>
    undoMerge(world, input.entity_id, { staff_id: member.customer_id, ip: request.ip }),
  ),
]

type By = Pick<Deed, 'staff_id' | 'ip'>

async function withSenders(sql: Sql, songs: readonly UpkeepSong[]): Promise<merging.UpkeepSong[]> {
  const senders = await sendersOf(
    sql,
    songs.map(({ entity_id }) => entity_id),
  )
  return songs.map(({ revision: _, ...song }) => ({
    ...song,
    sent_by: senders.filter(({ entity_id }) => entity_id === song.entity_id).map(({ dj_name }) => dj_name),
  }))
}

/** What a merge would do. Refuses `unknown_song`. */
async function previewMerge(
  sql: Sql,
  wish: ParsedInputOf<typeof merging.getMerge>,
): Promise<ReplyOf<typeof merging.getMerge>> {
  const { songs, ...look } = await lookAtMerge(sql, wish.entity_ids, wish.keep_entity_id)
  const into = look.keep_entity_id
  const from = songs.map(({ entity_id }) => entity_id).filter((id) => id !== into)
  const [inCatalogue, inLibrary, senders] = await Promise.all([
    followsInCatalogue(sql, from, into),
    followsInLibrary(sql, { from, into }),
    sendersOf(sql, from),
  ])
  const follows = { ...inCatalogue, ...inLibrary, uploads: senders.length }
  return { ...look, songs: await withSenders(sql, songs), follows }
}

/** Refuses what the contract names. */
async function mergeSongs(
  world: World,
  wish: ParsedInputOf<typeof merging.mergeSongs>,
  by: By,
): Promise<ReplyOf<typeof merging.mergeSongs>> {
  const ids = [...new Set([...wish.entity_ids, wish.keep_entity_id])]
  return untangled(world.sql, async (sql) => {
    await hold(sql, ids)
    const plan = await planMerge(sql, wish)
    await mergeInCatalogue(sql, plan, by.staff_id)
    await mergeInLibrary(sql, plan, replacedBy(plan.places))
    await mergeDownloads(sql, plan)
    await mergeListens(sql, plan)
    await mergeUploads(sql, plan)
    await forgetMerged(sql, plan)
    await refreshCharts(sql, world.now())
    await recordMerge(sql, plan, by)
    const kept = plan.songs.find(({ entity_id }) => entity_id === plan.into)
    return { entity_id: plan.into, title: kept?.title ?? '', artist: kept?.artist ?? '', merged: plan.from.length }
  })
}

const hold = async (sql: Sql, ids: readonly number[]): Promise<void> => {
  await holdImports(sql)
  await holdUploads(sql, ids)
  await holdSongs(sql, ids)
}

const named = ({ title, artist }: Pick<UpkeepSong, 'title' | 'artist'>): string => `${artist} – ${title}`

/** A line for each song that went, and one for the song that stayed: each is found by its number. */
async function recordMerge(sql: Sql, { songs, places, into, from }: PlannedMerge, by: By): Promise<void> {
  const labels = (side: 'before' | 'after') =>
    Object.fromEntries(
      places.map(({ song_version_id, version_label, status, label, becomes }) => [
        `version ${song_version_id}`,
        side === 'before' ? `${version_label}, ${status}` : `${label}, ${becomes}`,
      ]),
    )
  for (const song of songs.filter(({ entity_id }) => from.includes(entity_id)))
    await recordDeed(sql, {
      ...by,
      action: 'song merged into another',
      subject: `song ${song.entity_id}`,
      before: { song: named(song) },
      after: { merged_into: `song ${into}` },
    })
  await recordDeed(sql, {
    ...by,
    action: 'songs merged',
    subject: `song ${into}`,
    before: labels('before'),
    after: { ...labels('after'), merged: from.map((id) => `song ${id}`) },
  })
}

/** Moves what other rooms have of versions. */
const moveAlong = (sql: Sql) => async (splitting: Splitting) => {
  await splitInLibrary(sql, splitting)
  await splitDownloads(sql, splitting)
  await splitListens(sql, splitting)
  await splitUploads(sql, splitting)
}

/** Refuses what the contract names. */
async function splitSong(
  world: World,
  wish: ParsedInputOf<typeof merging.splitSong>,
  by: By,
): Promise<ReplyOf<typeof merging.splitSong>> {
  return untangled(world.sql, async (sql) => {
    await hold(sql, [wish.entity_id])
    const entity_id = await splitInCatalogue(sql, wish, moveAlong(sql))
    await refreshCharts(sql, world.now())
    const after = { into: `song ${entity_id}`, song: named(wish), versions: wish.song_version_ids }
    await recordDeed(sql, { ...by, action: 'song split', subject: `song ${wish.entity_id}`, after })
    return { entity_id }
  })
}

/** Refuses what the contract names. */
async function undoMerge(world: World, entityId: number, by: By): Promise<ReplyOf<typeof merging.undoMerge>> {
  return untangled(world.sql, async (sql) => {
    // Before it is read where the song went: another merge may take that one along meanwhile.
    await holdImports(sql)
    const [merged] = await sql<{ into_entity_id: number }[]>`
      select into_entity_id from merged_song where entity_id = ${entityId}`
    await hold(sql, merged ? [merged.into_entity_id] : [])
    const from = await undoInCatalogue(sql, entityId, moveAlong(sql))
    await refreshCharts(sql, world.now())
    const [before, after] = [{ merged_into: `song ${from}` }, { merged_into: 'none' }]
    await recordDeed(sql, { ...by, action: 'song merge undone', subject: `song ${entityId}`, before, after })
    return { entity_id: entityId }
  })
}
