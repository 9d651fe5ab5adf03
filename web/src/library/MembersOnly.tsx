import type { ReactNode } from 'react'
import { openDialog } from '../platform/address.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'

/** Stands where a visitor would see something of their own. */
export function MembersOnly({ icon, children }: { icon: ReactNode; children: string }) {
  const signIn = (
    <Button look="primary" onClick={() => openDialog('sign-in')}>
      Sign in
    </Button>
  )
  return (
    <EmptyState icon={icon} title="Sign in to see it" action={signIn}>
      {children}
    </EmptyState>
  )
}
