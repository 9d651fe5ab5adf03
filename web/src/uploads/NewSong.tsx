import { uploadedSongs } from '@dubplate/contract'
import { useState } from 'react'
import { ErrorState } from '../platform/ErrorState.tsx'
import { usePool } from '../platform/pool.ts'
import { useApiQuery } from '../platform/queries.ts'
import { FormSkeleton } from './FormSkeleton.tsx'
import { MemberContent } from './OfMember.tsx'
import { SongFormScreen } from './SongFormScreen.tsx'
import { dayAfter, emptyForm } from './songForm.ts'
import * as texts from './texts.ts'

/** The form for a new song. */
export const NewSong = () => (
  <MemberContent title={texts.addSong}>
    <NewForm />
  </MemberContent>
)

function NewForm() {
  const { data, error, refetch } = useApiQuery(uploadedSongs.getVersions, {})
  const { upload_days } = usePool()
  const [first] = useState(() => emptyForm(dayAfter(upload_days)))
  if (data) return <SongFormScreen first={first} kinds={data.versions} />
  if (error) return <ErrorState error={error} title={texts.couldntLoadThisForm} retry={() => void refetch()} />
  return <FormSkeleton />
}
