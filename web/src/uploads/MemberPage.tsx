import '../styles/mantine-forms.css'
import '../styles/mantine-layout.css'
import { IconUpload } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import { MembersOnly } from '../membership/MembersOnly.tsx'
import { Page } from '../platform/Page.tsx'
import { useSession } from '../platform/session.ts'
import { Mantine } from '../ui/Mantine.tsx'
import * as texts from './texts.ts'

type Props = { title: string; actions?: ReactNode; children: ReactNode }

/** The frame of the upload screens: for members; visitors are asked to sign in. */
export function MemberPage({ title, actions, children }: Props) {
  // After a session has ended, the form stays in place below the sign-in.
  const isMember = useSession(({ token, ended }) => token !== null || ended)
  return (
    <Mantine>
      <Page title={title} actions={isMember && actions}>
        {isMember ? children : <MembersOnly icon={<IconUpload size={24} />}>{texts.signInToUpload}</MembersOnly>}
      </Page>
    </Mantine>
  )
}
