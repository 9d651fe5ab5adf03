import '../styles/mantine-layout.css'
import { downloadProfiles } from '@dubplate/contract'
import { IconFolderCog } from '@tabler/icons-react'
import { Link, useSearch } from '@tanstack/react-router'
import { AccountPage } from '../membership/account/AccountPage.tsx'
import { ListRowSkeleton } from '../membership/account/Skeletons.tsx'
import { ErrorState } from '../platform/ErrorState.tsx'
import { useApiQuery } from '../platform/queries.ts'
import button from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import { KeepFocus } from '../ui/KeepFocus.tsx'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import { ProfileList } from './ProfileList.tsx'
import * as texts from './texts.ts'

const ProfileForm = lazyOnDemand(() => import('./ProfileForm.tsx').then(({ ProfileForm }) => ProfileForm))

/** A member's download profiles, or the form of the one in the URL. */
export function DownloadProfiles() {
  const { profile } = useSearch({ from: '/account/download-profiles' })
  const formTitle = profile === 'new' ? texts.addDownloadProfile : texts.editDownloadProfile
  return (
    <AccountPage title={profile === undefined ? texts.downloadProfiles : formTitle} skeleton={<ProfilesSkeleton />}>
      {() => (
        <KeepFocus>
          <ProfilesContent />
        </KeepFocus>
      )}
    </AccountPage>
  )
}

function ProfilesContent() {
  const { profile: opened, copy } = useSearch({ from: '/account/download-profiles' })
  const { data, error, refetch } = useApiQuery(downloadProfiles.getProfiles, {})
  if (!data && error)
    return <ErrorState error={error} title={texts.couldntLoadYourDownloadProfiles} retry={() => void refetch()} />
  if (!data) return <ProfilesSkeleton />
  const { profiles } = data
  if (opened === undefined) return <ProfileList profiles={profiles} />
  const find = (id: number | undefined) => profiles.find(({ profile_id }) => profile_id === id)
  if (opened === 'new') return <ProfileForm key={`copy ${copy}`} original={find(copy)} profiles={profiles} />
  const edited = find(opened)
  return edited ? <ProfileForm key={opened} edited={edited} profiles={profiles} /> : <ProfileNotFound />
}

const ProfileNotFound = () => (
  <EmptyState
    icon={<IconFolderCog size={24} />}
    title={texts.downloadProfileNotFound}
    action={
      <Link to="/account/download-profiles" className={button.button}>
        {texts.seeDownloadProfiles}
      </Link>
    }
  >
    {texts.downloadProfileNotFoundHint}
  </EmptyState>
)

const ProfilesSkeleton = () => (
  // biome-ignore lint/a11y/useSemanticElements: a group of fields is not what is loading
  <div role="group" aria-busy aria-label={texts.loadingDownloadProfiles}>
    <ListRowSkeleton count={3} height_px={72} />
  </div>
)
