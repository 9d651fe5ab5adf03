import type { ReactNode } from 'react'
import { openDialog } from '../platform/address.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'

type Props = { icon: ReactNode; title?: string; children: string }

/** Stands where a visitor would see something of their own. */
export function MembersOnly({ icon, title = 'Sign in to see it', children }: Props) {
  const signIn = (
    <Button look="primary" onClick={() => openDialog('sign-in')}>
      Sign in
    </Button>
  )
  return (
    <EmptyState icon={icon} title={title} action={signIn}>
      {children}
    </EmptyState>
  )
}
