import type { membership } from '@dubplate/contract'
import * as texts from '../texts.ts'
import { AccountPage } from './AccountPage.tsx'
import { RowBones } from './Bones.tsx'
import { Copy } from './Copy.tsx'
import { Deletion } from './Deletion.tsx'

/** What the pool keeps of a member: to take along, and to have deleted. */
export const YourData = () => (
  <AccountPage title={texts.yourData} bones={<RowBones count={2} height_px={150} />}>
    {(profile: membership.Profile) => (
      <>
        <Copy />
        <Deletion profile={profile} />
      </>
    )}
  </AccountPage>
)
