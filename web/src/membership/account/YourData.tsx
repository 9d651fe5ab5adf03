import type { membership } from '@dubplate/contract'
import * as texts from '../texts.ts'
import { AccountPage } from './AccountPage.tsx'
import { DataExport } from './DataExport.tsx'
import { Deletion } from './Deletion.tsx'
import { ListRowSkeleton } from './Skeletons.tsx'

/** What the pool stores about a member: to export or delete. */
export const YourData = () => (
  <AccountPage title={texts.yourData} skeleton={<ListRowSkeleton count={2} height_px={150} />}>
    {(profile: membership.Profile) => (
      <>
        <DataExport />
        <Deletion profile={profile} />
      </>
    )}
  </AccountPage>
)
