import * as texts from '../texts.ts'
import { AccountPage } from './AccountPage.tsx'
import css from './EditProfile.module.css'
import { Picture } from './Picture.tsx'
import { ProfileFields } from './ProfileFields.tsx'
import { FieldSkeleton } from './Skeletons.tsx'

/** The account settings: a member's name, place and appearance. */
export const EditProfile = () => (
  <AccountPage title={texts.accountSettings} skeleton={<Skeleton />}>
    {(profile) => (
      <>
        <Picture profile={profile} />
        {/* The key resets the form when the address is confirmed elsewhere, so that it does not save the old one. */}
        <ProfileFields key={profile.email} profile={profile} />
      </>
    )}
  </AccountPage>
)

const Skeleton = () => (
  <>
    <div className={css.pictureBone} />
    <FieldSkeleton count={10} />
  </>
)
