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
  const [master] = await findMasters(world.sql, [versionId])
  if (!master) throw new Refusal('unknown_version', 'There is no such version. It may have been withdrawn.')
  if (!(await isThere(world, master))) {
    throw new Refusal(
      'file_unavailable',
      `The file of “${master.title} (${master.version_label})” is missing on our side. Nothing was counted.`,
    )
  }
  const limit = world.config.downloadLimit
  const grant = await grantDownload(world.sql, { customer_id: member.customer_id, song_version_id: versionId, limit })
  if (!grant) throw new Refusal('download_limit_reached', limitSentence(master, limit))
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

export const limitSentence = (master: Pick<Master, 'title' | 'version_label'>, limit: number): string =>
  `You have used ${limit === 1 ? 'the one download' : limit === 2 ? 'both downloads' : `all ${limit} downloads`} of “${master.title} (${master.version_label})”.`
