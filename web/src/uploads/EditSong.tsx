import { uploadedSongs } from '@dubplate/contract'
import { useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useSeen } from '../notices/useSeen.ts'
import { Trouble } from '../platform/errors.tsx'
import { queryClient, useAsk } from '../platform/queries.ts'
import { FormBones } from './FormBones.tsx'
import { keepFiles } from './files.ts'
import { OfMember } from './OfMember.tsx'
import { SongFormScreen } from './SongFormScreen.tsx'
import { SongStanding } from './SongStanding.tsx'
import { formOfEntry } from './songForm.ts'
import * as texts from './texts.ts'

/** A song to be changed. */
export function EditSong() {
  const { entityId } = useParams({ from: '/uploads/edit-song/$entityId' })
  return (
    <OfMember title={texts.editSong}>
      <EditForm key={entityId} entityId={entityId} />
    </OfMember>
  )
}

/** What was read on an earlier visit is not what is changed now. */
function useFresh(entity_id: number) {
  const [isFresh, setFresh] = useState(false)
  useEffect(() => {
    for (const { path } of [uploadedSongs.getSongEntry, uploadedSongs.getSongVersions])
      queryClient.removeQueries({ queryKey: [path, { entity_id }] })
    setFresh(true)
  }, [entity_id])
  return isFresh
}

function EditForm({ entityId: entity_id }: { entityId: number }) {
  const when = useFresh(entity_id)
  const kinds = useAsk(uploadedSongs.getVersions, {})
  const entry = useAsk(uploadedSongs.getSongEntry, { entity_id }, { when })
  const slots = useAsk(uploadedSongs.getSongVersions, { entity_id }, { when })
  useSeen(entry.data)
  useEffect(() => keepFiles(slots.data?.versions.map(({ file }) => file) ?? []), [slots.data])
  const failed = [entry, slots, kinds].find(({ data, error }) => !data && error)
  if (failed?.error) return <Trouble error={failed.error} what={texts.thisSong} retry={() => void failed.refetch()} />
  if (!when || !kinds.data || !entry.data || !slots.data) return <FormBones />
  return (
    <>
      <SongStanding song={entry.data.song} />
      <SongFormScreen
        entityId={entity_id}
        first={formOfEntry(entry.data.song, slots.data.versions)}
        kinds={kinds.data.versions}
      />
    </>
  )
}
