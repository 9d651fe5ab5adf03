import * as texts from '../texts.ts'
import { AccountPage } from './AccountPage.tsx'
import { Sessions } from './Sessions.tsx'
import { ListRowSkeleton } from './Skeletons.tsx'
import { TwoStep } from './TwoStep.tsx'

/** Two-factor authentication, and the member's sessions. */
export const Security = () => (
  <AccountPage title={texts.signInSecurity} skeleton={<ListRowSkeleton count={3} height_px={68} />}>
    {(profile) => (
      <>
        <TwoStep profile={profile} />
        <Sessions />
      </>
    )}
  </AccountPage>
)
