import { merging, type ParsedInputOf, type ReplyOf } from '@dubplate/contract'
import { lockSongs, type MaintainedSong } from '../catalogue/maintained-songs.ts'
import { buildMergePreview, countMergedEvents } from '../catalogue/merge-preview.ts'
import type { SongSplit } from '../catalogue/merged-songs.ts'
import {
  deleteMergeRecords,
  findReplaced,
  mergeInCatalogue,
  type PlannedMerge,
  planMerge,
} from '../catalogue/merging.ts'
import { splitCounts } from '../catalogue/moved-counts.ts'
import { buildSplitPreview, splitInCatalogue, undoInCatalogue } from '../catalogue/splitting.ts'
import { refreshCharts, removeFromCharts } from '../charts/chart-snapshots.ts'
import { countListMoves, mergeInLists } from '../curation/merging-lists.ts'
import { mergeDigging } from '../digging/merged-songs.ts'
import {
  countVersionDownloads,
  downloadTimes,
  lockDownloads,
  mergeDownloads,
  splitDownloads,
} from '../downloads/merged-songs.ts'
import { lockCatalogue } from '../imports/add-songs.ts'
import { countFavourites, countLibraryMoves, mergeInLibrary, splitInLibrary } from '../library/merged-songs.ts'
import type { Route } from '../membership/caller.ts'
import { mergeOwnLibraries, splitOwnLibraries } from '../own-library/merged-songs.ts'
import type { Sql } from '../platform/db.ts'
import { listenTimes, lockListens, mergeListens, splitListens } from '../player/merged-songs.ts'
import { findUploaders, lockUploads, mergeUploads, splitUploads } from '../uploads/merged-songs.ts'
import { type AuditEntry, staffRead, staffWrite } from './audit.ts'

const subject = ({ entity_id }: { entity_id: number }) => `song ${entity_id}`

/** Merging and splitting songs: each is one transaction across all modules. */
export const songMaintenanceRoutes: Route[] = [
  staffRead(merging.getMerge, async ({ input, sql }) => previewMerge(sql, input)),
  staffWrite(merging.mergeSongs, {}, async ({ input, staff_id, sql, ctx }) => {
    const mergePlan = await mergeSongs(sql, input, staff_id)
    await refreshCharts(sql, ctx.now())
    const { into, from, songs } = mergePlan
    const keptSong = songs.find(({ entity_id }) => entity_id === into)
    return {
      reply: { entity_id: into, title: keptSong?.title ?? '', artist: keptSong?.artist ?? '', merged: from.length },
      entries: mergeEntries(mergePlan),
    }
  }),
  staffRead(merging.getSplit, async ({ input, sql }) => {
    const { song, versions, ...split } = await buildSplitPreview(sql, input.entity_id)
    const [songWithUse] = await addUse(sql, [song])
    return {
      song: songWithUse ?? { ...song, favourites: 0, sent_by: [] },
      versions: await addDownloads(sql, versions),
      ...split,
    }
  }),
  staffWrite(merging.splitSong, { action: 'song split', subject }, async ({ input, sql, ctx }) => {
    await lockForMaintenance(sql, [input.entity_id])
    const entity_id = await splitInCatalogue(sql, input, moveDependents(sql))
    await refreshCharts(sql, ctx.now())
    const after = { into: subject({ entity_id }), song: formatSongName(input), versions: input.song_version_ids }
    return { reply: { entity_id }, after }
  }),
  staffWrite(merging.undoMerge, { action: 'song merge undone', subject }, async ({ input, sql, ctx }) => {
    const from = await undoMerge(sql, input.entity_id)
    await refreshCharts(sql, ctx.now())
    return {
      reply: { entity_id: input.entity_id },
      before: { merged_into: subject({ entity_id: from }) },
      after: { merged_into: 'none' },
    }
  }),
]

/** Adds what other modules know about songs: their favourites and uploaders. */
async function addUse(sql: Sql, songs: readonly MaintainedSong[]): Promise<merging.MergeableSong[]> {
  const ids = songs.map(({ entity_id }) => entity_id)
  const [favourites, uploaders] = await Promise.all([countFavourites(sql, ids), findUploaders(sql, ids)])
  return songs.map(({ revision: _, ...song }) => ({
    ...song,
    favourites: favourites.get(song.entity_id) ?? 0,
    sent_by: uploaders.filter(({ entity_id }) => entity_id === song.entity_id).map(({ dj_name }) => dj_name),
  }))
}

async function addDownloads<T extends { song_version_id: number }>(sql: Sql, versions: readonly T[]) {
  const downloads = await countVersionDownloads(
    sql,
    versions.map(({ song_version_id }) => song_version_id),
  )
  return versions.map((version) => ({ ...version, downloads: downloads.get(version.song_version_id) ?? 0 }))
}

/** Returns what a merge would do. Throws `unknown_song`. */
async function previewMerge(
  sql: Sql,
  params: ParsedInputOf<typeof merging.getMerge>,
): Promise<ReplyOf<typeof merging.getMerge>> {
  const { songs, versions, ...impact } = await buildMergePreview(sql, params.entity_ids, params.keep_entity_id)
  const into = impact.keep_entity_id
  const from = songs.map(({ entity_id }) => entity_id).filter((id) => id !== into)
  const [counts, lists, libraryCounts, uploaders] = await Promise.all([
    countMergedEvents(sql, from),
    countListMoves(sql, { from, into }),
    countLibraryMoves(sql, { from, into }),
    findUploaders(sql, from),
  ])
  const follows = { ...counts, ...lists, ...libraryCounts, uploads: uploaders.length }
  return { ...impact, songs: await addUse(sql, songs), versions: await addDownloads(sql, versions), follows }
}

/** Throws the errors declared in the contract. */
async function mergeSongs(
  sql: Sql,
  params: ParsedInputOf<typeof merging.mergeSongs>,
  staffId: number,
): Promise<PlannedMerge> {
  await lockForMaintenance(sql, [...new Set([...params.entity_ids, params.keep_entity_id])])
  const mergePlan = await planMerge(sql, params)
  await mergeInCatalogue(sql, mergePlan, staffId)
  await removeFromCharts(sql, mergePlan.from)
  await mergeInLists(sql, mergePlan)
  await mergeInLibrary(sql, mergePlan, findReplaced(mergePlan.places))
  await mergeOwnLibraries(sql, mergePlan, findReplaced(mergePlan.places))
  await mergeDigging(sql, mergePlan)
  await mergeDownloads(sql, mergePlan)
  await mergeListens(sql, mergePlan)
  await mergeUploads(sql, mergePlan)
  await deleteMergeRecords(sql, mergePlan)
  return mergePlan
}

const lockForMaintenance = async (sql: Sql, ids: readonly number[]): Promise<void> => {
  await lockCatalogue(sql)
  await lockUploads(sql, ids)
  await lockDownloads(sql)
  await lockListens(sql)
  await lockSongs(sql, ids)
}

const formatSongName = ({ title, artist }: Pick<MaintainedSong, 'title' | 'artist'>): string => `${artist} – ${title}`

/** An audit log entry for each merged song and one for the kept song, so that each is found by its number. */
function mergeEntries({ songs, places, into, from }: PlannedMerge): AuditEntry[] {
  const labels = (side: 'before' | 'after') =>
    Object.fromEntries(
      places.map(({ song_version_id, version_label, status, label, becomes }) => [
        `version ${song_version_id}`,
        side === 'before' ? `${version_label}, ${status}` : `${label}, ${becomes}`,
      ]),
    )
  const keptSubject = subject({ entity_id: into })
  const mergedSongs = songs.filter(({ entity_id }) => from.includes(entity_id))
  return [
    ...mergedSongs.map((song) => ({
      action: 'song merged into another',
      subject: subject(song),
      before: { song: formatSongName(song) },
      after: { merged_into: keptSubject },
    })),
    {
      action: 'songs merged',
      subject: keptSubject,
      before: labels('before'),
      after: { ...labels('after'), merged: from.map((entity_id) => subject({ entity_id })) },
    },
  ]
}

/** Moves the data that other modules have about versions, and then the counts. */
const moveDependents = (sql: Sql) => async (splitting: SongSplit) => {
  await splitInLibrary(sql, splitting)
  await splitOwnLibraries(sql, splitting)
  await splitDownloads(sql, splitting)
  await splitListens(sql, splitting)
  await splitUploads(sql, splitting)
  const { into } = splitting
  await splitCounts(sql, splitting, { downloads: downloadTimes(sql, into), listens: listenTimes(sql, into) })
}

/** Returns the song that it was merged into. Throws the errors declared in the contract. */
async function undoMerge(sql: Sql, entityId: number): Promise<number> {
  // Before reading which song it was merged into: another merge may merge that one at the same time.
  await lockCatalogue(sql)
  const [merged] = await sql<{ into_entity_id: number }[]>`
    select into_entity_id from merged_song where entity_id = ${entityId}`
  await lockForMaintenance(sql, merged ? [merged.into_entity_id] : [])
  return undoInCatalogue(sql, entityId, moveDependents(sql))
}
