import { IconUpload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { MembersOnly } from '../library/MembersOnly.tsx'
import { useSession } from '../platform/session.ts'
import { Page } from '../ui/Page.tsx'
import * as texts from './texts.ts'

type Props = { title: string; actions?: ReactNode; children: ReactNode }

/** The frame of the screens of uploads: for members; a visitor is asked to sign in. */
export function MemberContent({ title, actions, children }: Props) {
  // A session that ended leaves the form where it is, under the sign-in.
  const isMember = useSession(({ token, ended }) => token !== null || ended)
  return (
    <Page title={title} actions={isMember && actions}>
      {isMember ? children : <MembersOnly icon={<IconUpload size={24} />}>{texts.signInToUploadYour}</MembersOnly>}
    </Page>
  )
}
