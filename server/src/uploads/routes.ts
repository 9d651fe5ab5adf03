import { uploadedSongs, uploads } from '@dubplate/contract'
import { type Asker, on } from '../membership/asker.ts'
import { noticeSeenBy } from '../notices/notices.ts'
import type { Call } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { containerOf, removeUpload, showFiles } from './container.ts'
import { listOwnSongs, readOwnSlots, readOwnSong } from './own-songs.ts'
import { songFigures } from './song-figures.ts'
import { checkSong, createSong, deleteSong, removeVersion, renewSong, updateSong } from './song-saving.ts'
import { LEAVING, ofUpload } from './upload-notices.ts'
import { watchAddress } from './upload-watch.ts'
import { versionKinds } from './version-slots.ts'
import { receiveFiles } from './whole-files.ts'

export const uploadsRoutes = (world: World): Call<Asker>[] => [
  on(
    uploads.uploadSongs,
    async ({ member, request }) => {
      const ids = await receiveFiles(world, member.customer_id, request)
      return { files: await showFiles(world, member, world.sql`select unnest(${ids}::bigint[])`) }
    },
    { perMinute: 60 },
  ),
  on(uploads.removeUpload, async ({ input, member }) => {
    await removeUpload(world.sql, member.customer_id, input.upload_id)
    return {}
  }),
  on(uploads.watchUploads, async ({ member }) => ({ url: watchAddress(world, member) })),
  on(uploads.getContainer, async ({ member }) => ({ files: await containerOf(world, member) })),
  on(uploadedSongs.getVersions, async () => ({ versions: await versionKinds(world.sql) })),
  on(uploadedSongs.getUploadedSongs, async ({ input, member }) => {
    await noticeSeenBy(world.sql, member, LEAVING)
    return listOwnSongs(world, member, input)
  }),
  on(uploadedSongs.createSong, async ({ input, member }) => createSong(world, member.customer_id, input), {
    alsoCheck: (given, { customer_id }) => checkSong(world, customer_id, given),
  }),
  on(uploadedSongs.updateSong, async ({ input, member }) => updateSong(world, member.customer_id, input), {
    alsoCheck: (given, { customer_id }) => checkSong(world, customer_id, given),
  }),
  on(uploadedSongs.getSongEntry, async ({ input, member }) => {
    const song = await readOwnSong(world, member, input.entity_id)
    await noticeSeenBy(world.sql, member, ofUpload(input.entity_id))
    return { song }
  }),
  on(uploadedSongs.getSongVersions, async ({ input, member }) => ({
    versions: await readOwnSlots(world, member, input.entity_id),
  })),
  on(uploadedSongs.removeSongVersion, async ({ input, member }) => {
    await removeVersion(world, member.customer_id, input)
    return { versions: await readOwnSlots(world, member, input.entity_id) }
  }),
  on(uploadedSongs.renewSong, async ({ input, member }) => renewSong(world, member.customer_id, input.entity_id)),
  on(uploadedSongs.deleteSong, async ({ input, member }) => {
    await deleteSong(world, member.customer_id, input.entity_id)
    return {}
  }),
  on(uploadedSongs.getSongFigures, async ({ input, member }) =>
    songFigures(world, member.customer_id, input.entity_id),
  ),
]
