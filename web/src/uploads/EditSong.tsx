import { uploadedSongs } from '@dubplate/contract'
import { useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useMarkSeen } from '../notices/useMarkSeen.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { queryClient, useApiQuery } from '../platform/queries.ts'
import { FormSkeleton } from './FormSkeleton.tsx'
import { cacheFiles } from './files.ts'
import { MemberContent } from './OfMember.tsx'
import { SongFormScreen } from './SongFormScreen.tsx'
import { SongStatus } from './SongStatus.tsx'
import { formOfEntry } from './songForm.ts'
import * as texts from './texts.ts'

/** The form to edit a song. */
export function EditSong() {
  const { entityId } = useParams({ from: '/uploads/edit-song/$entityId' })
  return (
    <MemberContent title={texts.editSong}>
      <EditForm key={entityId} entityId={entityId} />
    </MemberContent>
  )
}

/** Removes a cached song, so that the form never starts with outdated data. */
function useFreshEntry(entity_id: number) {
  const [isFresh, setFresh] = useState(false)
  useEffect(() => {
    for (const { path } of [uploadedSongs.getSongEntry, uploadedSongs.getSongVersions])
      queryClient.removeQueries({ queryKey: [path, { entity_id }] })
    // eslint-disable-next-line react-hooks/set-state-in-effect -- only once the cached replies are removed
    setFresh(true)
  }, [entity_id])
  return isFresh
}

function EditForm({ entityId: entity_id }: { entityId: number }) {
  const enabled = useFreshEntry(entity_id)
  const kinds = useApiQuery(uploadedSongs.getVersions, {})
  const entry = useApiQuery(uploadedSongs.getSongEntry, { entity_id }, { enabled })
  const slots = useApiQuery(uploadedSongs.getSongVersions, { entity_id }, { enabled })
  useMarkSeen(entry.data)
  useEffect(() => cacheFiles(slots.data?.versions.map(({ file }) => file) ?? []), [slots.data])
  const failed = [entry, slots, kinds].find(({ data, error }) => !data && error)
  if (failed?.error)
    return <ErrorState error={failed.error} title={texts.couldntLoadThisSong} retry={() => void failed.refetch()} />
  if (!enabled || !kinds.data || !entry.data || !slots.data) return <FormSkeleton />
  return (
    <>
      <SongStatus song={entry.data.song} />
      <SongFormScreen
        entityId={entity_id}
        first={formOfEntry(entry.data.song, slots.data.versions)}
        kinds={kinds.data.versions}
      />
    </>
  )
}
