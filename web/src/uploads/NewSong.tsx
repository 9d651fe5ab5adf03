import { uploadedSongs } from '@dubplate/contract'
import { useState } from 'react'
import { Trouble } from '../platform/errors.tsx'
import { usePool } from '../platform/pool.ts'
import { useAsk } from '../platform/queries.ts'
import { FormBones } from './FormBones.tsx'
import { OfMember } from './OfMember.tsx'
import { SongFormScreen } from './SongFormScreen.tsx'
import { dayAfter, emptyForm } from './songForm.ts'
import * as texts from './texts.ts'

/** A new song. */
export const NewSong = () => (
  <OfMember title={texts.addSong}>
    <NewForm />
  </OfMember>
)

function NewForm() {
  const { data, error, refetch } = useAsk(uploadedSongs.getVersions, {})
  const { upload_days } = usePool()
  const [first] = useState(() => emptyForm(dayAfter(upload_days)))
  if (data) return <SongFormScreen first={first} kinds={data.versions} />
  if (error) return <Trouble error={error} what={texts.thisForm} retry={() => void refetch()} />
  return <FormBones />
}
