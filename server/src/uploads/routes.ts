import { beatGrids, quality, uploadedSongs, uploads } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { type Caller, on, type Route } from '../membership/caller.ts'
import { markNotificationSeenBy } from '../notices/notifications.ts'
import { checkOwnCorrection, correctOwnGrid, findOwnFile, readEditableGrid, removeOwnCorrection } from './beat-grids.ts'
import { receiveFiles } from './multipart-upload.ts'
import { getOwnSong, listOwnSlots, listOwnSongs } from './own-songs.ts'
import { checkSong, createSong, deleteSong, removeVersion, renewSong, updateSong } from './song-saving.ts'
import { getSongStats } from './song-stats.ts'
import { findUploadSpectrum } from './spectrum.ts'
import { listContainer, listFiles, removeUpload } from './upload-container.ts'
import { EXPIRY_SUBJECT, uploadSubject } from './upload-notifications.ts'
import { createWatchUrl } from './upload-stream.ts'
import { listVersionKinds } from './version-slots.ts'

/** Reads the grid of a member's file as it is now. */
const readOwnGrid = async (ctx: AppContext, member: Caller, uploadId: number) => ({
  grid: await readEditableGrid(ctx, member, await findOwnFile(ctx.sql, member.customer_id, uploadId)),
})

const ownGridRoutes: Route[] = [
  on(beatGrids.getOwnGrid, async ({ input, member, ctx }) => readOwnGrid(ctx, member, input.upload_id)),
  on(
    beatGrids.correctOwnGrid,
    async ({ input, member, ctx }) => {
      await ctx.sql.begin((sql) => correctOwnGrid(sql, member.customer_id, input))
      return readOwnGrid(ctx, member, input.upload_id)
    },
    { alsoCheck: (given, { member: { customer_id }, sql }) => checkOwnCorrection(sql, customer_id, given) },
  ),
  on(beatGrids.removeOwnCorrection, async ({ input, member, ctx }) => {
    await ctx.sql.begin((sql) => removeOwnCorrection(sql, member.customer_id, input.upload_id))
    return readOwnGrid(ctx, member, input.upload_id)
  }),
]

export const uploadsRoutes: Route[] = [
  on(
    uploads.uploadSongs,
    async ({ member, request, ctx, sql }) => {
      const ids = await receiveFiles(ctx, member.customer_id, request)
      return { files: await listFiles(ctx, member, sql`select unnest(${ids}::bigint[])`) }
    },
    { perMinute: 60 },
  ),
  on(uploads.removeUpload, async ({ input, member, sql }) => {
    await removeUpload(sql, member.customer_id, input.upload_id)
    return {}
  }),
  ...ownGridRoutes,
  on(quality.getOwnSpectrum, async ({ input, member, sql }) => ({
    spectrum: await findUploadSpectrum(sql, member, input.upload_id),
  })),
  on(uploads.watchUploads, async ({ member, ctx }) => ({ url: createWatchUrl(ctx, member) })),
  on(uploads.getContainer, async ({ member, ctx }) => ({ files: await listContainer(ctx, member) })),
  on(uploadedSongs.getVersions, async ({ sql }) => ({ versions: await listVersionKinds(sql) })),
  on(uploadedSongs.getUploadedSongs, async ({ input, member, ctx, sql }) => {
    await markNotificationSeenBy(sql, member, EXPIRY_SUBJECT)
    return listOwnSongs(ctx, member, input)
  }),
  on(uploadedSongs.createSong, async ({ input, member, ctx }) => createSong(ctx, member.customer_id, input), {
    alsoCheck: (given, { member: { customer_id }, ctx }) => checkSong(ctx, customer_id, given),
  }),
  on(uploadedSongs.updateSong, async ({ input, member, ctx }) => updateSong(ctx, member.customer_id, input), {
    alsoCheck: (given, { member: { customer_id }, ctx }) => checkSong(ctx, customer_id, given),
  }),
  on(uploadedSongs.getSongEntry, async ({ input, member, ctx, sql }) => {
    const song = await getOwnSong(ctx, member, input.entity_id)
    await markNotificationSeenBy(sql, member, uploadSubject(input.entity_id))
    return { song }
  }),
  on(uploadedSongs.getSongVersions, async ({ input, member, ctx }) => ({
    versions: await listOwnSlots(ctx, member, input.entity_id),
  })),
  on(uploadedSongs.removeSongVersion, async ({ input, member, ctx }) => {
    await removeVersion(ctx, member.customer_id, input)
    return { versions: await listOwnSlots(ctx, member, input.entity_id) }
  }),
  on(uploadedSongs.renewSong, async ({ input, member, ctx }) => renewSong(ctx, member.customer_id, input.entity_id)),
  on(uploadedSongs.deleteSong, async ({ input, member, ctx }) => {
    await deleteSong(ctx, member.customer_id, input.entity_id)
    return {}
  }),
  on(uploadedSongs.getSongFigures, async ({ input, member, ctx }) =>
    getSongStats(ctx, member.customer_id, input.entity_id),
  ),
]
