import type { membership } from '@dubplate/contract'
import { AccountPage } from './AccountPage.tsx'
import { RowBones } from './Bones.tsx'
import { Copy } from './Copy.tsx'
import { Deletion } from './Deletion.tsx'

/** What the pool keeps of a member: to take along, and to have deleted. */
export const YourData = () => (
  <AccountPage title="Your data" bones={<RowBones count={2} height_px={150} />}>
    {(profile: membership.Profile) => (
      <>
        <Copy />
        <Deletion profile={profile} />
      </>
    )}
  </AccountPage>
)
