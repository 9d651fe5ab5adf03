import * as texts from '../texts.ts'
import { AccountPage } from './AccountPage.tsx'
import css from './EditProfile.module.css'
import { Picture } from './Picture.tsx'
import { ProfileFields } from './ProfileFields.tsx'
import { FieldSkeleton } from './Skeletons.tsx'

/** Account Setting: who a member is, where they live, and how they look. */
export const EditProfile = () => (
  <AccountPage title={texts.accountSettings} skeleton={<Skeleton />}>
    {(profile) => (
      <>
        <Picture profile={profile} />
        {/* An address that was confirmed meanwhile is not taken back by a form that still holds the old one. */}
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
