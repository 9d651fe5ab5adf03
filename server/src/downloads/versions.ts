import type { downloads, ReplyOf } from '@dubplate/contract'
import type { Asker } from '../membership/asker.ts'
import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import { grantDownload } from './grants.ts'
import { makeLink } from './links.ts'
import { findMasters, isThere, type Master, masterName, tagMaster } from './masters.ts'

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
  const grant = await grantDownload(world.sql, { customer_id: member.customer_id, song_version_id: versionId, limit })
  if (!grant) throw limitReached(master, limit)
  const file_name = masterName(master)
  const tagged = await tagMaster(world, master)
  return {
    version_code: master.version_code,
    file_name,
    uploaded_mp3_name: master.uploaded_name || file_name,
    url: makeLink(world, 'file', grant.download_id, member.session_id, file_name),
    bytes: tagged.length,
    used: grant.used,
    limit,
  }
}

/** The master of a version that is in the pool, or kept for this member. Refuses `unknown_version`. */
export async function findMaster(
  { sql, settings }: World,
  { customer_id }: Pick<Asker, 'customer_id'>,
  versionId: number,
): Promise<Master> {
  const [master] = await findMasters(sql, [versionId], { customer_id, days: settings.rescueDays })
  if (!master) throw new Refusal('unknown_version', 'There is no such version. It may have been withdrawn.')
  return master
}

/** Refuses `file_unavailable` where the store has lost it. */
export async function admitFile(world: World, master: Master): Promise<void> {
  if (await isThere(world, master)) return
  throw new Refusal(
    'file_unavailable',
    `The file of “${master.title} (${master.version_label})” is missing on our side. Nothing was counted.`,
  )
}

type Named = Pick<Master, 'title' | 'version_label'>

export const limitReached = (version: Named, limit: number): Refusal =>
  new Refusal('download_limit_reached', limitSentence(version, limit))

export const limitSentence = (master: Named, limit: number): string =>
  `You have used ${limit === 1 ? 'the one download' : limit === 2 ? 'both downloads' : `all ${limit} downloads`} of “${master.title} (${master.version_label})”.`
