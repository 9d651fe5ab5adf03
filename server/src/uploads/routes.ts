import { uploadedSongs, uploads } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { type Caller, on } from '../membership/caller.ts'
import { markNotificationSeenBy } from '../notices/notifications.ts'
import type { Call } from '../platform/serve.ts'
import { receiveFiles } from './multipart-upload.ts'
import { getOwnSong, listOwnSlots, listOwnSongs } from './own-songs.ts'
import { checkSong, createSong, deleteSong, removeVersion, renewSong, updateSong } from './song-saving.ts'
import { getSongStats } from './song-stats.ts'
import { listContainer, listFiles, removeUpload } from './upload-container.ts'
import { EXPIRY_SUBJECT, uploadSubject } from './upload-notifications.ts'
import { createWatchUrl } from './upload-stream.ts'
import { listVersionKinds } from './version-slots.ts'

export const uploadsRoutes = (ctx: AppContext): Call<Caller>[] => [
  on(
    uploads.uploadSongs,
    async ({ member, request }) => {
      const ids = await receiveFiles(ctx, member.customer_id, request)
      return { files: await listFiles(ctx, member, ctx.sql`select unnest(${ids}::bigint[])`) }
    },
    { perMinute: 60 },
  ),
  on(uploads.removeUpload, async ({ input, member }) => {
    await removeUpload(ctx.sql, member.customer_id, input.upload_id)
    return {}
  }),
  on(uploads.watchUploads, async ({ member }) => ({ url: createWatchUrl(ctx, member) })),
  on(uploads.getContainer, async ({ member }) => ({ files: await listContainer(ctx, member) })),
  on(uploadedSongs.getVersions, async () => ({ versions: await listVersionKinds(ctx.sql) })),
  on(uploadedSongs.getUploadedSongs, async ({ input, member }) => {
    await markNotificationSeenBy(ctx.sql, member, EXPIRY_SUBJECT)
    return listOwnSongs(ctx, member, input)
  }),
  on(uploadedSongs.createSong, async ({ input, member }) => createSong(ctx, member.customer_id, input), {
    alsoCheck: (given, { customer_id }) => checkSong(ctx, customer_id, given),
  }),
  on(uploadedSongs.updateSong, async ({ input, member }) => updateSong(ctx, member.customer_id, input), {
    alsoCheck: (given, { customer_id }) => checkSong(ctx, customer_id, given),
  }),
  on(uploadedSongs.getSongEntry, async ({ input, member }) => {
    const song = await getOwnSong(ctx, member, input.entity_id)
    await markNotificationSeenBy(ctx.sql, member, uploadSubject(input.entity_id))
    return { song }
  }),
  on(uploadedSongs.getSongVersions, async ({ input, member }) => ({
    versions: await listOwnSlots(ctx, member, input.entity_id),
  })),
  on(uploadedSongs.removeSongVersion, async ({ input, member }) => {
    await removeVersion(ctx, member.customer_id, input)
    return { versions: await listOwnSlots(ctx, member, input.entity_id) }
  }),
  on(uploadedSongs.renewSong, async ({ input, member }) => renewSong(ctx, member.customer_id, input.entity_id)),
  on(uploadedSongs.deleteSong, async ({ input, member }) => {
    await deleteSong(ctx, member.customer_id, input.entity_id)
    return {}
  }),
  on(uploadedSongs.getSongFigures, async ({ input, member }) => getSongStats(ctx, member.customer_id, input.entity_id)),
]
