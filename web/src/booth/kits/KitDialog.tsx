import '../../styles/mantine-forms.css'
import { downloadProfiles } from '@dubplate/contract'
import css from '../../downloads/DownloadDialog.module.css'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { FirstProfile } from './FirstProfile.tsx'
import { KitOptions } from './KitOptions.tsx'
import { closeKitChoice, type KitSongs } from './kitChoice.ts'
import * as texts from './texts.ts'

/** Downloads songs as a kit for DJ software. A member without a download profile enters the most important of it first. */
export function KitDialog({ songs }: { songs: KitSongs }) {
  const { data, error, refetch } = useApiQuery(downloadProfiles.getProfiles, {})
  return (
    <Dialog title={texts.downloadForDjSoftware} onClose={closeKitChoice}>
      <p className={css.what} title={songs.title}>
        {songs.title}
      </p>
      {error && !data && (
        <ErrorState error={error} title={texts.couldntLoadYourProfiles} retry={() => void refetch()} />
      )}
      {!data && !error && <div className={css.waiting} aria-busy />}
      {data && (data.profiles.length > 0 ? <KitOptions songs={songs} profiles={data.profiles} /> : <FirstProfile />)}
    </Dialog>
  )
}
