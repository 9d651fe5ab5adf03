import type { staffSongs } from '@dubplate/contract'
import { format } from '../../format/message.ts'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import { changePublication, changeVersionPublication } from './publishSongs.ts'
import type { Song } from './songActions.ts'
import * as texts from './texts.ts'

const ReasonDialog = lazyOnDemand(() => import('../../admin/ReasonDialog.tsx').then(({ ReasonDialog }) => ReasonDialog))

type Props = { song: Song; version?: staffSongs.StaffVersion; onClose: () => void }

/** Asks for the reason to unpublish a song or one of its versions, or to publish it again. */
export function PublishDialog({ song, version, onClose }: Props) {
  const { entity_id, revision, title } = song
  const isPublished = version ? version.status !== 'unpublished' : song.status === 'published'
  const action = isPublished ? 'unpublish' : 'restore'
  const explanation = version
    ? { unpublish: texts.thisVersionDisappearsImmediatelyMembers, restore: texts.thisVersionIsAvailableTo }
    : { unpublish: texts.theSongDisappearsFromLists, restore: texts.theSongReappearsInLists }
  return (
    <ReasonDialog
      title={format(isPublished ? texts.unpublishQuestion : texts.publishQuestion, {
        title: version?.version_label ?? title,
      })}
      text={explanation[action]}
      verb={isPublished ? texts.unpublish : texts.publish}
      hint={texts.savedInTheAuditLog}
      missingMessage={isPublished ? texts.enterAReasonYourColleagues : undefined}
      isDanger={isPublished}
      draftName={version ? `version.${version.song_version_id}` : `song.${entity_id}`}
      onSend={async (reason) => {
        if (version) await changeVersionPublication(action, song, version, reason)
        else await changePublication(action, [{ entity_id, revision }], reason)
      }}
      onClose={onClose}
    />
  )
}
