import { uploadedSongs } from '@dubplate/contract'
import { Skeleton } from '@mantine/core'
import { useParams } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { useMarkSeen } from '../notices/useMarkSeen.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { usePool } from '../platform/pool.ts'
import { queryClient, useApiQuery } from '../platform/queries.ts'
import { cacheFiles } from './files.ts'
import { MemberPage } from './MemberPage.tsx'
import { prefillForm } from './prefill.ts'
import { SongFormScreen } from './SongFormScreen.tsx'
import { SongStatus } from './SongStatus.tsx'
import { dayAfter, emptyForm, formOfEntry } from './songForm.ts'
import * as texts from './texts.ts'
import css from './Uploads.module.css'

/** The form for a new song. */
export const NewSong = () => (
  <MemberPage title={texts.addSong}>
    <NewForm />
  </MemberPage>
)

function NewForm() {
  const { data, error, refetch } = useApiQuery(uploadedSongs.getVersions, {})
  const { upload_days } = usePool()
  const [first] = useState(() => emptyForm(dayAfter(upload_days)))
  if (data) return <SongFormScreen first={first} kinds={data.versions} />
  if (error) return <ErrorState error={error} title={texts.couldntLoadThisForm} retry={() => void refetch()} />
  return <FormSkeleton />
}

/** The form to edit a song. */
export function EditSong() {
  const { entityId } = useParams({ from: '/uploads/edit-song/$entityId' })
  return (
    <MemberPage title={texts.editSong}>
      <EditForm key={entityId} entityId={entityId} />
    </MemberPage>
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
  const { versions } = slots.data
  const files = versions.map(({ file }) => file)
  return (
    <>
      <SongStatus song={entry.data.song} />
      <SongFormScreen
        entityId={entity_id}
        first={prefillForm(formOfEntry(entry.data.song, versions), files)}
        kinds={kinds.data.versions}
      />
    </>
  )
}

/** Placeholder at the size of the form while it loads. */
const FormSkeleton = () => (
  <div className={css.form} aria-busy>
    <Skeleton height={480} />
    <Skeleton height={480} />
  </div>
)
