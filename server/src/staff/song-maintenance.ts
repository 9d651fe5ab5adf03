import { merging, type ParsedInputOf, type ReplyOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { lockSongs, type MaintainedSong } from '../catalogue/maintained-songs.ts'
import { buildMergePreview, followsInCatalogue } from '../catalogue/merge-preview.ts'
import type { SongSplit } from '../catalogue/merged-songs.ts'
import {
  deleteMergeRecords,
  findReplaced,
  mergeInCatalogue,
  type PlannedMerge,
  planMerge,
} from '../catalogue/merging.ts'
import { refreshCharts } from '../catalogue/moved-counts.ts'
import { buildSplitPreview, splitInCatalogue, undoInCatalogue } from '../catalogue/splitting.ts'
import { mergeDownloads, splitDownloads } from '../downloads/merged-songs.ts'
import { lockCatalogue } from '../imports/add-songs.ts'
import { countLibraryMoves, mergeInLibrary, splitInLibrary } from '../library/merged-songs.ts'
import { type Caller, on } from '../membership/caller.ts'
import type { Sql } from '../platform/db.ts'
import { withDeadlockRetry } from '../platform/deadlock-retry.ts'
import type { Call } from '../platform/serve.ts'
import { mergeListens, splitListens } from '../player/merged-songs.ts'
import { findUploaders, lockUploads, mergeUploads, splitUploads } from '../uploads/merged-songs.ts'
import { type AuditAction, recordAudit } from './audit.ts'

/** Merging and splitting songs: each is one transaction across all modules. */
export const songMaintenanceRoutes = (ctx: AppContext): Call<Caller>[] => [
  on(merging.getMerge, async ({ input }) => previewMerge(ctx.sql, input)),
  on(merging.mergeSongs, async ({ input, member, request }) =>
    mergeSongs(ctx, input, { staff_id: member.customer_id, ip: request.ip }),
  ),
  on(merging.getSplit, async ({ input }) => {
    const { song, ...split } = await buildSplitPreview(ctx.sql, input.entity_id)
    const [songWithUploaders] = await addUploaders(ctx.sql, [song])
    return { song: songWithUploaders ?? { ...song, sent_by: [] }, ...split }
  }),
  on(merging.splitSong, async ({ input, member, request }) =>
    splitSong(ctx, input, { staff_id: member.customer_id, ip: request.ip }),
  ),
  on(merging.undoMerge, async ({ input, member, request }) =>
    undoMerge(ctx, input.entity_id, { staff_id: member.customer_id, ip: request.ip }),
  ),
]

type Actor = Pick<AuditAction, 'staff_id' | 'ip'>

async function addUploaders(sql: Sql, songs: readonly MaintainedSong[]): Promise<merging.MergeableSong[]> {
  const uploaders = await findUploaders(
    sql,
    songs.map(({ entity_id }) => entity_id),
  )
  return songs.map(({ revision: _, ...song }) => ({
    ...song,
    sent_by: uploaders.filter(({ entity_id }) => entity_id === song.entity_id).map(({ dj_name }) => dj_name),
  }))
}

/** Returns what a merge would do. Throws `unknown_song`. */
async function previewMerge(
  sql: Sql,
  params: ParsedInputOf<typeof merging.getMerge>,
): Promise<ReplyOf<typeof merging.getMerge>> {
  const { songs, ...impact } = await buildMergePreview(sql, params.entity_ids, params.keep_entity_id)
  const into = impact.keep_entity_id
  const from = songs.map(({ entity_id }) => entity_id).filter((id) => id !== into)
  const [catalogueCounts, libraryCounts, uploaders] = await Promise.all([
    followsInCatalogue(sql, from, into),
    countLibraryMoves(sql, { from, into }),
    findUploaders(sql, from),
  ])
  const follows = { ...catalogueCounts, ...libraryCounts, uploads: uploaders.length }
  return { ...impact, songs: await addUploaders(sql, songs), follows }
}

/** Throws the errors declared in the contract. */
async function mergeSongs(
  ctx: AppContext,
  params: ParsedInputOf<typeof merging.mergeSongs>,
  actor: Actor,
): Promise<ReplyOf<typeof merging.mergeSongs>> {
  const ids = [...new Set([...params.entity_ids, params.keep_entity_id])]
  return withDeadlockRetry(ctx.sql, async (sql) => {
    await lockForMaintenance(sql, ids)
    const mergePlan = await planMerge(sql, params)
    await mergeInCatalogue(sql, mergePlan, actor.staff_id)
    await mergeInLibrary(sql, mergePlan, findReplaced(mergePlan.places))
    await mergeDownloads(sql, mergePlan)
    await mergeListens(sql, mergePlan)
    await mergeUploads(sql, mergePlan)
    await deleteMergeRecords(sql, mergePlan)
    await refreshCharts(sql, ctx.now())
    await recordMerge(sql, mergePlan, actor)
    const keptSong = mergePlan.songs.find(({ entity_id }) => entity_id === mergePlan.into)
    return {
      entity_id: mergePlan.into,
      title: keptSong?.title ?? '',
      artist: keptSong?.artist ?? '',
      merged: mergePlan.from.length,
    }
  })
}

const lockForMaintenance = async (sql: Sql, ids: readonly number[]): Promise<void> => {
  await lockCatalogue(sql)
  await lockUploads(sql, ids)
  await lockSongs(sql, ids)
}

const formatSongName = ({ title, artist }: Pick<MaintainedSong, 'title' | 'artist'>): string => `${artist} – ${title}`

/** Records an entry for each merged song and one for the kept song, so that each is found by its number. */
async function recordMerge(sql: Sql, { songs, places, into, from }: PlannedMerge, actor: Actor): Promise<void> {
  const labels = (side: 'before' | 'after') =>
    Object.fromEntries(
      places.map(({ song_version_id, version_label, status, label, becomes }) => [
        `version ${song_version_id}`,
        side === 'before' ? `${version_label}, ${status}` : `${label}, ${becomes}`,
      ]),
    )
  for (const song of songs.filter(({ entity_id }) => from.includes(entity_id)))
    await recordAudit(sql, {
      ...actor,
      action: 'song merged into another',
      subject: `song ${song.entity_id}`,
      before: { song: formatSongName(song) },
      after: { merged_into: `song ${into}` },
    })
  await recordAudit(sql, {
    ...actor,
    action: 'songs merged',
    subject: `song ${into}`,
    before: labels('before'),
    after: { ...labels('after'), merged: from.map((id) => `song ${id}`) },
  })
}

/** Moves the data that other modules have about versions. */
const moveDependents = (sql: Sql) => async (splitting: SongSplit) => {
  await splitInLibrary(sql, splitting)
  await splitDownloads(sql, splitting)
  await splitListens(sql, splitting)
  await splitUploads(sql, splitting)
}

/** Throws the errors declared in the contract. */
async function splitSong(
  ctx: AppContext,
  params: ParsedInputOf<typeof merging.splitSong>,
  actor: Actor,
): Promise<ReplyOf<typeof merging.splitSong>> {
  return withDeadlockRetry(ctx.sql, async (sql) => {
    await lockForMaintenance(sql, [params.entity_id])
    const entity_id = await splitInCatalogue(sql, params, moveDependents(sql))
    await refreshCharts(sql, ctx.now())
    const after = { into: `song ${entity_id}`, song: formatSongName(params), versions: params.song_version_ids }
    await recordAudit(sql, { ...actor, action: 'song split', subject: `song ${params.entity_id}`, after })
    return { entity_id }
  })
}

/** Throws the errors declared in the contract. */
async function undoMerge(ctx: AppContext, entityId: number, actor: Actor): Promise<ReplyOf<typeof merging.undoMerge>> {
  return withDeadlockRetry(ctx.sql, async (sql) => {
    // Before reading which song it was merged into: another merge may merge that one at the same time.
    await lockCatalogue(sql)
    const [merged] = await sql<{ into_entity_id: number }[]>`
      select into_entity_id from merged_song where entity_id = ${entityId}`
    await lockForMaintenance(sql, merged ? [merged.into_entity_id] : [])
    const from = await undoInCatalogue(sql, entityId, moveDependents(sql))
    await refreshCharts(sql, ctx.now())
    const [before, after] = [{ merged_into: `song ${from}` }, { merged_into: 'none' }]
    await recordAudit(sql, { ...actor, action: 'song merge undone', subject: `song ${entityId}`, before, after })
    return { entity_id: entityId }
  })
}
