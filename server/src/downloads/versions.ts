import type { downloads, ReplyOf } from '@dubplate/contract'
import { type Asker, downloadsAsStaff } from '../membership/asker.ts'
import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import { grantDownload } from './grants.ts'
import { makeLink, type Subject } from './links.ts'
import { findMasters, isAvailable, type Master, masterName, reachOf, tagMaster, troubleWith } from './masters.ts'

/**
 * Counts a download of one version and answers with its signed address.
 * Refuses `unknown_version`, `file_unavailable` (not counted) and `download_limit_reached`.
 */
export async function downloadVersion(
  world: World,
  member: Asker,
  versionId: number,
): Promise<ReplyOf<typeof downloads.downloadVersion>> {
  const master = await findMaster(world, member, versionId)
  await admitFile(world, master)
  const limit = world.settings.downloadLimit
  const { used, subject } = await countDownload(world, member, master, limit)
  const file_name = masterName(master)
  const tagged = await tagMaster(world, master)
  return {
    version_code: master.version_code,
    file_name,
    uploaded_mp3_name: master.uploaded_name || file_name,
    url: await makeLink(world, subject, member, file_name),
    bytes: tagged.length,
    used,
    limit,
  }
}

/** Staff downloads are not counted: neither for the limit, nor for the charts or the labels. */
async function countDownload(
  { sql, log }: World,
  { customer_id, staff_role }: Asker,
  master: Master,
  limit: number,
): Promise<{ used: number; subject: Subject }> {
  const { song_version_id } = master
  if (downloadsAsStaff({ staff_role })) {
    log.info({ customer_id, staff_role, song_version_id }, 'Staff downloaded a version.')
    return { used: 0, subject: { song_version_id } }
  }
  const grant = await grantDownload(sql, { customer_id, song_version_id, limit })
  if (!grant) throw limitReached(master, limit)
  return { used: grant.used, subject: { download_id: grant.download_id } }
}

/** The master of a version that is in the pool, or kept for this member; of any version for staff. Refuses `unknown_version`. */
export async function findMaster(
  world: World,
  member: Pick<Asker, 'customer_id' | 'staff_role'>,
  versionId: number,
): Promise<Master> {
  const [master] = await findMasters(world.sql, [versionId], reachOf(world, member))
  if (!master) throw new Refusal('unknown_version', 'Version not found. It may have been unpublished.')
  return master
}

/** Refuses `file_unavailable` where its file is missing or damaged. */
export async function admitFile(world: World, master: Master): Promise<void> {
  if (await isAvailable(world, master)) return
  const trouble = await troubleWith(world, master)
  throw new Refusal(
    'file_unavailable',
    `The file for “${master.title} (${master.version_label})” is ${trouble} on our side. This download wasn’t counted.`,
  )
}

type Named = Pick<Master, 'title' | 'version_label'>

export const limitReached = (version: Named, limit: number): Refusal =>
  new Refusal('download_limit_reached', limitSentence(version, limit))

export const limitSentence = (master: Named, limit: number): string =>
  `You have no downloads left for “${master.title} (${master.version_label})”. You’ve used ${limit === 1 ? 'your one download' : limit === 2 ? 'both downloads' : `all ${limit} downloads`}.`
