import { Skeleton } from '@mantine/core'
import * as texts from '../texts.ts'
import { AccountPage } from './AccountPage.tsx'
import { Picture } from './Picture.tsx'
import { ProfileFields } from './ProfileFields.tsx'
import { FieldSkeleton } from './Skeletons.tsx'

/** The account settings: a member's name, place and appearance. */
export const EditProfile = () => (
  <AccountPage title={texts.accountSettings} skeleton={<ProfileSkeleton />}>
    {(profile) => (
      <>
        <Picture profile={profile} />
        {/* The key resets the form when the address is confirmed elsewhere, so that it does not save the old one. */}
        <ProfileFields key={profile.email} profile={profile} />
      </>
    )}
  </AccountPage>
)

const ProfileSkeleton = () => (
  <>
    <Skeleton circle h={96} />
    <FieldSkeleton count={10} />
  </>
)
